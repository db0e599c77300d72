"""Nour has answers scored by a button or by a program; a worker does what takes long."""

import pytest

from benchmark import scoring_jobs
from benchmark.models import Ruling
from benchmark.scoring import score_answers
from benchmark.scoring_jobs import SCORING, begin_scoring
from jobs.models import Job, JobState
from jobs.verbs import cancel
from jobs.working import Lost, claim, work_on
from tests.benchmark.answered import answered, configuration_of, frozen_set
from tests.benchmark.sets import question_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db

ADDRESS = "/p/feasts/question-sets/own/1/"
API = "/api/v1/projects/feasts/question-sets/own/1/score/"


@pytest.fixture
def own(project):
    own = frozen_set(project, *(question_line(f"q{n}") for n in range(12)))
    model = configuration_of(project)
    for n in range(12):
        answered(model, f"q{n}", "أ")
    return own


def test_few_answers_are_scored_while_she_waits(own, nour, mona):
    client = signed_in(nour)
    assert "Score the answers" in client.get(ADDRESS).content.decode()
    assert "Score the answers" not in signed_in(mona).get(ADDRESS).content.decode()
    page = client.post(f"{ADDRESS}score/", follow=True).content.decode()
    assert "12 answers are scored by their rules." in page
    assert Ruling.objects.count() == 12
    job = Job.objects.get(kind=SCORING)
    assert (job.state, job.asked_by) == (JobState.DONE, nour)
    page = client.get(f"/p/feasts/jobs/{job.uuid}/").content.decode()
    assert "own v1, 12 answers" in page
    assert ADDRESS in page


def test_many_are_a_worker_s_and_the_page_of_the_job_is_shown(own, nour, monkeypatch):
    monkeypatch.setattr(scoring_jobs, "FEW_ANSWERS", 5)
    answer = signed_in(nour).post(f"{ADDRESS}score/")
    job = Job.objects.get(kind=SCORING)
    assert answer["Location"] == f"/p/feasts/jobs/{job.uuid}/"
    assert begin_scoring(own) == job, "what is under way is not begun twice"
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.result["rulings"]) == (JobState.DONE, 12, 12, 12)


def test_answers_that_come_while_a_job_is_under_way_are_another_job_s(own, project):
    first = begin_scoring(own)
    answered(configuration_of(project, "Tigris-70B"), "q0", "أ")
    assert begin_scoring(own) != first


def test_a_cancelled_job_keeps_what_it_scored_and_scores_no_more(own, nour, monkeypatch):
    job = begin_scoring(own, nour)
    held = claim(job.pk)
    assert held is not None

    def cancelled_after_the_first(question_set, progress):
        def on_batch(done: int, total: int) -> None:
            cancel(job, nour)
            progress(done, total)

        return score_answers(question_set, progress=on_batch)

    monkeypatch.setattr(scoring_jobs, "score_answers", cancelled_after_the_first)
    with pytest.raises(Lost):
        scoring_jobs.Scoring().run(held)
    job.refresh_from_db()
    assert (job.state, Ruling.objects.count()) == (JobState.CANCELLED, 10)


def test_a_program_is_told_where_the_job_is(own, nour):
    answer = signed_in(nour).post(API)
    job = Job.objects.get(kind=SCORING)
    assert (answer.status_code, answer.json()["kind"]) == (202, SCORING)
    assert answer["Location"].endswith(f"/api/v1/projects/feasts/jobs/{job.uuid}/")


def test_a_draft_is_refused(project, nour):
    set_of(project, question_line())
    client = signed_in(nour)
    assert "Score the answers" not in client.get(ADDRESS).content.decode()
    assert "This version is a draft" in client.post(f"{ADDRESS}score/", follow=True).content.decode()
    answer = client.post(API)
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "not_frozen")
