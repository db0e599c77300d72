"""Nour lets a judge propose categories for kept errors. Each is a proposal until a person has confirmed it."""

import pytest

from annotation import classification, groups
from annotation.gold import derive
from annotation.models import Classification, GoldError
from judging.engine import runs
from judging.engine.planning import plan
from judging.engine.shards import work_through
from judging.models import CallState
from projects.models import Response
from projects.problems import Invalid
from tests.annotation.marked import mark, rater_of, review
from tests.judging.proposing import (
    DISH,
    FAST,
    LONGER_DISH,
    add_categories,
    keep_touching_errors,
    proposer,
    run_through,
)


@pytest.fixture
def kept(koshari, mona, karim):
    return keep_touching_errors(koshari, mona, karim)


@pytest.fixture
def categories(project):
    return add_categories(project)


@pytest.fixture
def judge(project, provider):
    return proposer(project, provider, "categories")


def asked(project, judge) -> set[int]:
    return {int(pk) for spans in plan(judge, Response.objects.filter(project=project)).about.values() for pk in spans}


def test_it_is_asked_about_every_kept_error_without_a_category(project, judge, kept, categories, hana, koshari):
    assert asked(project, judge) == {span.pk for span in kept.values()}
    classification.classify(kept[FAST], rater_of(hana, project), categories[0])
    kept[DISH].reviews.update(verdict="reject")
    derive([koshari.pk])
    assert asked(project, judge) == {span.pk for words, span in kept.items() if words not in (FAST, DISH)}


def test_errors_that_are_one_are_asked_about_once(project, judge, kept, categories, hana):
    groups.group([kept[DISH], kept[LONGER_DISH]], rater_of(hana, project))
    assert len(asked(project, judge)) == 4
    run_through(judge)
    assert asked(project, judge) == set()


def test_its_categories_are_proposals(project, judge, kept, categories):
    run = run_through(judge)
    assert set(run.calls.values_list("state", flat=True)) == {CallState.SCORED}
    found = Classification.objects.filter(rater=judge.rater)
    assert {row.span_id for row in found} == {span.pk for span in kept.values()}
    assert all(row.category in categories and row.reason.startswith("Simulated") for row in found)
    assert not GoldError.objects.filter(category__isnull=False).exists()
    with pytest.raises(Invalid):
        run_through(judge)


def test_a_project_without_categories_is_told_so(judge, kept):
    with pytest.raises(Invalid, match="no categories"):
        run_through(judge)


def test_errors_of_its_own_laboratory_are_left_out_and_counted(
    project, judge, kept, categories, koshari, simba, mona, karim
):
    [judged] = mark(koshari, simba, "العدس")
    for person in (mona, karim):
        review(judged, person, "keep")
    derive([koshari.pk])
    planned = plan(judge, Response.objects.filter(project=project))
    assert judged.pk not in {pk for spans in planned.about.values() for pk in spans}
    assert planned.withheld == 1
    assert planned.size == 5


def test_a_category_that_people_gave_meanwhile_stands(project, judge, kept, categories, hana):
    """The judge answers late: what people decided in between is not touched."""
    run = runs.create_run(judge, Response.objects.filter(project=project))
    classification.classify(kept[FAST], rater_of(hana, project), categories[1])
    for shard in runs.start_here(run):
        work_through(shard)
    assert GoldError.objects.get(key=kept[FAST].key).category == categories[1]
    assert kept[FAST].pk not in classification.proposed(project).values_list("pk", flat=True)


def test_a_person_does_not_propose(project, kept, categories, hana):
    with pytest.raises(ValueError, match="judges propose"):
        classification.propose(rater_of(hana, project), {kept[FAST].pk: (categories[0], "")})


def test_a_response_is_asked_again_where_its_call_failed(project, judge, kept, categories, fake_provider):
    fake_provider.tell(faults=["badrequest"])
    run = run_through(judge)
    assert runs.counts(run)[CallState.FAILED] == 1
    assert Classification.objects.count() == 4
    assert runs.retry_failed(run)
    for shard in run.shards.values_list("pk", flat=True):
        work_through(shard)
    assert Classification.objects.count() == 5
