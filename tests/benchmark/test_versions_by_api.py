"""A program goes on from a frozen version: it has options shuffled, baselines added, and the next version begun."""

import json

import pytest

from benchmark.errata import accept, report
from benchmark.models import Answer, QuestionSet
from jobs.models import Job
from jobs.working import work_on
from tests.benchmark.answered import frozen_set
from tests.benchmark.sets import open_line, question_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db

API = "/api/v1/projects/feasts/"
SET = f"{API}question-sets/own/"


def post(user, address, **said):
    return signed_in(user).post(address, json.dumps(said), content_type="application/json")


def codes(answer) -> list[str]:
    assert answer.status_code == 422, answer.content
    return [problem["code"] for problem in answer.json()["problems"]]


def worked(user, answer) -> dict:
    """The job that was accepted, as a program reads it at its address once a worker is through."""
    assert answer.status_code == 202, answer.content
    work_on(Job.objects.get(uuid=answer.json()["uuid"]).pk)
    return signed_in(user).get(answer["Location"]).json()


@pytest.fixture
def own(project) -> QuestionSet:
    return frozen_set(project, question_line(), open_line(rules=[{"rule": "rouge_l"}]))


def test_the_next_version_is_begun_and_named(own, nour, mona):
    assert post(mona, f"{SET}1/next-version/").status_code == 404
    job = worked(nour, post(nour, f"{SET}1/next-version/"))
    assert (job["result"]["question_set"], job["result"]["version"], job["result"]["retired"]) == ("own", 2, [])
    draft = QuestionSet.objects.get(version=2)
    assert (draft.is_frozen, draft.questions.count()) == (False, 2)
    assert codes(post(nour, f"{SET}1/next-version/")) == ["superseded"]
    assert codes(post(nour, f"{SET}2/next-version/")) == ["not_frozen"]
    assert post(nour, f"{SET}3/next-version/").status_code == 404


def test_accepted_errata_go_into_it_and_into_the_draft_that_is_there(own, nour):
    def drop(key):
        erratum = report(own.questions.get(key=key), nour, fault="other", words="x")
        accept(erratum, nour, decision="drop")

    drop("tea")
    assert post(nour, f"{SET}1/next-version/", errata="perhaps").status_code == 400
    job = worked(nour, post(nour, f"{SET}1/next-version/", errata="take_in_and_freeze"))
    assert (job["result"]["version"], job["result"]["changed"]) == (2, 1)
    second = QuestionSet.objects.get(version=2)
    assert second.is_frozen
    assert list(second.questions.values_list("key", flat=True)) == ["capital"]
    worked(nour, post(nour, f"{SET}2/next-version/"))
    drop("capital")
    job = worked(nour, post(nour, f"{SET}3/next-version/", errata="take_in"))
    assert (job["result"]["version"], QuestionSet.objects.get(version=3).questions.count()) == (3, 0)
    nothing = worked(nour, post(nour, f"{SET}3/next-version/", errata="take_in"))
    assert nothing["state"] == "failed"
    assert "No accepted erratum" in nothing["problem"]


def test_what_is_asked_for_twice_is_one_job_and_something_else_another(own, nour):
    first, again = (post(nour, f"{SET}1/next-version/").json()["uuid"] for _time in range(2))
    with_errata = post(nour, f"{SET}1/next-version/", errata="take_in").json()["uuid"]
    assert first == again
    assert with_errata != first, "errata are not forgotten for a version that is under way without them"


def test_options_are_shuffled_once_by_a_seed(own, nour, mona):
    assert post(mona, f"{SET}1/shuffle/", seed=7).status_code == 404
    assert post(nour, f"{SET}1/shuffle/").status_code == 400
    assert post(nour, f"{SET}1/shuffle/", seed=2**31).status_code == 400
    job = worked(nour, post(nour, f"{SET}1/shuffle/", seed=7))
    made = QuestionSet.objects.get(slug=job["result"]["question_set"], version=job["result"]["version"])
    assert (made.is_frozen, made.shuffle.original, made.shuffle.seed) == (True, own, 7)
    assert job["result"]["questions"] == 1, "the other question has no options"
    assert codes(post(nour, f"{SET}1/shuffle/", seed=7)) == ["seed_used"]


def test_baselines_answer_and_are_scored(project, nour, mona):
    set_of(project, question_line())
    assert post(mona, f"{API}baselines/").status_code == 404
    assert codes(post(nour, f"{API}baselines/")) == ["no_frozen_set"]
    QuestionSet.objects.all().delete()
    own = frozen_set(project, question_line())
    added = post(nour, f"{API}baselines/").json()
    assert sum(added["answers"].values()) == 5, "one question with options, which each of five has an answer to"
    [job] = added["jobs"]
    work_on(Job.objects.get(uuid=job["uuid"]).pk)
    assert Answer.objects.filter(rulings__isnull=False).distinct().count() == 5
    assert Job.objects.get(uuid=job["uuid"]).options["question_set"] == own.pk
    assert sum(post(nour, f"{API}baselines/").json()["answers"].values()) == 0, "all is answered"
