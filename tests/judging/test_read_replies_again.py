"""The reading of replies improves. What judges said stays; what was read from it is read anew, and nobody is asked."""

import json

import pytest
from django.core.management import call_command

from annotation.models import (
    Classification,
    GroupProposal,
    Marking,
    QuestionnaireAnswer,
    Rating,
    Refinement,
    Review,
    Span,
)
from benchmark.models import RuleScore
from judging.engine import parsing, rereading, runs, storing
from judging.engine.parsing import VERSION
from judging.engine.rereading import older_calls, plan_rereading, reread
from judging.kinds.spans import searching
from judging.models import ANSWERED, CallState, Judge, Run, RunState
from projects.models import AuditEvent, TargetModel
from projects.problems import Invalid, Problem
from providers.client.openai_compatible import Connections
from providers.models import Provider
from rubrics.models import Grade, GradeRole
from tests.annotation.marked import rater_of
from tests.judging.every_kind import KINDS, answered_run, judge_of, word_of, work_for_every_kind
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def gateway(db, monkeypatch) -> Provider:
    """A provider that nobody may call."""

    def refuse(self, request, **how):
        raise AssertionError("nobody is asked")

    monkeypatch.setattr(Connections, "ask", refuse)
    return Provider.objects.create(name="gateway", base_url="http://127.0.0.1:9/v1")


@pytest.fixture
def work(project, koshari, mona, karim):
    return work_for_every_kind(project, koshari, mona, karim)


class OlderReading:
    """What reads within it is an older reading: it mends nothing, and finds quotes letter by letter alone."""

    def __enter__(self):
        def absent(text, quote):
            raise Invalid(Problem("quote_absent", "absent", "quote"))

        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(parsing, "mend", lambda piece: None)
        self.patch.setattr(searching, "locate_normalised", absent)
        self.patch.setattr(storing, "VERSION", VERSION - 1)
        self.patch.setattr(rereading, "VERSION", VERSION - 1)

    def __exit__(self, *error):
        self.patch.undo()


def with_trailing_comma(good: str) -> str:
    return good[:-1] + ",}"


def counted(run: Run) -> dict[str, int]:
    return {state: n for state, n in runs.counts(run).items() if n}


def answers_of(judge: Judge) -> list:
    """What counts of the judge's answers, in one form for every kind."""
    found: list[tuple] = [
        ("marking", *row)
        for row in Marking.objects.filter(rater=judge.rater).values_list("response", "is_complete", "no_errors")
    ]
    found += [("span", *row) for row in Span.objects.filter(rater=judge.rater).values_list("response", "quote")]
    found += [
        ("verdict", *row)
        for row in Grade.objects.filter(rater=judge.rater, role=GradeRole.JUDGE).values_list(
            "response", "verdicts__criterion", "verdicts__value"
        )
    ]
    found += [
        ("rating", *row)
        for row in Rating.objects.filter(rater=judge.rater).values_list(
            "pair", "response", "is_swapped", "first_grade", "second_grade", "preference", "is_unparseable"
        )
    ]
    proposals = GroupProposal.objects.filter(proposed_by=judge.rater)
    found += [("group", *sorted(proposal.spans.values_list("pk", flat=True))) for proposal in proposals]
    refined = Refinement.objects.filter(rater=judge.rater).values_list("span", "start", "end", "explanation")
    found += [("refined", *row) for row in refined]
    chosen = Classification.objects.filter(rater=judge.rater).values_list("span", "category__slug")
    found += [("category", *row) for row in chosen]
    scores = RuleScore.objects.filter(rater=judge.rater).values_list("answer", "target_sha256", "value")
    found += [("score", *row) for row in scores]
    filled_in = QuestionnaireAnswer.objects.filter(rater=judge.rater)
    found += [("filled in", *row) for row in filled_in.values_list("stage", "response", "pair", "prompt", "answers")]
    if judge.kind in ("sentences", "same_issue"):  # nothing is made of their answers
        answered = judge.calls.filter(state__in=ANSWERED)
        found += [("call", *row[:2], str(row[2])) for row in answered.values_list("response", "unit", "parsed")]
    return sorted(found, key=str)


# An edited text is made once for all judges of a prompt (tests/judging/test_edit_responses.py): no twin makes another.
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "editing"])
def test_what_an_older_reading_could_not_read_counts_now_as_if_it_had_been_read_at_once(
    kind, project, gateway, work, monkeypatch
):
    # Of a questionnaire the order of responses is drawn for each judge; here one order serves both.
    monkeypatch.setattr("judging.kinds.questionnaire.shown._drawn", lambda _stage, _judge, _prompt, sides: (*sides,))
    judge = judge_of(kind, project, gateway)
    with OlderReading():
        run = answered_run(judge, with_trailing_comma)
    before = counted(run)
    assert set(before) == {"malformed"}
    raw = list(run.calls.order_by("pk").values_list("raw_output", "nonce", "ended_at"))

    planned = plan_rereading(run)
    assert dict(planned.changes) == {("malformed", "repaired"): before["malformed"]}
    assert counted(run) == before, "a plan writes nothing"
    found = reread(run)

    assert found == planned
    assert counted(run) == {"repaired": before["malformed"]}
    assert list(run.calls.order_by("pk").values_list("raw_output", "nonce", "ended_at")) == raw
    now = answers_of(judge)
    assert now
    # The same replies, read by this reading from the start: another round, the same answers.
    twin = judge_of(kind, project, gateway, name="twin")
    if kind in ("groups", "categories"):
        GroupProposal.objects.all().delete()
    answered_run(twin, with_trailing_comma)
    assert answers_of(twin) == now
    assert not older_calls(run).exists()
    assert plan_rereading(run).read == 0


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_stricter_reading_no_longer_reads_counts_no_more(kind, project, gateway, work, monkeypatch):
    """The next version mends nothing: answers that had been mended are taken back."""
    judge = judge_of(kind, project, gateway)
    run = answered_run(judge, with_trailing_comma)
    calls = run.calls.count()
    monkeypatch.setattr(parsing, "mend", lambda piece: None)
    monkeypatch.setattr(rereading, "VERSION", VERSION + 1)
    found = reread(run)
    assert dict(found.changes) == {("repaired", "malformed"): calls}
    assert set(run.calls.values_list("parser", flat=True)) == {VERSION + 1}
    left = answers_of(judge)
    if kind == "spans":
        assert {(sort, complete) for sort, _response, complete, _none in left} == {("marking", False)}
    elif kind in ("pointwise", "pairwise"):
        assert all(row[-1] for row in left), "an unreadable verdict is stored as one"
        assert len(left) == calls
    else:
        assert left == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_as_before_is_left_alone(kind, project, gateway, work):
    judge = judge_of(kind, project, gateway)
    with OlderReading():
        run = answered_run(judge)
    before = answers_of(judge)
    ids = list(Marking.objects.order_by("pk").values_list("pk", flat=True))
    found = reread(run)
    assert (found.same, found.changed, found.held) == (run.calls.count(), 0, 0)
    assert answers_of(judge) == before
    assert list(Marking.objects.order_by("pk").values_list("pk", flat=True)) == ids
    assert set(run.calls.values_list("parser", flat=True)) == {VERSION}


def in_other_characters(good: str) -> str:
    """Quotes with a direction mark that the text does not have, which a model may add."""
    answer = json.loads(good)
    for error in answer["errors"]:
        error["quote"] = f"\u200f{error['quote']}"
    return json.dumps(answer, ensure_ascii=False)


@pytest.fixture
def unlocated(project, gateway, koshari) -> Run:
    """Every error that the judge found was without a place when its replies were read."""
    with OlderReading():
        return answered_run(judge_of("spans", project, gateway, granularity="response"), in_other_characters)


def test_quotes_that_had_no_place_find_one(unlocated, koshari):
    assert counted(unlocated) == {"unlocatable": 1}
    marking = Marking.objects.get(rater=unlocated.judge.rater)
    assert not marking.spans.exists()
    found = reread(unlocated)
    assert dict(found.changes) == {("unlocatable", "scored"): 1}
    [span] = Span.objects.filter(rater=unlocated.judge.rater)
    assert koshari.text[span.start : span.end] == span.quote == word_of(koshari.text)
    assert span.metadata == {"located": "normalised"}
    now = Marking.objects.get(rater=unlocated.judge.rater).metadata
    assert (now["unlocatable"], now["normalised"], now["run"]) == (0, 1, str(unlocated.uuid))


# --- What people have done with it --------------------------------------------------------------------


def test_an_answer_that_people_have_reviewed_stays_and_is_counted(project, gateway, koshari, boishakh, mona):
    judge = judge_of("spans", project, gateway, granularity="response")

    def one_found_and_one_not(good: str) -> str:
        answer = json.loads(good)
        [error] = answer["errors"]
        answer["errors"].append({**error, "quote": f"\u200f{error['quote']}", "type": "linguistic"})
        return json.dumps(answer, ensure_ascii=False)

    with OlderReading():
        run = answered_run(judge, one_found_and_one_not)
    [reviewed] = Span.objects.filter(rater=judge.rater, response=koshari)
    Review.objects.create(span=reviewed, rater=rater_of(mona, project), verdict="keep")

    assert plan_rereading(run).held == 1
    found = reread(run)

    assert (found.held, found.changed) == (1, 1)
    assert Review.objects.filter(span=reviewed).exists()
    assert run.calls.get(response=koshari).state == CallState.UNLOCATABLE
    assert Span.objects.filter(rater=judge.rater, response=boishakh).count() == 2
    assert run.calls.get(response=boishakh).state == CallState.SCORED
    # what stays remains what an older reading made of it, and says so
    assert run.calls.get(response=koshari).parser == VERSION - 1


@pytest.mark.parametrize(
    ("kind", "decided"), [("groups", GroupProposal), ("categories", Classification), ("refinement", Refinement)]
)
def test_a_proposal_that_was_decided_stays(kind, decided, project, gateway, work, mona, monkeypatch):
    judge = judge_of(kind, project, gateway)
    run = answered_run(judge, with_trailing_comma)
    calls = run.calls.count()
    mine = rater_of(mona, project)
    if kind == "groups":
        first = GroupProposal.objects.filter(proposed_by=judge.rater).first()
        GroupProposal.objects.filter(pk=first.pk).update(state=GroupProposal.State.DISMISSED, decided_by=mine)
    else:
        first = decided.objects.filter(rater=judge.rater).first()
        decided.objects.filter(pk=first.pk).update(refused_by=mine)
    monkeypatch.setattr(parsing, "mend", lambda piece: None)
    monkeypatch.setattr(rereading, "VERSION", VERSION + 1)
    found = reread(run)
    assert (found.held, found.changed) == (1, calls - 1)
    assert list(decided.objects.filter(**{"proposed_by" if kind == "groups" else "rater": judge.rater})) == [first]


# --- What cannot be read again ------------------------------------------------------------------------


def test_a_reply_whose_number_was_not_kept_says_so(unlocated):
    unlocated.calls.update(nonce="")
    found = reread(unlocated)
    assert dict(found.cannot) == {"no_number": 1}
    assert found.cannot_in_words[0][0].startswith("The number that the answer had to carry")
    assert counted(unlocated) == {"unlocatable": 1}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"raw_output": "x" * 200_000}, "kept_in_part"),
        ({"problem": "unstorable_characters", "state": "malformed", "parsed": None}, "kept_otherwise"),
    ],
)
def test_a_reply_that_was_not_kept_as_it_came_is_not_read_again(changes, reason, unlocated):
    unlocated.calls.update(**changes)
    before = list(unlocated.calls.values())
    assert dict(reread(unlocated).cannot) == {reason: 1}
    assert list(unlocated.calls.values()) == before


def test_an_answer_about_what_is_gone_is_not_read_again(project, gateway, work):
    judge = judge_of("groups", project, gateway)
    with OlderReading():
        run = answered_run(judge, with_trailing_comma)
    Span.objects.filter(pk=run.calls.first().about[0]).delete()
    found = reread(run)
    assert (found.cannot["gone"], found.changed) == (1, run.calls.count() - 1)


def test_what_turned_out_to_be_of_its_own_laboratory_is_not_read_again(unlocated):
    TargetModel.objects.update(laboratory=unlocated.judge.rater.laboratory)
    assert dict(reread(unlocated).cannot) == {"own_laboratory": 1}
    assert counted(unlocated) == {"unlocatable": 1}


def test_refusals_tool_calls_and_other_models_stay_what_they_are(project, gateway, koshari):
    """Beside a good text as well: what the reply said beside it is kept, and read with it."""
    signs = [
        ({"refusal": "I must decline."}, "refused"),
        ({"has_tool_call": True}, "malformed"),
        ({"finish_reason": "length"}, "truncated"),
        ({"finish_reason": "content_filter"}, "refused"),
        ({"model": "gpt-4o"}, "failed"),
    ]
    for number, (fields, state) in enumerate(signs):
        judge = judge_of("spans", project, gateway, name=f"judge {number}", granularity="response")
        with OlderReading():
            run = answered_run(judge, **fields)
        found = reread(run)
        assert (found.same, found.changed) == (1, 0)
        assert counted(run) == {state: 1}


def test_failures_without_a_reply_are_not_looked_at(project, gateway, koshari):
    with OlderReading():
        run = answered_run(judge_of("spans", project, gateway, granularity="response"), failure="timeout")
    found = reread(run)
    assert (found.read, sum(found.cannot.values())) == (0, 0)
    assert run.calls.get().state == "failed"


def test_a_run_that_goes_on_is_not_read_again(unlocated):
    Run.objects.update(state=RunState.RUNNING)
    unlocated.refresh_from_db()
    with pytest.raises(Invalid) as refused:
        reread(unlocated)
    assert refused.value.problems[0].code == "run_goes_on"


def test_a_judge_whose_laboratory_nobody_knows_any_more_is_said_so(unlocated):
    Judge.objects.update(model="our-own-model")
    with pytest.raises(Invalid, match="map_model"):
        plan_rereading(unlocated)


# --- Who asks for it ----------------------------------------------------------------------------------


def test_nour_sees_what_would_change_and_lets_it_be_read(unlocated, nour, project):
    lead = signed_in(nour)
    page = f"/p/{project.slug}/judges/runs/{unlocated.uuid}/"
    assert "1 reply was read by an older version" in lead.get(page).content.decode()
    shown = lead.get(f"{page}read-again/").content.decode()
    assert "Quote not found" in shown
    assert "Read 1 reply again" in shown
    answer = lead.post(f"{page}read-again/", follow=True).content.decode()
    assert "1 reply was read again; 1 changed. Nobody was asked." in answer
    assert "older version" not in answer
    assert "quoted in other characters" in lead.get(f"{page}calls/").content.decode()
    event = AuditEvent.objects.get(action="run.read_again")
    assert event.actor == nour
    assert event.detail["changes"] == [["unlocatable", "scored", 1]]
    assert "as it would be read today" in lead.get(f"{page}read-again/").content.decode()


def test_a_program_plans_it_and_does_it(unlocated, nour, project):
    lead = signed_in(nour)
    address = f"/api/v1/projects/{project.slug}/runs/{unlocated.uuid}/read-again/"
    told = {
        "same": 0,
        "changed": 1,
        "held": 0,
        "changes": [{"before": "unlocatable", "after": "scored", "calls": 1}],
        "cannot": {},
    }
    assert lead.get(address).json() == told
    assert counted(unlocated) == {"unlocatable": 1}
    assert lead.post(address).json() == told
    assert counted(unlocated) == {"scored": 1}
    Run.objects.update(state=RunState.RUNNING)
    assert lead.post(address).status_code == 422


def test_the_command_plans_it_and_does_it(unlocated, project, capsys):
    call_command("reread_calls", project.slug, "--plan", judge=unlocated.judge.rater.name)
    said = capsys.readouterr().out
    assert "Nothing is written" in said
    assert "Quote not found -> Scored: 1" in said
    assert counted(unlocated) == {"unlocatable": 1}
    call_command("reread_calls", project.slug)
    done = capsys.readouterr()
    assert "Change:            1" in done.out
    assert f"100 %, {unlocated.judge}" in done.err
    assert counted(unlocated) == {"scored": 1}
    call_command("reread_calls", project.slug)
    assert "version" in capsys.readouterr().out
    call_command("reread_calls", project.slug, "--all", "--plan")
    assert "Say the same:      1" in capsys.readouterr().out


def test_the_statements_do_not_grow_with_the_calls(project, gateway, feasts, django_assert_max_num_queries):
    judge = judge_of("spans", project, gateway, granularity="response")
    with OlderReading():
        run = answered_run(judge, in_other_characters)
    assert run.calls.count() == 12
    with django_assert_max_num_queries(40):
        reread(run)
    assert counted(run) == {"scored": 12}
