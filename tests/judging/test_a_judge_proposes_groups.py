"""Nour lets a judge propose which errors are one issue. It is asked about those that touch, and nothing counts yet."""

import pytest
from django.core.management import call_command

from annotation import groups
from annotation.gold import derive
from annotation.models import ErrorGroup, GoldError, GroupProposal, Span
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.questions import open_questions
from judging.engine.shards import work_through
from judging.models import Call, CallState, RunState
from projects.models import Rater, Response
from projects.problems import Invalid
from providers.fake.answers import group_errors
from tests.annotation.marked import mark, rater_of, review
from tests.judging.proposing import (
    DISH,
    FAST,
    LONGER_DISH,
    LONGER_FAST,
    PHARAOHS,
    keep_touching_errors,
    proposer,
    run_through,
)


@pytest.fixture
def kept(koshari, mona, karim):
    return keep_touching_errors(koshari, mona, karim)


@pytest.fixture
def judge(project, provider):
    return proposer(project, provider, "groups")


def everything(project):
    return Response.objects.filter(project=project)


def words_asked_about(planned) -> set[frozenset[str]]:
    quotes = dict(Span.objects.values_list("pk", "quote"))
    return {frozenset(quotes[pk] for pk in spans) for spans in planned.about.values()}


def test_it_is_asked_about_each_set_of_errors_that_touch(project, judge, kept, boishakh):
    planned = plan(judge, everything(project))
    assert words_asked_about(planned) == {frozenset({DISH, LONGER_DISH}), frozenset({FAST, LONGER_FAST})}
    assert planned.size == 2
    assert planned.responses == 2, "Boishakh's response is covered, and has nothing to ask about"


def test_what_is_pending_rejected_grouped_or_was_proposed_is_not_asked_about(project, judge, kept, koshari, hana):
    kept[LONGER_DISH].reviews.update(verdict="reject")

    derive([koshari.pk])
    assert words_asked_about(plan(judge, everything(project))) == {frozenset({FAST, LONGER_FAST})}
    groups.propose_overlaps([koshari.pk])
    assert plan(judge, everything(project)).size == 0, "the overlap rule has proposed this pair"
    groups.confirm(GroupProposal.objects.get(), rater_of(hana, project))
    assert plan(judge, everything(project)).size == 0
    with pytest.raises(Invalid, match="overlap"):
        run_through(judge)


def test_what_is_missing_from_the_same_place_touches(project, judge, koshari, mona, karim):
    absent = {"anchor": "paragraph", "start": None, "end": None, "quote": "", "paragraph": 1}
    [one], [other] = mark(koshari, mona, FAST), mark(koshari, karim, DISH)
    for span in (one, other):
        type(span).objects.filter(pk=span.pk).update(**absent)
    review(one, karim, "keep")
    review(other, mona, "keep")

    derive([koshari.pk])
    planned = plan(judge, everything(project))
    assert list(planned.about.values()) == [(one.pk, other.pk)]


def test_its_proposals_wait_for_a_person_and_count_nowhere(project, judge, kept, koshari):
    before = list(GoldError.objects.order_by("key").values_list("key", flat=True))
    run = run_through(judge)
    assert run.state == RunState.DONE
    assert set(run.calls.values_list("state", flat=True)) == {CallState.SCORED}
    found = {frozenset(span.quote for span in each.spans.all()) for each in GroupProposal.objects.all()}
    assert found == {frozenset({DISH, LONGER_DISH}), frozenset({FAST, LONGER_FAST})}
    assert all(each.proposed_by == judge.rater and each.state == "open" for each in GroupProposal.objects.all())
    assert all(each.reason.startswith("Simulated") for each in GroupProposal.objects.all())
    assert not ErrorGroup.objects.exists()
    assert list(GoldError.objects.order_by("key").values_list("key", flat=True)) == before
    assert PHARAOHS in GoldError.objects.values_list("quote", flat=True)


def test_nothing_is_asked_twice_and_what_is_new_is(project, judge, kept, koshari, mona, karim, hana):
    run_through(judge)
    assert plan(judge, everything(project)).size == 0
    salma = Rater.objects.create(project=project, kind="human", name="Salma")
    [third] = mark(koshari, salma, "رمضان الناس بتاكل")
    for person in (mona, karim):
        review(third, person, "keep")
    for words in kept.values():
        review(words, salma, "keep")

    derive([koshari.pk])
    again = plan(judge, everything(project))
    assert words_asked_about(again) == {frozenset({FAST, LONGER_FAST, third.quote})}, "a larger set is another question"


def test_its_own_laboratorys_responses_and_errors_are_kept_from_it(project, judge, kept, koshari, mona, karim, simba):
    """Simba's laboratory is the judge's: its error would join the two about Ramadan, and is left out and counted."""
    [judged] = mark(koshari, simba, "الناس بتاكل")
    for person in (mona, karim):
        review(judged, person, "keep")

    derive([koshari.pk])
    planned = plan(judge, everything(project))
    assert frozenset({FAST, LONGER_FAST}) in words_asked_about(planned)
    assert judged.pk not in {pk for spans in planned.about.values() for pk in spans}
    assert planned.withheld == 1

    koshari.target_model.laboratory = judge.rater.laboratory
    koshari.target_model.save()
    planned = plan(judge, everything(project))
    assert (planned.size, planned.excluded_count) == (0, 1)


def test_the_guard_is_asked_again_before_each_call(project, judge, kept, simba, mona, fake_provider):
    """Between plan and call a marker turns out to be of the judge's own laboratory."""

    run = runs.create_run(judge, everything(project))
    type(kept[FAST]).objects.filter(pk=kept[FAST].pk).update(rater=simba)
    for shard in runs.start_here(run):
        work_through(shard)
    assert sorted(run.calls.values_list("state", "problem")) == [("failed", "own_laboratory"), ("scored", "")]
    assert fake_provider.counts()["served"] == 1


def test_an_error_that_is_gone_is_not_asked_about(project, judge, kept, fake_provider):

    run = runs.create_run(judge, everything(project))
    kept[LONGER_FAST].delete()
    for shard in runs.start_here(run):
        work_through(shard)
    assert sorted(run.calls.values_list("state", "problem")) == [("failed", "error_gone"), ("scored", "")]
    assert fake_provider.counts()["served"] == 1


def test_an_error_that_is_kept_no_longer_is_not_proposed(project, judge, kept, koshari, fake_provider):

    run = runs.create_run(judge, everything(project))
    kept[LONGER_FAST].reviews.update(verdict="reject")
    derive([koshari.pk])
    for shard in runs.start_here(run):
        work_through(shard)
    [proposal] = GroupProposal.objects.all()
    assert {span.quote for span in proposal.spans.all()} == {DISH, LONGER_DISH}


def test_a_question_names_the_place_of_words_that_stand_several_times(project, judge, koshari, mona, karim):
    """“في” alone would be any of several places."""

    second = koshari.text.index("الكشري", 5)
    [one], [other] = mark(koshari, mona, "الكشري"), mark(koshari, karim, "الكشري كل يوم")
    type(one).objects.filter(pk=one.pk).update(start=second, end=second + len("الكشري"))
    review(one, karim, "keep")
    review(other, mona, "keep")
    derive([koshari.pk])
    run = runs.create_run(judge, everything(project))
    [question] = open_questions(run.shards.get())
    assert [error.place for error in question.material.errors] == [
        ", whose words stand 2 times in the answer; number 2 is meant",
        "",
    ]


def test_the_command_plans_and_runs_it(judge, kept, capsys):
    call_command("run_judges", "feasts", "--judge", judge.rater.name, "--plan")
    assert "Calls to ask:     2" in capsys.readouterr().out
    call_command("run_judges", "feasts", "--judge", judge.rater.name, "--here")
    assert "Done: 2 scored" in capsys.readouterr().out
    assert GroupProposal.objects.count() == 2
    assert Call.objects.count() == 2


def test_the_simulated_judge_puts_every_remark_into_one_issue():
    issues = group_errors("0", [f"remark {n}" for n in range(9)])
    assert sorted(number for issue in issues for number in issue["errors"]) == list(range(1, 10))
