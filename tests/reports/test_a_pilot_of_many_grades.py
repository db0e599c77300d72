"""Nour plans from a pilot of many grades: the page is there at once, and a worker reads the pilot."""

import pytest
from django.core.cache import cache

from jobs.models import Job, JobState
from jobs.working import work_on
from reports import warming
from reports.warming import FIGURES
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db

PAGE = "/p/feasts/plan/?source=question-formality&width=4"
COMPUTING = "The figures are being computed"


@pytest.fixture
def lead(project, nour, mona, karim, monkeypatch):
    """Two people's grades of three responses, and no pilot is so small that it is read on the spot."""
    cache.clear()
    monkeypatch.setattr(warming, "FEW_ANSWERS", 0)
    question = question_type(make_ratings_project(project))
    for number, grades in enumerate([(1, 3), (3, 4), (5, 5)]):
        response = add_response(project, f"meal-{number}", "كشري", "ar-EG")
        for person, grade in zip((mona, karim), grades, strict=True):
            rate(response, person, question, grade)
    return signed_in(nour)


def text(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def a_worker_reads() -> None:
    assert work_on(Job.objects.get(kind=FIGURES, state=JobState.QUEUED).pk)


def test_the_page_says_that_the_pilot_is_read_and_then_shows_the_plan(lead, mona):
    page = text(lead.get(PAGE))
    assert COMPUTING in page
    assert "Plan a study" in page
    a_worker_reads()
    assert lead.get(PAGE, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    page = text(lead.get(PAGE))
    assert COMPUTING not in page
    assert "6 grades of 3 responses to 3 prompts" in page
    assert "6 grades" in text(lead.get(PAGE.replace("width=4", "width=3"))), "another width reads nothing anew"
    assert Job.objects.filter(kind=FIGURES).count() == 1


def test_a_new_answer_is_read_by_the_next_and_the_plan_of_before_says_of_when_it_is(lead, project, mona):
    lead.get(PAGE)
    a_worker_reads()
    question = project.question_types.get()
    rate(add_response(project, "late", "كشري", "ar-EG"), mona, question, 2)
    page = text(lead.get(PAGE))
    assert "6 grades" in page
    assert "New answers came since" in page
    a_worker_reads()
    assert "7 grades" in text(lead.get(PAGE))


def test_assumptions_and_the_empty_form_wait_for_nobody(lead):
    empty = text(lead.get("/p/feasts/plan/"))
    assert "What you want to know" in empty
    given = "source=assumptions&width=1&spread_prompts=1&spread_raters=0&spread_residual=0"
    assert "Designs" in text(lead.get(f"/p/feasts/plan/?{given}"))
    assert not Job.objects.filter(kind=FIGURES).exists()


def test_what_failed_is_tried_again(lead, monkeypatch):
    lead.get(PAGE)
    job = Job.objects.get(kind=FIGURES)
    Job.objects.filter(pk=job.pk).update(state=JobState.CANCELLED, ended_at=job.created_at)
    assert "could not be computed" in text(lead.get(PAGE))
    assert lead.post(PAGE).status_code == 302
    a_worker_reads()
    assert "6 grades" in text(lead.get(PAGE))
