"""Nour gives judges fixed answers, which each scores again in every run: one that has become milder is seen."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from agreement.drift import DRIFTED, STEADY
from benchmark.anchor_passes import anchor_figures
from benchmark.anchors import add_anchors
from benchmark.models import Answer, Board, Configuration, ConfigurationKind, RuleScore
from formats.reading import Source
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.models import Call
from projects.models import Response, TargetModel
from projects.problems import Invalid
from tests.judging.scoring import answered, configuration, frozen, question, run_through, scoring_judge

pytestmark = pytest.mark.django_db
KEYS = [f"tea-{number}" for number in range(7)]
#: The simulated judge takes an answer to be worth what it says.
WORTH_5 = "الشاي يشربه الناس كل يوم simulated quality 5"


@pytest.fixture
def judge(project, provider):
    return scoring_judge(project, provider)


@pytest.fixture
def seven(project):
    """Questions, each with one anchor, and a model that has answered none yet."""
    frozen(project, *(question(key, language=..., variety="ar-EG") for key in KEYS))
    add(project, *({"question": key, "text": WORTH_5, "expected": 5} for key in KEYS))
    return configuration(project)


def add(project, *lines: dict) -> dict[str, int]:
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    return add_anchors(project, Source(io.BytesIO(text.encode()), "anchors.jsonl"))


def refusals(project, *lines: dict) -> list[tuple]:
    with pytest.raises(Invalid) as refused:
        add(project, *lines)
    return [(problem.line, problem.field, problem.code) for problem in refused.value.problems]


def answer_next(row: Configuration, number: int) -> None:
    answered(row, {KEYS[number]: "الناس simulated quality 8"})


def test_anchors_are_no_model_s_and_every_judge_may_be_asked(project, seven):
    rows = Configuration.objects.filter(kind=ConfigurationKind.ANCHOR)
    assert [(row.slug, row.card, row.target_model.laboratory.slug) for row in rows] == [("anchor-1", None, "people")]
    assert Answer.objects.filter(configuration__in=rows).count() == 7
    assert Response.objects.filter(answer__configuration__in=rows).first().metadata == {"anchor": {"expected": 5.0}}


def test_they_are_asked_beside_others_and_never_alone(project, judge, seven):
    responses = Response.objects.filter(project=project)
    assert plan(judge, responses).size == 0
    answer_next(seven, 0)
    assert plan(judge, responses).size == 1 + 7
    chosen = responses.filter(target_model=TargetModel.objects.get(name="Nile-7B"))
    assert plan(judge, chosen).size == 1 + 7, "whatever responses a run is to cover"


def test_every_run_is_a_pass_of_its_own_whatever_its_round(project, judge, seven):
    answer_next(seven, 0)
    run_through(judge)
    run_through(judge, round=2)
    answer_next(seven, 1)
    run_through(judge)
    scores = RuleScore.objects.filter(rater=judge.rater, answer__configuration__kind=ConfigurationKind.ANCHOR)
    assert sorted(scores.values_list("round", flat=True)) == [1] * 7 + [2] * 7 + [3] * 7
    assert set(RuleScore.objects.exclude(pk__in=scores).filter(rater=judge.rater).values_list("round", flat=True)) == {
        1,
        2,
    }
    assert anchor_figures(project)[judge.rater_id].passes == 3


def test_a_run_that_failed_leaves_its_pass_unscored(project, judge, seven, fake_provider):
    answer_next(seven, 0)
    fake_provider.tell(shares={"badrequest": 1.0})
    run_through(judge)
    fake_provider.tell(shares={})
    answer_next(seven, 1)
    run_through(judge)
    found = anchor_figures(project)[judge.rater_id]
    assert (found.passes, found.drift) == (1, None)
    rounds = RuleScore.objects.filter(answer__configuration__kind=ConfigurationKind.ANCHOR).values_list("round")
    assert set(rounds) == {(2,)}


def test_a_judge_that_gives_a_point_more_has_drifted(project, judge, seven, fake_provider):
    answer_next(seven, 0)
    run_through(judge)
    answer_next(seven, 1)
    run_through(judge)
    same = anchor_figures(project)[judge.rater_id]
    assert (same.drift.state, same.drift.shift.value, same.error.value) == (STEADY, 0.0, 0.0)

    fake_provider.tell(leaning={"simulated-1": {"lenient": 1}})
    answer_next(seven, 2)
    run_through(judge)
    found = anchor_figures(project)[judge.rater_id]
    assert (found.drift.state, found.drift.shift.value, found.drift.shift.n) == (DRIFTED, 1.0, 7)
    assert found.error.value == 1.0, "6 points where 5 were expected"


def test_the_comparison_is_with_the_first_pass(project, judge, seven, fake_provider):
    """Two small steps are one large one. The board's limit is what counts."""
    Board.objects.create(project=project, slug="own", title="Own", drift_limit=1.5)
    for number, lenient in enumerate((0, 1, 2)):
        fake_provider.tell(leaning={"simulated-1": {"lenient": lenient}})
        answer_next(seven, number)
        run_through(judge)
        found = anchor_figures(project)[judge.rater_id].drift
        assert found is None or (found.shift.value, found.state) == (lenient, DRIFTED if lenient == 2 else STEADY)


def test_an_anchor_that_came_later_is_compared_with_its_own_first(project, judge, seven, fake_provider):
    answer_next(seven, 0)
    run_through(judge)
    add(project, {"question": KEYS[0], "text": "الناس simulated quality 2"})
    answer_next(seven, 1)
    run_through(judge)
    assert anchor_figures(project)[judge.rater_id].drift.shift.n == 7
    answer_next(seven, 2)
    run_through(judge)
    shift = anchor_figures(project)[judge.rater_id].drift.shift
    assert (shift.n, shift.detail["units"]) == (8, 7), "two anchors of one question are not independent"


def test_two_runs_planned_at_once_have_a_pass_each(project, judge, seven):
    answer_next(seven, 0)
    first = runs.create_run(judge, Response.objects.filter(project=project))
    answer_next(seven, 1)
    second = runs.create_run(judge, Response.objects.filter(project=project))
    for run in (first, second):
        for shard in runs.start_here(run):
            work_through(shard)
    assert Call.objects.count() == 2 * (1 + 7)
    assert anchor_figures(project)[judge.rater_id].passes == 2


def test_figures_cost_the_same_number_of_statements_for_many(project, judge, seven, django_assert_num_queries):
    answer_next(seven, 0)
    run_through(judge)
    with django_assert_num_queries(3):
        anchor_figures(project)


def test_what_is_there_stays_and_what_is_wrong_is_named_by_line(project, seven):
    line = {"question": KEYS[0], "text": WORTH_5}
    assert add(project, line, line | {"text": "الناس"}) == {"added": 1, "unchanged": 1}
    assert Configuration.objects.filter(kind=ConfigurationKind.ANCHOR).count() == 2
    wrong = [line | {"question": "nobody"}, line | {"text": " "}, line | {"expected": 11}, line | {"points": 3}, {}]
    assert refusals(project, *wrong) == [
        (1, "question", "unknown_question"),
        (2, "text", "required"),
        (3, "expected", "out_of_range"),
        (4, "points", "unknown_field"),
        (5, "question", "unknown_question"),
        (5, "text", "not_text"),
    ]
    assert refusals(project) == [(None, "", "empty_file")]
    assert Answer.objects.filter(configuration__kind=ConfigurationKind.ANCHOR).count() == 8


def test_a_question_that_no_judge_scores_takes_no_anchor(project):
    frozen(project, question("tea") | {"rules": [{"rule": "rouge_l"}]})
    assert refusals(project, {"question": "tea", "text": "الشاي"}) == [(1, "question", "not_judged")]


def test_the_command_says_what_it_did(project, tmp_path, capsys):
    frozen(project)
    path = tmp_path / "anchors.jsonl"
    path.write_text(json.dumps({"question": "tea", "text": "الشاي"}))
    call_command("add_anchors", project.slug, str(path))
    assert "1 added, 0 there already" in capsys.readouterr().out
    path.write_text("{}")
    with pytest.raises(CommandError, match="No anchor answer was added"):
        call_command("add_anchors", project.slug, str(path))
