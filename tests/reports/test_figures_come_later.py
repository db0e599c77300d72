"""Nour opens a page whose figures take long: it is there at once, says how far they are, and then shows them."""

import sqlite3
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.core.cache.backends.dummy import DummyCache
from django.db import OperationalError
from django.utils import timezone

from annotation.models import Marking, Rating, Review
from jobs.models import Job, JobState, Worker
from jobs.verbs import cancel
from jobs.working import work_on
from projects.models import Role
from projects.problems import Invalid, Problem
from reports import warming
from reports.dashboard import cache as kept_figures
from reports.dashboard.figures import FiguresByVariety
from reports.signals import SIGNALS
from reports.spans.dashboard import SPANS
from reports.warming import FIGURES, WarmFigures
from tests.annotation.marked import mark, rater_of
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.judging.grading import graded_response
from tests.people import add_response, join, person, signed_in
from tests.reports.test_dashboard_results import SUHOOR
from tests.workflow.working import marking_stage
from workflow.models import Assignment
from workflow.progress import work_so_far

pytestmark = pytest.mark.django_db

PAGE = "/p/feasts/results/"
FILE = f"{PAGE}judge-scores.csv"
API = "/api/v1/projects/feasts/agreement/"
ASKS = {"HX-Request": "true"}
COMPUTING = "The figures are being computed"
AS_OF = "New answers came since"


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch):
    """And no project is so small that its figures are computed on the spot."""
    cache.clear()
    monkeypatch.setattr(warming, "FEW_ANSWERS", 0)
    monkeypatch.setattr("reports.views.results.FILE_SECONDS", 0)


@pytest.fixture
def lead(nour, answered):
    return signed_in(nour)


def text(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def the_job() -> Job:
    return Job.objects.get(kind=FIGURES)


def a_worker_computes() -> Job:
    job = Job.objects.get(kind=FIGURES, state=JobState.QUEUED)
    assert work_on(job.pk)
    job.refresh_from_db()
    return job


def test_the_page_is_there_at_once_and_the_figures_come_by_themselves(lead):
    page = text(lead.get(PAGE))
    assert COMPUTING in page
    assert 'class="tiles"' not in page
    assert "none has been seen" in page, "nobody waits in vain without being told"
    part = text(lead.get(PAGE, headers=ASKS))
    assert COMPUTING in part
    assert "<html" not in part
    assert the_job().state == JobState.QUEUED

    assert a_worker_computes().state == JobState.DONE

    there = text(lead.get(PAGE, headers=ASKS))
    assert "Best F1 of a judge" in there
    assert 'id="judge-scores"' in there
    assert "hx-get" not in there, "all is there: nothing is asked again"
    page = text(lead.get(PAGE))
    assert COMPUTING not in page
    assert AS_OF not in page
    assert "Best F1 of a judge" in page
    assert the_job().state == JobState.DONE, "what is kept is not computed again"


def test_how_far_the_work_is_stands_there_before_any_figure(lead, project):
    marking_stage(project)
    page = text(lead.get(PAGE))
    work = work_so_far(project)
    assert work.slots, "there is work to tell of"
    assert f"{work.done} of {work.slots} answers are in" in page
    assert page.index("answers are in") < page.index(COMPUTING)
    assert "answers are in" not in text(lead.get(PAGE, headers=ASKS)), "it is not counted anew each second"


def test_a_worker_that_lives_is_not_said_to_be_missing(lead):
    Worker.objects.create(name="here", queues=["figures"], seen_at=timezone.now())
    assert "none has been seen" not in text(lead.get(PAGE))


def test_a_page_and_a_program_that_ask_for_a_number_wait_for_the_same_job(lead, project):
    """An address has texts, a form numbers: 0.3 is one threshold."""
    asked = {"threshold": "0.3"}
    assert lead.get(PAGE, asked).status_code == 200
    assert lead.get(API, {"threshold": "0.30"}).status_code == 202
    assert the_job().attempts == 0


def test_whoever_looks_waits_for_the_same_job(lead, project):
    text(lead.get(PAGE))
    salma = person("lead2@mizan.test", "Salma")
    join(salma, project, Role.LEAD)
    assert COMPUTING in text(signed_in(salma).get(PAGE))
    assert the_job().asked_by.email != salma.email
    text(lead.get(f"{PAGE}?threshold=0.5"))
    assert Job.objects.filter(kind=FIGURES).count() == 2, "other filters are other figures"


def test_the_frame_computes_nothing_and_asks_little(lead, monkeypatch, django_assert_max_num_queries):
    def never(*_arguments):
        raise AssertionError("nothing is loaded in a request")

    monkeypatch.setattr(FiguresByVariety, "load", never)
    text(lead.get(PAGE))
    with django_assert_max_num_queries(38):
        text(lead.get(PAGE, headers=ASKS))


def test_few_answers_are_computed_on_the_spot(lead, monkeypatch):
    monkeypatch.setattr(warming, "FEW_ANSWERS", 100)
    assert "Best F1 of a judge" in text(lead.get(PAGE))
    assert not Job.objects.exists()
    rows = Marking.objects.count()
    monkeypatch.setattr(warming, "FEW_ANSWERS", rows - 1)
    cache.clear()
    assert COMPUTING in text(lead.get(PAGE))


def test_the_job_says_how_far_it_is(lead, monkeypatch):
    monkeypatch.setattr(warming, "SAY_SECONDS", 0)
    seen = []
    monkeypatch.setattr(
        "jobs.working.Held.progress", lambda held, done, total, sentence: seen.append((done, total, sentence))
    )
    text(lead.get(PAGE))
    a_worker_computes()
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1] > 5, "every part is told, the last one too"
    assert seen[-1][2] == f"{seen[-1][0]} of {seen[-1][1]} parts are computed"
    assert [done for done, _total, _words in seen] == sorted(done for done, _total, _words in seen)


def test_what_was_computed_a_moment_ago_is_shown_as_of_then_while_answers_keep_coming(lead, koshari, rafia):
    text(lead.get(PAGE))
    a_worker_computes()
    mark(koshari, rafia, SUHOOR)
    page = text(lead.get(PAGE))
    assert AS_OF in page
    assert "Best F1 of a judge" in page
    text(lead.get(PAGE))
    a_worker_computes()  # the only one: a page that is looked at often begins no second
    assert AS_OF not in text(lead.get(PAGE))


def test_figures_of_long_ago_are_not_shown_for_those_of_today(lead, koshari, rafia, monkeypatch):
    text(lead.get(PAGE))
    a_worker_computes()
    mark(koshari, rafia, SUHOOR)
    monkeypatch.setattr(warming, "RECENT", timedelta(0))
    assert COMPUTING in text(lead.get(PAGE))


def test_a_cache_that_keeps_nothing_makes_no_page_wait_for_ever(lead, monkeypatch):
    for module in (kept_figures, warming):
        monkeypatch.setattr(module, "cache", DummyCache("nowhere", {}))
    assert COMPUTING in text(lead.get(PAGE))
    a_worker_computes()
    assert "Best F1 of a judge" in text(lead.get(PAGE))
    assert the_job().state == JobState.DONE


def test_a_failure_is_said_in_words_and_tried_again_when_somebody_wants_it(lead, monkeypatch):
    def fail(dashboard, varieties):
        raise Invalid(Problem("too_large", "There are more answers than fit into memory."))

    text(lead.get(PAGE))
    with monkeypatch.context() as broken:
        broken.setattr(FiguresByVariety, "load", fail)
        a_worker_computes()
    for headers in ({}, ASKS):
        page = text(lead.get(PAGE, headers=headers))
        assert "could not be computed" in page
        assert "more answers than fit into memory" in page
        assert "hx-get" not in page.split('id="computing"')[1].split(">")[0], "it is over: nothing is asked again"
    assert the_job().state == JobState.FAILED, "looking begins nothing anew"
    assert COMPUTING in text(lead.post(PAGE, follow=True))
    a_worker_computes()
    assert "Best F1 of a judge" in text(lead.get(PAGE))


def test_trying_again_begins_nothing_where_nothing_failed(lead):
    lead.post(PAGE)
    assert not Job.objects.exists()


def test_a_job_that_is_cancelled_computes_no_further(lead, monkeypatch):
    text(lead.get(PAGE))
    load = FiguresByVariety.load

    def cancelled_meanwhile(dashboard, varieties):
        assert cancel(the_job())
        return load(dashboard, varieties)

    monkeypatch.setattr(FiguresByVariety, "load", cancelled_meanwhile)
    monkeypatch.setattr(warming, "SAY_SECONDS", 0)
    assert work_on(the_job().pk)
    assert the_job().state == JobState.CANCELLED
    monkeypatch.setattr(FiguresByVariety, "load", load)
    assert "could not be computed" in text(lead.get(PAGE))


def test_figures_are_computed_once_for_all_languages(lead):
    text(lead.get(PAGE))
    a_worker_computes()
    lead.cookies["django_language"] = "ar"
    assert 'class="tiles"' in text(lead.get(PAGE))
    assert lead.get(FILE).status_code == 200
    assert Job.objects.count() == 1


def test_a_file_of_figures_that_are_not_there_says_when_to_come_again(lead, monkeypatch):
    answer = lead.get(FILE)
    assert answer.status_code == 202
    assert answer["Retry-After"] == "2"
    assert answer["Location"] == f"/api/v1/projects/feasts/jobs/{the_job().uuid}/"
    a_worker_computes()
    assert lead.get(FILE).status_code == 200


def test_a_program_is_answered_with_the_job_and_then_with_the_figures(lead):
    answer = lead.get(API)
    assert answer.status_code == 202
    assert answer.json()["kind"] == "figures"
    assert answer["Retry-After"] == "2"
    assert answer["Location"].endswith(f"/jobs/{the_job().uuid}/")
    assert lead.get(answer["Location"]).json()["state"] == "queued"
    a_worker_computes()
    assert {table["id"] for table in lead.get(API).json()["tables"]} >= {"progress", "judge-scores"}


def test_a_program_that_waits_is_answered_with_the_figures(lead, monkeypatch):
    """The worker comes while the request waits."""
    monkeypatch.setattr(warming.time, "sleep", lambda _seconds: a_worker_computes())
    answer = lead.get(API, {"wait": 20})
    assert answer.status_code == 200
    assert answer.json()["tables"]


@pytest.mark.parametrize("wait", ["soon", "-1", "1.5", "99999"])
def test_a_time_to_wait_is_a_number_of_seconds(lead, wait):
    assert lead.get(API, {"wait": wait}).status_code == 400


def test_a_program_is_told_of_a_failure(lead, monkeypatch):
    lead.get(API)
    Job.objects.update(state=JobState.FAILED, problem="The disk is full.", ended_at=timezone.now())
    answer = lead.get(API)
    assert answer.status_code == 500
    assert answer.json()["problem"] == "The disk is full."


@pytest.mark.parametrize("address", [FILE, API])
def test_a_program_is_told_to_come_again_where_somebody_cancelled_the_job(address, lead):
    lead.get(address)
    assert cancel(the_job())
    answer = lead.get(address)
    assert answer.status_code == 503
    assert 590 <= int(answer["Retry-After"]) <= 600
    Job.objects.update(ended_at=timezone.now() - timedelta(minutes=11))
    assert lead.get(address).status_code == 202


def test_a_program_is_told_of_a_cancelled_page_before_those_that_nobody_asked_for(lead, project, monkeypatch):
    monkeypatch.setattr(warming.Asked, "has_few_answers", lambda asked: False)
    make_ratings_project(project)
    address = f"/p/{project.slug}/rating-results/raters/"
    lead.get(address)
    assert cancel(the_job())
    for place in (f"{address}raters.csv", f"/api/v1/projects/{project.slug}/agreement/"):
        assert lead.get(place).status_code == 503, place


@pytest.mark.parametrize(
    "place",
    [
        "results/",
        "rubric-results/",
        "rating-results/",
        "rating-results/raters/",
        "rating-results/pairs/",
        "judges/costs/",
        "signals/",
        "team/",
        "people/groups/quality/",
    ],
)
def test_every_page_of_figures_has_the_same_shell(place, lead, project, rafia, monkeypatch):
    monkeypatch.setattr(warming.Asked, "has_few_answers", lambda asked: False)
    graded_response(project, rater_of(rafia, project), key="graded")
    address = f"/p/feasts/{place}"
    assert COMPUTING in text(lead.get(address))
    assert COMPUTING in text(lead.get(address, headers=ASKS))
    job = a_worker_computes()
    assert job.state == JobState.DONE, job.problem
    there = lead.get(address, headers=ASKS)
    assert there.headers.get("HX-Refresh") == "true" or "hx-get" not in text(there)
    page = text(lead.get(address))
    assert COMPUTING not in page
    assert "<h1>" in page
    Job.objects.update(state=JobState.FAILED, problem="The disk is full.")
    cache.clear()
    assert "The disk is full." in text(lead.get(address))
    assert COMPUTING in text(lead.post(address, follow=True))


def test_jobs_of_yesterday_are_not_listed(lead):
    text(lead.get(PAGE))
    a_worker_computes()
    WarmFigures().sweep()
    assert Job.objects.count() == 1
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(days=2))
    WarmFigures().sweep()
    assert not Job.objects.exists()


# --- Where nothing can be written ------------------------------------------------------------------------------


def of_full_disk() -> OperationalError:
    driver = sqlite3.OperationalError("database or disk is full")
    driver.sqlite_errorcode = sqlite3.SQLITE_FULL
    problem = OperationalError(*driver.args)
    problem.__cause__ = driver
    return problem


@pytest.fixture
def full_disk(monkeypatch):
    """As the database tells of it when a job is to be stored (a real one is in tests/faults/)."""

    def refuse(*arguments, **options):
        raise of_full_disk()

    def begins():
        monkeypatch.setattr(Job, "save", refuse)

    return begins


def test_on_a_full_disk_the_figures_are_computed_for_who_looks(lead, full_disk):
    full_disk()
    assert "Best F1 of a judge" in text(lead.get(PAGE))
    assert lead.get(FILE).status_code == 200


def test_on_a_full_disk_older_figures_are_shown_as_of_then(lead, koshari, rafia, monkeypatch, full_disk):
    text(lead.get(PAGE))
    a_worker_computes()
    mark(koshari, rafia, SUHOOR)
    monkeypatch.setattr(warming, "RECENT", timedelta(0))
    full_disk()
    page = text(lead.get(PAGE))
    assert AS_OF in page
    assert "Best F1 of a judge" in page


def test_many_responses_of_which_few_are_marked_are_no_small_project(lead, koshari, monkeypatch):
    for page in (SPANS, SIGNALS):
        answers = [Marking.objects.all(), Review.objects.all(), Assignment.objects.all(), Rating.objects.all()]
        monkeypatch.setattr(warming, "FEW_ANSWERS", sum(rows.count() for rows in answers))
        for number in range(warming.FEW_ANSWERS):
            add_response(koshari.project, f"more-{page.page}-{number}", "nothing to see", "ar-EG")
        assert not warming.Asked(page, koshari.project, {}).has_few_answers()


def test_a_page_that_a_new_version_no_longer_has_leaves_the_list_of_jobs_whole(lead):
    """Its jobs are listed until they are swept: those that are over, and one that no worker of today can do."""
    text(lead.get(PAGE))
    a_worker_computes()
    Job.objects.update(options={"page": "results-of-old", "filters": {}})
    waits = Job.objects.create(kind=FIGURES, project=the_job().project, queue="figures", state=JobState.QUEUED)
    Job.objects.filter(pk=waits.pk).update(options={"page": "results-of-old", "filters": {}})
    assert "results-of-old" in text(lead.get("/p/feasts/jobs/"))
    assert lead.get("/api/v1/projects/feasts/jobs/").status_code == 200
    assert work_on(waits.pk)
    waits.refresh_from_db()
    assert (waits.state, waits.attempts) == (JobState.FAILED, 1)


@pytest.mark.parametrize(("highest", "takes_long"), [(5, False), (100, True)])
def test_grades_of_a_wide_scale_are_left_to_a_worker_however_few(nour, mona, project, monkeypatch, highest, takes_long):
    """Agreement on a scale from 1 to 100 is of 10,000 pairs of grades in each of 5,000 draws."""
    monkeypatch.setattr(warming, "FEW_ANSWERS", 4000)
    make_ratings_project(project)
    question = question_type(project, highest=highest)
    rate(pair_of(project, "one", question=question), mona, question, 1, 2)
    assert (COMPUTING in text(signed_in(nour).get("/p/feasts/rating-results/"))) is takes_long


def test_a_wide_scale_that_nobody_used_costs_nobody_a_wait(nour, mona, project, monkeypatch):
    monkeypatch.setattr(warming, "FEW_ANSWERS", 4000)
    make_ratings_project(project)
    question_type(project, "percent", highest=100)
    question = question_type(project)
    rate(pair_of(project, "one", question=question), mona, question, 1, 2)
    assert COMPUTING not in text(signed_in(nour).get("/p/feasts/rating-results/"))
