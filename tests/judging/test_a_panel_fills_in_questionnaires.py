"""Several judges fill in questionnaires as one: part by part, by majority or by mean; ties are nobody's answer."""

import pytest

from annotation.models import QuestionnaireAnswer
from annotation.questionnaires.combining import combined, votes_of
from formats.layout import asked_of
from judging.ensembles.adding import candidates
from judging.ensembles.assembling import assemble
from judging.ensembles.weighing import held_out
from judging.judges import add_judge
from judging.models import Panel
from projects.models import Prompt, Rater, Response
from projects.problems import Invalid
from reports.dashboard.tables import by_id
from reports.questionnaires.dashboard import QUESTIONNAIRES
from tests.annotation.questionnaires import RANK, RIGHT, WRONG, questionnaire, responses_of
from tests.annotation.rated import pair_of
from tests.judging.panelling import judge, judges, panel_of
from tests.people import add_response, signed_in
from workflow.models import Stage

pytestmark = pytest.mark.django_db
TONE = {"choice": "Which tone?", "key": "tone", "of": ["Warm", "Cold", "Flat"]}
FAULTS = {"choices": "What is wrong?", "key": "faults", "of": ["Facts", "Style", "Dates"], "most": 2, "optional": True}
NEEDED = {**FAULTS, "optional": False}
GOOD = {"scale": "How good?", "key": "good"}
COUNT = {"number": "How many?", "key": "count"}
TIED = {**RANK, "ties": True}
ABC = {"a": 1, "b": 2, "c": 3}


def says(rater: Rater, stage, answers, round: int = 1, **about) -> QuestionnaireAnswer:
    return QuestionnaireAnswer.objects.create(stage=stage, rater=rater, answers=answers, round=round, **about)


def answer_of(panel) -> QuestionnaireAnswer:
    return QuestionnaireAnswer.objects.get(rater=panel.rater)


def made(part: dict, values: list, is_mean: bool = False, weights: list[float] | None = None):
    """What these values come to, each of a member of weight 1 but where `weights` says otherwise."""
    [asked] = asked_of([part])
    votes = votes_of(asked, list(zip(values, weights or [1.0] * len(values), strict=True)))
    return combined(asked, votes, is_mean).value


@pytest.mark.parametrize(
    ("part", "values", "majority", "mean"),
    [
        (TONE, ["Warm", "Cold", "Warm"], "Warm", "Warm"),
        (TONE, ["Warm", "Cold", "Flat"], None, None),  # nothing lies between names
        (RIGHT, ["Yes", "Partly", "No"], "Partly", "Partly"),  # in order: the median of those that lead
        (RIGHT, ["Yes", "No"], None, None),
        (FAULTS, [["Facts"], ["Facts", "Style"], None], ["Facts"], ["Facts"]),
        (FAULTS, [["Facts"], None, None], [], []),
        (FAULTS, [["Facts"], None], None, None),  # exactly half
        (NEEDED, [["Facts"], ["Style"], ["Dates"]], None, None),  # one must be chosen, none is by most
        # Each by two of three, and two are the most that may be chosen.
        (FAULTS, [["Facts", "Style"], ["Style", "Dates"], ["Facts", "Dates"]], None, None),
        (GOOD, [1, 4, 4], 4, 3),
        (GOOD, [1, 3, 5], 3, 3),
        (GOOD, [1, 2], None, 2),  # 1.5 lies nearer the middle as 2
        (COUNT, [2, 2, 8], 2, 4),
        (COUNT, [1, 2], None, 1.5),
        (RANK, [{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2}, {"a": 2, "b": 1, "c": 3}], *[ABC] * 2),
        (RANK, [{"a": 1, "b": 2}, {"a": 2, "b": 1}], None, None),
        (TIED, [{"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 1, "c": 3}], *[{"a": 1, "b": 1, "c": 3}] * 2),
        # What one of them did not rank is left out, and ranks are those among the others.
        (RANK, [{"a": 3, "b": 1, "c": 2}, {"b": 1, "a": 2}], *[{"b": 1, "a": 2}] * 2),
        (WRONG, ["Words", "Words"], None, None),
    ],
)  # fmt: skip
def test_each_type_of_part_by_its_rule(part, values, majority, mean):
    assert made(part, values) == majority
    assert made(part, values, is_mean=True) == mean


def test_by_weight_the_heavier_decide():
    assert made(TONE, ["Warm", "Cold"], True, [0.6, 0.2]) == "Warm"
    assert made(GOOD, [1, 5], True, [3.0, 1.0]) == 2
    assert made(COUNT, [0, 8], True, [3.0, 1.0]) == 2
    assert made(FAULTS, [["Facts"], None], True, [0.6, 0.2]) == ["Facts"]
    assert made(RANK, [{"a": 1, "b": 2}, {"a": 2, "b": 1}], True, [0.6, 0.2]) == {"a": 1, "b": 2}


def test_what_was_answered_before_a_part_became_another_one_is_no_vote():
    [asked] = asked_of([GOOD])
    assert votes_of(asked, [(9, 1.0), ("good", 1.0), (None, 1.0), (True, 1.0), ({"a": 1}, 1.0)]) == []


@pytest.fixture
def response(project) -> Response:
    return add_response(project, "tea", "الشاي", "ar-EG", "Nile-7B")


def test_three_judges_are_one_and_the_answer_says_whose_it_is(project, response):
    stage = questionnaire(project, RIGHT, GOOD, TONE, WRONG)
    members = judges(project)
    for rater, right, good, tone in zip(
        members, ("Yes", "Yes", "No"), (1, 4, 5), ("Warm", "Cold", "Flat"), strict=True
    ):
        says(rater, stage, {"right": right, "good": good, "tone": tone, "wrong": "كلام"}, response=response)
    panel = panel_of(members, "questionnaires", rule="mean")
    assert assemble(panel).counts == {"answers": 1, "written": 1}
    answer = answer_of(panel)
    assert (answer.stage, answer.response, answer.answers) == (stage, response, {"right": "Yes", "good": 3})
    told = answer.metadata["panel"]
    assert [member["rater"] for member in told["members"]] == ["amber", "birch", "cedar"]
    assert (told["ties"], told["means"]["good"]) == (["tone"], pytest.approx(10 / 3))
    assert assemble(panel).counts == {"answers": 1}, "what stands is left alone"
    QuestionnaireAnswer.objects.filter(rater=members[0]).update(answers={"right": "No", "good": 1})
    assert assemble(panel).counts == {"answers": 1, "written": 1}
    assert answer_of(panel).answers["right"] == "No"
    QuestionnaireAnswer.objects.filter(rater__in=members[:2]).delete()
    assert assemble(panel).counts == {"too_few": 1, "withdrawn": 1}


def test_what_all_left_open_or_fewer_than_must_answered_stays_open(project, response):
    stage = questionnaire(project, GOOD, {**COUNT, "optional": True})
    members = judges(project)
    for rater, answers in zip(members, ({"good": 2, "count": 7}, {"good": 2}, {"good": 4}), strict=True):
        says(rater, stage, answers, response=response)
    panel = panel_of(members, "questionnaires")
    assemble(panel)
    assert answer_of(panel).answers == {"good": 2}


def test_where_an_open_part_would_say_none_a_tie_leaves_no_answer(project, response):
    stage = questionnaire(project, GOOD, FAULTS)
    members = judges(project, 2)
    for rater, answers in zip(members, ({"good": 2, "faults": ["Facts"]}, {"good": 2}), strict=True):
        says(rater, stage, answers, response=response)
    panel = panel_of(members, "questionnaires")
    assert assemble(panel).counts == {"ties": 1}


def test_a_member_of_the_author_s_laboratory_has_no_vote_but_about_prompts_alone(project, response):
    stage = questionnaire(project, GOOD)
    alone = questionnaire(project, GOOD, show=("prompt",), name="Alone")
    ranking = questionnaire(project, GOOD, show=("prompt", "responses"), name="All")
    amber, birch = judges(project, 2)
    own = judge(project, "Nile", "delta-lab")
    for rater, good in ((amber, 1), (birch, 1), (own, 5)):
        says(rater, stage, {"good": good}, response=response)
        for of_prompt in (alone, ranking):
            says(rater, of_prompt, {"good": good}, prompt=response.prompt)
    panel = panel_of([amber, birch, own], "questionnaires", rule="mean")
    assemble(panel)
    given = dict(QuestionnaireAnswer.objects.filter(rater=panel.rater).values_list("stage__name", "answers"))
    assert given == {"Answering": {"good": 1}, "Alone": {"good": 2}, "All": {"good": 1}}


def test_of_a_pair_and_of_all_responses_the_mean_ranks(project):
    pair = pair_of(project, "greeting")
    three = responses_of(project, "feast", 3)
    of_pairs = questionnaire(project, RANK, show=("prompt", "pair"))
    of_all = questionnaire(project, RANK, show=("prompt", "responses"), name="All")
    members = judges(project)
    keys = [one.key for one in three]
    for rater, ranks, first in zip(members, ((1, 2, 3), (2, 1, 3), (1, 3, 2)), (1, 1, 2), strict=True):
        says(rater, of_pairs, {"rank": {"greeting-a": first, "greeting-b": 3 - first}}, pair=pair)
        says(rater, of_all, {"rank": dict(zip(keys, ranks, strict=True))}, prompt=three[0].prompt)
    panel = panel_of(members, "questionnaires")
    assemble(panel)
    given = dict(QuestionnaireAnswer.objects.filter(rater=panel.rater).values_list("stage__name", "answers"))
    assert given["Answering"] == {"rank": {"greeting-a": 1, "greeting-b": 2}}
    assert given["All"] == {"rank": dict(zip(keys, (1, 2, 3), strict=True))}


def test_the_latest_round_of_each_member_votes(project, response):
    stage = questionnaire(project, GOOD)
    members = judges(project)
    for rater in members:
        says(rater, stage, {"good": 1}, response=response)
    says(members[0], stage, {"good": 5}, 2, response=response)
    says(members[1], stage, {"good": 5}, 2, response=response)
    panel = panel_of(members, "questionnaires")
    assemble(panel)
    assert answer_of(panel).answers == {"good": 5}


def test_members_are_weighed_on_one_half_and_figures_look_at_the_other(project, mona):
    """Amber grades as Mona does, Birch the other way round: alpha 1 and, below 0, no vote."""
    stage = questionnaire(project, GOOD)
    amber, birch = judges(project, 2)
    person = Rater.objects.get(user=mona, project=project)
    for at in range(12):
        one = add_response(project, f"r{at}", f"جواب {at}", "ar-EG")
        good = 1 + at % 5
        for rater, given in ((person, good), (amber, good), (birch, 6 - good)):
            says(rater, stage, {"good": given}, response=one)
    panel = panel_of([amber, birch], "questionnaires", rule="weighted", least_members=1)
    assemble(panel)
    assert dict(panel.memberships.values_list("rater__pseudonym", "weight")) == {"amber": 1.0, "birch": 0.0}
    half = held_out(panel)
    assert 0 < len(half) < Prompt.objects.filter(project=project).count()
    table = by_id(QUESTIONNAIRES.tables(project), "questionnaire-judges")
    assert table is not None
    items = {row.labels[1]: row.figures[-1].value for row in table.rows}
    [of_panel] = [value for name, value in items.items() if "Panel" in name]
    assert (of_panel, items["Amber"]) == (12 - len(half), 12)
    assert "left out: weighted panels" in table.recipe.extras


def test_without_gold_nobody_is_weighed_and_what_stands_is_kept(project, response):
    stage = questionnaire(project, GOOD)
    members = judges(project, 2)
    for rater in members:
        says(rater, stage, {"good": 2}, response=response)
    with pytest.raises(Invalid):
        assemble(panel_of(members, "questionnaires", rule="weighted"))


def test_nour_sets_one_up_by_page_and_only_judges_of_questionnaires_sit_on_it(project, provider, nour, response):
    questionnaire(project, GOOD)
    first, second = (
        add_judge(project, provider, f"simulated-{n}", kind="questionnaire", name=f"Reader {n}") for n in (1, 2)
    )
    add_judge(project, provider, "simulated-1", kind="spans")
    assert set(candidates(project, "questionnaires")) == {first.rater, second.rater}
    lead = signed_in(nour)
    address = "/p/feasts/judges/panels/add/?kind=questionnaires"
    assert "Answers to questionnaires" in lead.get(address).content.decode()
    told = {"members": [first.rater.pk, second.rater.pk], "rule": "mean", "least_members": 2, "seed": 0}
    assert lead.post(address, told).status_code == 302
    panel = Panel.objects.get()
    assert (panel.kind, panel.rule) == ("questionnaires", "mean")
    for rater, good in ((first.rater, 2), (second.rater, 4)):
        says(rater, Stage.objects.get(), {"good": good}, response=response)
    assert lead.post(f"/p/feasts/judges/panels/{panel.pk}/assemble/").status_code == 302
    assert answer_of(panel).answers == {"good": 3}
    assert lead.get(f"/p/feasts/judges/panels/{panel.pk}/").status_code == 200


def test_a_questionnaire_that_was_withdrawn_is_answered_no_more(project, response):
    stage = questionnaire(project, GOOD)
    members = judges(project, 2)
    for rater in members:
        says(rater, stage, {"good": 2}, response=response)
    panel = panel_of(members, "questionnaires")
    assemble(panel)
    type(stage).objects.filter(pk=stage.pk).update(ask=[])
    assert assemble(panel).counts == {"ties": 1, "withdrawn": 1}


def test_reading_costs_the_same_number_of_statements_for_many(project, django_assert_max_num_queries):
    stage = questionnaire(project, GOOD)
    members = judges(project)
    for at in range(15):
        one = add_response(project, f"r{at}", f"جواب {at}", "ar-EG")
        for rater in members:
            says(rater, stage, {"good": 1 + at % 5}, response=one)
    panel = panel_of(members, "questionnaires")
    with django_assert_max_num_queries(32):
        assert assemble(panel).counts["written"] == 15
