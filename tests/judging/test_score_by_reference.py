"""Nour lets a judge score answers of a benchmark: by the judged rules alone, and only where nothing else decides."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agreement.answers.question import question_score
from benchmark.freezing import freeze
from benchmark.models import Question, RuleScore, Ruling
from benchmark.scoring import score_answers
from judging.engine import runs
from judging.engine.planning import Plan, plan
from judging.engine.shards import work_through
from judging.models import Call, CallState
from projects.models import Response
from projects.problems import Invalid
from tests.judging.grading import ask, respond
from tests.judging.scoring import (
    BOTH,
    FILM,
    FILMS,
    answered,
    configuration,
    frozen,
    given_by,
    question,
    right_or_wrong,
    run_through,
    scoring_judge,
)

pytestmark = pytest.mark.django_db
#: Of the five words of TEA these are two: 4 points to the simulated judge.
TWO_WORDS = "مشروب دافئ في الصباح والمساء عند أهل المدينة كلهم"


@pytest.fixture
def judge(project, provider):
    return scoring_judge(project, provider)


def planned(judge, round: int = 1) -> Plan:
    return plan(judge, Response.objects.filter(project=judge.project), round)


def states(run) -> dict[str, int]:
    return {state: n for state, n in runs.counts(run).items() if n}


def shown(fake_provider) -> list[str]:
    return [asked["body"]["messages"][1]["content"] for asked in fake_provider.asked()]


def test_a_score_stands_under_what_it_depends_on_with_its_reason(project, judge):
    question_set = frozen(project)
    [answer] = answered(configuration(project), {"tea": TWO_WORDS})
    run = run_through(judge)

    assert states(run) == {"scored": 1}
    score = RuleScore.objects.get(rater=judge.rater)
    use = question_set.questions.get().rule_uses.get()
    assert (score.answer, score.target_sha256, score.round, score.value) == (answer, use.target_sha256, 1, 4.0)
    assert score.detail["reason"].startswith("Simulated")
    assert score.metadata["run"] == str(run.uuid)
    assert score.metadata["prompt"].startswith("reference v1 ")


def test_a_call_for_every_judged_rule_and_none_for_a_computed_one(project, judge):
    rules = [{"rule": "judge_generation"}, {"rule": "judge_dialect"}, {"rule": "rouge_l"}]
    frozen(project, question("tea") | {"rules": rules})
    answered(configuration(project), {"tea": TWO_WORDS})
    assert planned(judge).size == 2
    run_through(judge)
    assert RuleScore.objects.filter(rater=judge.rater).count() == 2
    assert Call.objects.values("unit").distinct().count() == 2


def test_a_list_of_possible_answers_scores_3_at_most_with_a_judge_that_gives_10_to_everything(
    project, judge, fake_provider
):
    """Figure 7 of the paper, where the judge gave 10."""
    fake_provider.tell(leaning={"simulated-1": {"lenient": 10}})
    frozen(project, question("film", output=FILM))
    [answer] = answered(configuration(project), {"film": FILMS})
    run_through(judge)
    ruling = Ruling.objects.get(answer=answer)
    [given] = RuleScore.objects.filter(answer=answer, rater=judge.rater).values_list("value", flat=True)
    assert given == 10
    score = question_score({"judge_generation": given}, limit=ruling.limit, limited_by=ruling.limited_by)
    assert (score.value, score.fixed_by) == (3.0, "alternatives")


def test_both_options_score_0_and_no_judge_is_asked(project, judge, fake_provider):
    """Figure 8 of the paper, where the judge gave 10."""
    fake_provider.tell(leaning={"simulated-1": {"lenient": 10}})
    own = frozen(project, right_or_wrong())
    [answer] = answered(configuration(project), {"sum": BOTH})
    assert planned(judge).size == 0
    score_answers(own)
    assert RuleScore.objects.get(answer=answer, is_as_published=False).value == 0
    with pytest.raises(Invalid, match="No answer waits"):
        run_through(judge)
    assert fake_provider.counts()["served"] == 0


@pytest.mark.parametrize("text", ["أ", "صح", "الإجابة الصحيحة هي أ لأن مجموع الزوايا قائمتان.", "Answer: B"])
def test_a_choice_that_can_be_read_is_read(text, project, judge):
    frozen(project, right_or_wrong())
    answered(configuration(project), {"sum": text})
    assert planned(judge).size == 0


def test_where_no_choice_can_be_read_the_judge_says_0_or_10(project, judge, fake_provider):
    fake_provider.tell(record=True)
    frozen(project, right_or_wrong())
    answered(configuration(project), {"sum": "نعم، فكل مثلث تساوي زواياه قائمتين كما أثبت إقليدس قديمًا"})
    run_through(judge)
    assert list(given_by(judge).values()) == [0.0]
    [asked] = fake_provider.asked()
    schema = asked["body"]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["ticket", "reason", "score"]
    assert schema["properties"]["score"]["enum"] == [0, 10]


def test_what_a_fixed_rule_decides_is_not_asked(project, judge):
    own = frozen(project, question("tea"), question("milk"), question("water"))
    row = configuration(project)
    answered(
        row, {"tea": "Tea is a warm drink that people like, in the morning and in the evening, all over the world."}
    )
    answered(row, {"milk": "I cannot help with that."}, is_refusal=True)
    answered(row, {"water": ""})
    assert planned(judge).size == 0
    score_answers(own)
    assert set(Ruling.objects.values_list("fixed_by", flat=True)) == {"language", "refused", "empty"}
    assert planned(judge).size == 0


def test_a_response_that_is_no_answer_of_a_benchmark_is_counted_and_not_asked_about(project, judge):
    frozen(project)
    answered(configuration(project), {"tea": TWO_WORDS})
    respond(ask(project, "koshari"))
    found = planned(judge)
    assert (found.size, found.not_ready, found.responses) == (1, 1, 2)


def test_an_answer_to_a_draft_waits_for_the_freeze(project, judge):
    question_set = frozen(project)
    answered(configuration(project), {"tea": TWO_WORDS})
    later = question_set.new_version()
    Question.objects.filter(question_set=later).update(reference="القهوة مشروب مرّ.")
    run_through(judge)
    assert planned(judge).size == 0
    freeze(later)
    assert planned(judge).size == 1, "what it is scored by has changed"


def test_a_later_version_has_the_scores_of_what_did_not_change(project, judge):
    question_set = frozen(project, question("tea"), question("milk", output="الحليب أبيض."))
    answered(configuration(project), {"tea": TWO_WORDS, "milk": "الحليب أبيض طازج من المزرعة القريبة."})
    run_through(judge)
    later = question_set.new_version()
    later.questions.filter(key="milk").update(reference="الحليب أبيض اللون.")
    freeze(later)
    run = run_through(judge)
    assert list(run.calls.values_list("response__prompt__key", flat=True)) == [
        later.questions.get(key="milk").prompt.key
    ]


def test_nothing_is_asked_twice_but_in_another_round(project, judge):
    frozen(project)
    answered(configuration(project), {"tea": TWO_WORDS})
    run_through(judge)
    found = planned(judge)
    assert (found.size, found.already_called) == (0, 1)
    with pytest.raises(Invalid):
        run_through(judge)
    run_through(judge, round=2)
    assert {round for _prompt, round in given_by(judge)} == {1, 2}


def test_another_wording_asks_nothing_anew(project, judge, provider):
    """What the judge has scored in the round stays scored, whatever it would be asked by now."""
    frozen(project)
    answered(configuration(project), {"tea": TWO_WORDS})
    run_through(judge)
    judge.instruction_language = "ar"
    judge.save()
    assert planned(judge).size == 0


def test_answers_of_its_own_laboratory_are_never_asked_about(project, judge):
    frozen(project)
    [answer] = answered(configuration(project), {"tea": TWO_WORDS})
    answered(configuration(project, "Simba", "simulated"), {"tea": TWO_WORDS})
    found = planned(judge)
    assert [response for response, _unit in found.calls] == [answer.response_id]
    assert found.excluded == {"Simba": 1}


@pytest.mark.parametrize(
    "fault", ["refuse", "filter", "truncate", "cut", "malformed", "astray", "echo", "null", "toolcall"]
)
def test_without_a_readable_score_there_is_none(fault, project, provider):
    frozen(project)
    answered(configuration(project), {"tea": TWO_WORDS})
    judge = scoring_judge(project, provider, f"simulated-1:{fault}")
    [state] = states(run_through(judge))
    assert state in {"refused", "truncated", "malformed"}
    assert not RuleScore.objects.filter(rater=judge.rater).exists()


def test_what_failed_is_asked_again(project, judge, fake_provider):
    frozen(project)
    answered(configuration(project), {"tea": TWO_WORDS})
    fake_provider.tell(faults=["badrequest"])
    run = run_through(judge)
    assert states(run) == {"failed": 1}
    assert runs.retry_failed(run)
    for shard in run.shards.values_list("pk", flat=True):
        work_through(shard)
    assert states(run) == {"scored": 1}
    assert list(given_by(judge).values()) == [4.0]


def test_a_question_that_is_gone_is_not_asked_about(project, judge, fake_provider):
    frozen(project)
    [answer] = answered(configuration(project), {"tea": TWO_WORDS})
    run = runs.create_run(judge, Response.objects.filter(project=project))
    answer.delete()
    for shard in runs.start_here(run):
        work_through(shard)
    call = Call.objects.get()
    assert (call.state, call.problem) == (CallState.FAILED, "question_gone")
    assert fake_provider.counts()["served"] == 0


def test_thinking_is_not_shown(project, judge, fake_provider):
    fake_provider.tell(record=True)
    frozen(project, question("tea"), question("milk", output="الحليب أبيض."))
    row = configuration(project, tags=[["[THINK]", "[/THINK]"]])
    answered(row, {"tea": f"<think>سرّ أول</think>{TWO_WORDS}", "milk": f"[THINK]سرّ ثان[/THINK]\n{TWO_WORDS}"})
    run_through(judge)
    assert ["<<<answer" in text and TWO_WORDS in text and "سرّ" not in text for text in shown(fake_provider)] == [
        True
    ] * 2


def test_options_and_passage_are_said_once(project, judge, fake_provider):
    """What the prompt holds is not repeated; a list of options without the labels that the reference names is."""
    fake_provider.tell(record=True)
    options = [{"label": "أ", "text": "صح"}, {"label": "ب", "text": "خطأ"}]
    line = question(
        "sum", "judge_choice", "أ", format="mcq", instruction="المثلث ثلاث زوايا: صح أم خطأ؟", options=options
    )
    frozen(project, line | {"input": "المثلث شكل."})
    answered(configuration(project), {"sum": "المثلث شكل هندسي معروف عند الناس منذ القدم في كل البلاد"})
    run_through(judge)
    [text] = shown(fake_provider)
    assert text.count("المثلث شكل.") == 1
    assert "<<<passage " not in text
    ticket = Call.objects.get().nonce
    assert f"<<<options {ticket}>>>\nأ. صح\nب. خطأ\n<<<end of options {ticket}>>>" in text


def test_the_language_that_is_expected_is_named(project, judge, fake_provider):
    fake_provider.tell(record=True)
    frozen(project, question("tea", language="ar-EG"), question("any", language=..., variety="ar-EG"))
    row = configuration(project)
    answered(row, {"tea": TWO_WORDS, "any": TWO_WORDS})
    run_through(judge)
    told = " ".join(json.dumps(asked["body"]["messages"][0], ensure_ascii=False) for asked in fake_provider.asked())
    # Not "Egyptian Arabic", nor of "ar" "Modern Standard Arabic": which dialect is wanted says the reference.
    assert "is expected: Arabic." in told
    assert "is expected: any language" in told


def test_storing_costs_the_same_number_of_statements_for_many(project, judge):
    frozen(project, *(question(f"tea-{n}") for n in range(41)))
    row = configuration(project)
    answered(row, {"tea-0": TWO_WORDS})
    alone = statements(judge)
    answered(row, {f"tea-{n}": TWO_WORDS for n in range(1, 41)})
    assert statements(judge) <= alone + 3 * 25  # in batches as they come, each of some 25 statements
    assert len(given_by(judge)) == 41


def statements(judge) -> int:
    run = runs.create_run(judge, Response.objects.filter(project=judge.project))
    [shard] = runs.start_here(run)
    with CaptureQueriesContext(connection) as asked:
        work_through(shard)
    return len(asked)


def test_planning_costs_the_same_number_of_statements_for_many(project, judge, django_assert_max_num_queries):
    own = frozen(project, *(question(f"tea-{n}") for n in range(30)))
    answered(configuration(project), {f"tea-{n}": TWO_WORDS for n in range(30)})
    assert planned(judge).size == 30
    score_answers(own)
    with django_assert_max_num_queries(15):
        assert planned(judge).size == 30
