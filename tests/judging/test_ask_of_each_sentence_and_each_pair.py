"""Nour has a model say of each sentence whether it is erroneous, and another which overlap is the same issue."""

import json

import pandas
import pytest

from annotation.gold import derive
from annotation.models import Classification, GoldError, GroupProposal, Marking, Span
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.questions import open_questions
from judging.engine.replaying import replay
from judging.kinds.sentences.kind import bounds
from judging.models import Call, CallState, Purpose
from projects.models import Rater
from providers.client.replies import Reply
from reports.frames import same_issues, sentences
from reports.spans.dashboard import SPANS
from tests.judging.every_kind import judge_of
from tests.judging.proposing import (
    DISH,
    FAST,
    LONGER_DISH,
    LONGER_FAST,
    add_categories,
    keep_touching_errors,
    marked_by_a_judge,
    run_through,
)
from tests.people import add_response
from tests.reports.reading import figure, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(koshari, mona, karim):
    return keep_touching_errors(koshari, mona, karim)


def answers(judge, say):
    """A run of the judge in which each question is answered as `say` has it of the material and the unit."""
    run = runs.create_run(judge, judge.project.responses.all())

    def answer(question, ticket):
        said = {"ticket": ticket, "reason": "Because.", **say(question.material, question.unit)}
        return Reply(text=json.dumps(said, ensure_ascii=False), model=judge.model, finish_reason="stop")

    replay(run, answer)
    return run


# --- Sentences -------------------------------------------------------------------------------------------


def test_every_sentence_is_asked_about_in_its_response_and_nobody_is_asked_afterwards(
    project, provider, fake_provider, koshari, kept
):
    """The text has two sentences, in Arabic script, one on each line."""
    fake_provider.tell(record=True)
    markings = Marking.objects.count()
    run = run_through(judge_of("sentences", project, provider))
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    shown = [parsed["words"] for parsed in run.calls.order_by("unit").values_list("parsed", flat=True)]
    assert shown == [koshari.text[start:end] for start, end in bounds(koshari.text)]
    assert len(shown) == 2
    for request in fake_provider.asked():
        assert koshari.text in request["body"]["messages"][1]["content"]
    assert run.purpose == Purpose.GOLD
    assert Marking.objects.count() == markings
    assert not run.judge.runs.exclude(pk=run.pk).exists()
    assert plan(run.judge, project.responses.all()).size == 0, "nothing is asked twice"


def test_figures_of_sentences_worked_out(project, provider, koshari, kept):
    """Both sentences hold an error that was kept; the judge calls the first erroneous."""
    answers(judge_of("sentences", project, provider), lambda _shown, unit: {"sentence": ["ERROR", "NO_ERROR"][unit]})
    row = table(project, "sentence-verdicts").rows[0]
    assert [one.value for one in row.figures] == pytest.approx([0.5, 1.0, 0.5, 2 / 3, 1.0])
    counts = ("true_positive", "false_positive", "false_negative", "true_negative")
    assert [row.figures[0].detail[name] for name in counts] == [1, 0, 1, 0]


def test_a_response_of_which_a_sentence_has_no_answer_counts_beside(project, provider, koshari, kept):
    judge = judge_of("sentences", project, provider)
    answers(judge, lambda _shown, unit: {"sentence": "ERROR" if unit else "PERHAPS"})
    assert sorted(judge.calls.values_list("state", flat=True)) == ["malformed", "scored"]
    row = table(project, "sentence-verdicts").rows[0]
    assert row.figures[0].undefined == "no items"
    assert (row.figures[4].value, row.figures[4].detail["planned"]) == (0.0, 1)


def test_with_categories_one_is_named_for_an_erroneous_sentence_and_recall_is_told_by_category(
    project, provider, koshari, mona, karim, kept
):
    thin, thick = add_categories(project)
    for quote, category in ((DISH, thin), (FAST, thick)):
        Classification.objects.create(span=kept[quote], rater=Rater.objects.get(user=mona), category=category)
    derive([koshari.pk])
    judge = judge_of("sentences", project, provider, with_taxonomy=True)
    said = [{"sentence": "ERROR", "category": thin.slug}, {"sentence": "NO_ERROR", "category": None}]
    run = answers(judge, lambda _shown, unit: said[unit])
    assert list(run.calls.order_by("unit").values_list("parsed__category", flat=True)) == [thin.slug, ""]
    found = table(project, "sentence-verdict-recall")
    assert figure(found, judge.rater.name, thin.name, measure="recall of sentences").value == 1.0
    assert figure(found, judge.rater.name, thick.name, measure="recall of sentences").value == 0.0


def test_a_later_round_takes_the_place_of_the_first(project, provider, koshari, kept):
    judge = judge_of("sentences", project, provider)
    answers(judge, lambda _shown, _unit: {"sentence": "NO_ERROR"})
    run = runs.create_run(judge, project.responses.all(), round=2)
    replay(run, lambda _question, ticket: _said(judge, ticket, sentence="ERROR"))
    row = table(project, "sentence-verdicts").rows[0]
    assert row.figures[0].value == 1.0


def test_every_verdict_leaves_as_a_row_with_its_place_also_where_there_is_no_answer(project, provider, koshari, kept):
    response = add_response(project, "tricky", "One 🥘 dish.\nTwo dishes.", "ar-EG")
    judge = judge_of("sentences", project, provider)
    answers(judge, lambda shown, unit: {"sentence": "PERHAPS" if "🥘" in shown.response and unit else "ERROR"})
    found = sentences(project)
    assert len(found) == sentences.count(project) == 4
    of_emoji = found[found.response_key == response.key]
    assert [response.text[start:end] for start, end in zip(of_emoji.start, of_emoji.end, strict=True)] == list(
        of_emoji.quote
    )
    assert (of_emoji.end_utf16 - of_emoji.end).tolist() == [1, 1]
    assert of_emoji.is_error.tolist() == [True, pandas.NA]
    assert of_emoji.state.tolist() == ["scored", "malformed"]
    assert of_emoji.is_counted.tolist() == [True, False]
    assert set(found.reason.dropna()) == {"Because."}


def test_of_rounds_the_row_of_the_latest_counts_and_what_was_cancelled_is_none(project, provider, koshari, kept):
    judge = judge_of("sentences", project, provider)
    answers(judge, lambda _shown, _unit: {"sentence": "NO_ERROR"})
    second = runs.create_run(judge, project.responses.all(), round=2)
    replay(second, lambda _question, ticket: _said(judge, ticket, sentence="ERROR"))
    third = runs.create_run(judge, project.responses.all(), round=3)
    third.calls.update(state=CallState.CANCELLED)
    found = sentences(project)
    assert found["round"].tolist() == [1, 1, 2, 2]
    assert found.is_counted.tolist() == [False, False, True, True]
    assert found[found.is_counted].is_error.all()


def _said(judge, ticket, **said) -> Reply:
    text = json.dumps({"ticket": ticket, "reason": "Because.", **said})
    return Reply(text=text, model=judge.model, finish_reason="stop")


def test_odd_texts_are_cut_as_the_figures_cut_them(project, provider):
    for key, text in (("emoji", "👨‍👩‍👧‍👦! Is it? 3.14 yes"), ("blank", " \n\n"), ("arabic", "هل هذا؟ نعم.\u200f لا۔")):
        add_response(project, key, text, "ar-EG")
    judge = judge_of("sentences", project, provider)
    planned = plan(judge, project.responses.all())
    per_text = {response.key: len(bounds(response.text)) for response in project.responses.all()}
    assert per_text == {"emoji": 3, "blank": 0, "arabic": 2}, "a full stop before a direction mark ends none"
    assert planned.size == 5


# --- Pairs ------------------------------------------------------------------------------------------------


def same_where_it_fasts(shown, _unit):
    is_same = all("رمضان" in error.words for error in shown.errors)
    return {"same_issue": "SAME" if is_same else "DIFFERENT"}


def test_pairs_that_share_a_character_are_asked_about_and_the_gold_is_not_named(project, provider, koshari, kept):
    """Ibis's words about the fast meet Mona's and Karim's; its words about the dish meet Karim's alone."""
    marked_by_a_judge(koshari, LONGER_FAST, "شعبية بتتعمل")
    judge = judge_of("same_issue", project, provider)
    run = runs.create_run(judge, project.responses.all())
    [shard] = run.shards.all()
    questions = list(open_questions(shard))
    pairs = sorted(sorted(error.words for error in question.material.errors) for question in questions)
    assert pairs == sorted([[FAST, LONGER_FAST], [LONGER_FAST, LONGER_FAST], sorted(["شعبية بتتعمل", LONGER_DISH])])
    assert all("gold" not in str(question.material) for question in questions)


def test_figures_of_the_threshold_worked_out(project, provider, koshari, kept):
    """Overlaps of 3 / 4 and 1 are one issue, that of 1 / 3 is not: the lowest threshold that says so is 0.35."""
    marked_by_a_judge(koshari, LONGER_FAST, "شعبية بتتعمل")
    judge = judge_of("same_issue", project, provider)
    answers(judge, same_where_it_fasts)
    found = table(project, "same-issue-thresholds")

    def at(threshold: str) -> list[float | None]:
        return [one.value for row in found.rows if row.labels[1] == threshold for one in row.figures]

    assert at("0.15") == pytest.approx([2 / 3, 1.0, 0.8])
    assert at("0.35") == at("0.70") == pytest.approx([1.0, 1.0, 1.0])
    assert at("0.75") == pytest.approx([1.0, 0.5, 2 / 3])
    assert len(found.rows) == 21
    best = table(project, "same-issue-best-threshold")
    assert [one.value for one in best.rows[0].figures] == [0.35, 1.0]
    assert best.rows[0].labels == (judge.rater.name, "Ibis")
    assert "0.35" in best.summary
    assert best.rows[0].figures[0].n == 3


def test_every_verdict_on_a_pair_leaves_as_a_row_with_both_errors(project, provider, koshari, kept):
    marked_by_a_judge(koshari, LONGER_FAST, "شعبية بتتعمل")
    judge = judge_of("same_issue", project, provider)
    answers(judge, same_where_it_fasts)
    second = runs.create_run(judge, project.responses.all(), round=2)
    replay(second, lambda _question, ticket: _said(judge, ticket, same_issue="PERHAPS"))
    found = same_issues(project)
    assert len(found) == same_issues.count(project) == 6
    assert found["round"].tolist().count(2) == 3
    first = found[found["round"] == 1]
    assert sorted(zip(first.gold_quote, first.marked_quote, first.is_same, strict=True)) == sorted(
        [(FAST, LONGER_FAST, True), (LONGER_FAST, LONGER_FAST, True), (LONGER_DISH, "شعبية بتتعمل", False)]
    )
    assert set(first.marked_by) == {"Ibis"}
    assert set(first.span_key) <= set(Span.objects.filter(response=koshari).values_list("key", flat=True))
    assert set(first.gold_key) <= set(GoldError.objects.filter(response=koshari).values_list("key", flat=True))
    assert set(first.reason) == {"Because."}
    assert first.is_counted.all(), "a later round without an answer takes no answer's place"
    unread = found[found["round"] == 2]
    assert set(unread.state) == {"malformed"}
    assert not unread.is_counted.any()
    assert unread.is_same.isna().all()


def test_of_a_pair_whose_error_went_the_row_stays_and_counts_no_more(project, provider, koshari, kept):
    marked_by_a_judge(koshari, LONGER_FAST)
    answers(judge_of("same_issue", project, provider), same_where_it_fasts)
    GoldError.objects.filter(quote=FAST).delete()
    found = same_issues(project)
    gone = found[found.gold_key.isna()]
    assert (len(found), len(gone), found.is_counted.sum()) == (2, 1, 1)
    assert gone.gold_quote.tolist() == [FAST]
    assert gone.is_counted.tolist() == [False]


def test_an_error_that_changes_is_another_pair_and_the_old_answer_counts_no_more(
    project, provider, koshari, mona, kept
):
    marked_by_a_judge(koshari, LONGER_FAST)
    judge = judge_of("same_issue", project, provider)
    answers(judge, same_where_it_fasts)
    assert table(project, "same-issue-best-threshold").rows[0].figures[0].n == 2
    GoldError.objects.filter(quote=FAST).delete()
    assert table(project, "same-issue-best-threshold").rows[0].figures[0].n == 1
    derive([koshari.pk])
    planned = plan(judge, project.responses.all())
    assert planned.size == 1


def test_a_call_about_an_error_that_has_gone_is_not_sent(project, provider, fake_provider, koshari, kept):
    marked_by_a_judge(koshari, LONGER_FAST)
    judge = judge_of("same_issue", project, provider)
    run = runs.create_run(judge, project.responses.all())
    GoldError.objects.filter(quote=FAST).delete()
    replay(run, lambda question, ticket: _said(judge, ticket, same_issue="SAME"))
    gone = [question for shard in run.shards.all() for question in open_questions(shard)]
    assert not gone
    assert Call.objects.filter(run=run).count() == 2


def test_the_judges_own_laboratory_is_left_out_on_both_sides(project, provider, koshari, kept):
    """Ibis's laboratory asks: what Ibis marked is withheld; and so is gold that a judge of its own found."""
    marked_by_a_judge(koshari, LONGER_FAST)
    judge = judge_of("same_issue", project, provider)
    own = judge.rater.laboratory
    everywhere = plan(judge, project.responses.all())
    assert (everywhere.size, everywhere.withheld) == (2, 0)
    GoldError.objects.filter(quote=FAST).update(
        provenance={"spans": [{"model": judge.model, "laboratory": own.slug, "kind": "judge"}]}
    )
    assert (plan(judge, project.responses.all()).size, plan(judge, project.responses.all()).withheld) == (1, 1)
    Rater.objects.filter(name="Ibis").update(model=judge.model, laboratory=own)
    planned = plan(judge, project.responses.all())
    assert (planned.size, planned.withheld) == (0, 2)


def test_what_a_judge_says_of_pairs_proposes_nothing(project, provider, koshari, kept):
    marked_by_a_judge(koshari, LONGER_FAST)
    answers(judge_of("same_issue", project, provider), same_where_it_fasts)
    assert not GroupProposal.objects.exists()
    assert not Classification.objects.exists()


def test_a_project_without_such_judges_shows_no_such_tables(project, koshari, kept):
    shown = {one.id for one in SPANS.tables(project)}
    assert shown
    assert not {name for name in shown if name.startswith(("same-issue", "sentence-verdict"))}


def test_an_answer_that_comes_is_seen_and_so_is_one_that_is_read_anew(project, provider, koshari, kept):
    """Figures are kept; a new answer, or another reading of an old one, makes them anew."""
    marked_by_a_judge(koshari, LONGER_FAST)
    judge = judge_of("same_issue", project, provider)
    run = answers(judge, same_where_it_fasts)
    assert table(project, "same-issue-thresholds").rows[0].figures[0].value == 1.0
    call = run.calls.first()
    Call.objects.filter(pk=call.pk).update(parsed={**call.parsed, "is_same": False}, parser=call.parser + 1)
    assert table(project, "same-issue-thresholds").rows[0].figures[0].value == 0.5
