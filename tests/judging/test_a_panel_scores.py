"""Several judges score answers of a benchmark as one: their mean, or the points most of them gave."""

import pytest

from benchmark.models import Answer, ConfigurationKind, RuleScore
from judging.ensembles.assembling import assemble
from projects.models import Rater
from tests.judging.panelling import judge, judges, panel_of
from tests.judging.scoring import answered, configuration, frozen, question

pytestmark = pytest.mark.django_db
TEXT = "مشروب دافئ في الصباح والمساء عند أهل المدينة كلهم"


@pytest.fixture
def own(project):
    return frozen(project, *(question(f"tea-{number}") for number in range(12)))


@pytest.fixture
def answer(project, own) -> Answer:
    return answered(configuration(project), {"tea-0": TEXT})[0]


def gives(rater: Rater, answer: Answer, value: float, round: int = 1) -> RuleScore:
    [use] = answer.prompt.benchmark_questions.get().rule_uses.all()
    return RuleScore.objects.create(
        answer=answer,
        rater=rater,
        target_sha256=use.target_sha256,
        value=value,
        round=round,
        detail={"reason": f"{rater.name} gives {value:g}"},
    )


def score_of(panel) -> RuleScore:
    return RuleScore.objects.get(rater=panel.rater)


def test_the_mean_is_kept_as_it_is(project, answer):
    amber, birch, cedar = judges(project)
    for rater, value in ((amber, 10), (birch, 7), (cedar, 3)):
        gives(rater, answer, value)
    panel = panel_of([amber, birch, cedar], "reference", rule="mean")
    assert assemble(panel).counts == {"answers": 1, "written": 1}
    score = score_of(panel)
    assert score.value == pytest.approx(20 / 3)
    assert (score.round, score.detail) == (1, {"reason": "Birch gives 7"})
    assert [member["rater"] for member in score.metadata["panel"]["members"]] == ["amber", "birch", "cedar"]
    assert assemble(panel).counts == {"answers": 1}


@pytest.mark.parametrize(("points", "majority"), [((3, 3, 9), 3.0), ((1, 5, 9), 5.0), ((2, 9), None)])
def test_by_majority_the_points_of_most_or_the_median_or_a_tie(points, majority, project, answer):
    members = judges(project, len(points))
    for rater, value in zip(members, points, strict=True):
        gives(rater, answer, value)
    panel = panel_of(members, "reference", rule="majority")
    assemble(panel)
    found = RuleScore.objects.filter(rater=panel.rater).first()
    assert (found.value if found else None) == majority


def test_the_latest_round_counts_and_a_member_of_the_author_s_laboratory_has_no_vote(project, answer):
    amber, birch = judges(project, 2)
    own_laboratory = judge(project, "Nile", "delta-lab")
    for rater, value in ((amber, 4), (birch, 6), (own_laboratory, 10)):
        gives(rater, answer, value)
    panel = panel_of([amber, birch, own_laboratory], "reference", rule="mean")
    assemble(panel)
    assert score_of(panel).value == 5.0
    gives(amber, answer, 8, round=2)
    assert assemble(panel).counts == {"answers": 1, "written": 1}
    assert score_of(panel).value == 7.0


def test_members_are_weighed_by_what_people_gave_to_questions_with_one_rule(project, own, mona):
    amber, birch = judges(project, 2)
    row, person = configuration(project), Rater.objects.get(user=mona)
    for number in range(12):
        [answer] = answered(row, {f"tea-{number}": TEXT})
        value = number % 3 * 5
        target = answer.prompt.benchmark_questions.get().target_sha256
        RuleScore.objects.create(answer=answer, rater=person, target_sha256=target, value=value)
        gives(amber, answer, value)
        gives(birch, answer, 10 - value)
    panel = panel_of([amber, birch], "reference", rule="weighted", least_members=1)
    assemble(panel)
    weights = dict(panel.memberships.values_list("rater__pseudonym", "weight"))
    assert weights == {"amber": 1.0, "birch": 0.0}
    values = dict(RuleScore.objects.filter(rater=panel.rater).values_list("answer__prompt__key", "value"))
    assert len(values) == 12
    assert set(values.values()) == {0.0, 5.0, 10.0}


def test_anchors_are_no_panel_s(project, own):
    [anchor] = answered(configuration(project, "Anchor", "people", kind=ConfigurationKind.ANCHOR), {"tea-0": TEXT})
    amber, birch = judges(project, 2)
    gives(amber, anchor, 4)
    gives(birch, anchor, 4)
    [answer] = answered(configuration(project), {"tea-0": TEXT})
    gives(amber, answer, 4)
    gives(birch, answer, 6)
    panel = panel_of([amber, birch], "reference", rule="mean")
    assert assemble(panel).counts == {"answers": 1, "written": 1}
    assert score_of(panel).answer == answer


def test_reading_costs_the_same_number_of_statements_for_many(project, own, django_assert_max_num_queries):
    amber, birch = judges(project, 2)
    for answer in answered(configuration(project), {f"tea-{number}": TEXT for number in range(12)}):
        gives(amber, answer, 4)
        gives(birch, answer, 6)
    panel = panel_of([amber, birch], "reference", rule="mean")
    with django_assert_max_num_queries(30):
        assert assemble(panel).counts["written"] == 12
