"""Nour watches a page fill itself: each group of findings stands as soon as its figures are computed."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from jobs.models import Job, JobState
from jobs.verbs import cancel
from jobs.working import work_on
from projects.problems import Invalid, Problem
from reports import warming
from reports.dashboard.figures import FiguresByVariety
from reports.spans.dashboard import SPANS
from reports.spans.measures import judging, validation
from tests.annotation.marked import mark
from tests.people import signed_in
from tests.reports.test_dashboard_results import SUHOOR

pytestmark = pytest.mark.django_db

PAGE = "/p/feasts/results/"
ASKS = {"HX-Request": "true"}
FIRST, LATER = 'id="errors-per-response"', 'id="judge-scores"'
AS_OF = "New answers came since"


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch):
    cache.clear()
    monkeypatch.setattr(warming, "FEW_ANSWERS", 0)
    monkeypatch.setattr(warming, "SAY_SECONDS", 0)


@pytest.fixture
def lead(nour, answered):
    return signed_in(nour)


def text(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def compute() -> Job:
    job = Job.objects.get(kind=warming.FIGURES, state=JobState.QUEUED)
    assert work_on(job.pk)
    job.refresh_from_db()
    return job


@pytest.fixture
def meanwhile(monkeypatch):
    """Acts once while the figures of judges are computed: those of the groups before them are finished by then."""

    def set_up(act):
        figures, acted = judging.figures, []

        def interrupted(*arguments, **options):
            if not acted:
                acted.append(True)
                act()
            return figures(*arguments, **options)

        monkeypatch.setattr(judging, "figures", interrupted)

    return set_up


def polled(page: str) -> dict[str, str]:
    """What the page sends when it asks again."""
    values = re.search(r"hx-vals='\{\"state\": \"([^\"]*)\", \"there\": \"([^\"]*)\"\}'", page)
    assert values, "it asks again by itself"
    return {"state": values[1].encode().decode("unicode_escape"), "there": values[2]}


def test_a_group_has_its_place_at_once_and_its_cards_as_soon_as_they_are_computed(lead, meanwhile):
    page = text(lead.get(PAGE))
    for title in ("Errors that people and judges mark", "Which errors are kept", "Judges and the final set of errors"):
        assert title in page
    assert FIRST not in page
    assert page.count("being computed</span>") == len(SPANS.groups) + 1  # and how far the work is
    seen = {}

    def look():
        seen["page"] = text(lead.get(PAGE))
        seen["fresh"] = text(lead.get(PAGE, polled(page), headers=ASKS))
        seen["nothing new"] = text(lead.get(PAGE, polled(seen["fresh"]), headers=ASKS))
        seen["finding"] = text(lead.get(f"{PAGE}errors-per-response/"))
        seen["later"] = text(lead.get(f"{PAGE}judge-scores/"))

    meanwhile(look)
    assert compute().state == JobState.DONE
    for name in ("page", "fresh"):
        assert FIRST in seen[name]
        assert LATER not in seen[name]
        assert AS_OF not in seen[name], "they are in the state of the answers of now"
        assert "hx-get" in seen[name]
    assert polled(seen["fresh"])["there"] == "before,marking,kinds,soft-labels,validation,blindness"
    assert "finding-group" not in seen["nothing new"], "what the browser has is not sent again"
    assert "<table" in seen["finding"]
    assert "The figures are being computed" in seen["later"]
    there = text(lead.get(PAGE, polled(seen["fresh"]), headers=ASKS))
    assert LATER in there
    assert FIRST not in there
    assert "All figures are there." in there
    assert 'class="tiles"' in there


def test_figures_of_another_state_take_the_place_of_all_that_are_shown(lead, meanwhile):
    page = text(lead.get(PAGE))
    seen = {}
    meanwhile(lambda: seen.update(page=text(lead.get(PAGE, polled(page), headers=ASKS))))
    compute()
    there = text(lead.get(PAGE, {**polled(seen["page"]), "state": "another"}, headers=ASKS))
    assert FIRST in there
    assert LATER in there


def test_answers_that_come_while_it_computes_are_said_to_be_newer(lead, meanwhile, koshari, rafia):
    text(lead.get(PAGE))
    seen = {}

    def look():
        mark(koshari, rafia, SUHOOR)
        seen["page"] = text(lead.get(PAGE))
        seen["finding"] = text(lead.get(f"{PAGE}errors-per-response/"))

    meanwhile(look)
    compute()
    for shown in seen.values():
        assert AS_OF in shown


def test_a_failure_stands_in_the_place_of_what_is_missing_and_is_tried_again(lead, meanwhile, monkeypatch):
    def fail():
        raise Invalid(Problem("too_large", "There are more answers than fit into memory."))

    page = text(lead.get(PAGE))
    with monkeypatch.context():
        meanwhile(fail)
        assert compute().state == JobState.FAILED
    for shown in (text(lead.get(PAGE)), text(lead.get(PAGE, polled(page), headers=ASKS))):
        assert "more answers than fit into memory" in shown
        assert "What was computed before stays below" in shown
        assert FIRST in shown
        assert LATER not in shown
        assert "not computed</span>" in shown
        assert "hx-get" not in shown
        assert "Try again" in shown
    loaded = []
    load = FiguresByVariety.load
    monkeypatch.setattr(FiguresByVariety, "load", lambda *given: loaded.append(given) or load(*given))
    text(lead.post(PAGE, follow=True))
    assert compute().state == JobState.DONE
    assert LATER in text(lead.get(PAGE))


@pytest.mark.parametrize("part", ["statistics", "figures", "tables"])
def test_a_measure_that_breaks_takes_no_other_group_with_it(part, lead, monkeypatch, caplog):
    """Answers that a measure was not made for: its group is missing and is said to be, those before and after stand."""

    def break_off(*given, **options):
        raise ZeroDivisionError("an answer that nobody thought of")

    text(lead.get(PAGE))
    with monkeypatch.context() as broken:
        broken.setattr(validation, part, break_off)
        for _attempt in range(warming.WarmFigures.most_attempts):
            Job.objects.filter(kind=warming.FIGURES).update(due_at=timezone.now())
            job = compute()
        assert job.state == JobState.FAILED
        page = text(lead.get(PAGE))
    assert "an answer that nobody thought of" in caplog.text
    assert "The figures could not be computed" in page
    assert FIRST in page
    assert LATER in page
    assert 'id="retained"' not in page
    assert page.count("not computed</span>") == 1
    assert "<table" in text(lead.get(f"{PAGE}judge-scores/"))
    text(lead.post(PAGE, follow=True))
    compute()
    assert 'id="retained"' in text(lead.get(PAGE))


@pytest.mark.parametrize("part", ["statistics", "figures", "tables"])
def test_a_measure_that_breaks_while_a_page_of_few_answers_is_read(part, lead, monkeypatch):
    """No job computes so few; the page says what is missing as it does after a job, and shows all else."""

    def break_off(*given, **options):
        raise KeyError("an answer that nobody thought of")

    monkeypatch.setattr(warming, "FEW_ANSWERS", 4000)
    monkeypatch.setattr(validation, part, break_off)
    page = text(lead.get(PAGE))
    assert "The figures could not be computed" in page
    assert 'role="alert"' in page
    assert FIRST in page
    assert LATER in page
    assert page.count("not computed</span>") == 1
    assert "<table" in text(lead.get(f"{PAGE}judge-scores/"))
    assert lead.get(f"{PAGE}retained/").url == PAGE
    assert not Job.objects.exists()


def test_a_cancelled_job_shows_what_was_computed_and_can_be_tried_again(lead, meanwhile):
    text(lead.get(PAGE))
    meanwhile(lambda: cancel(Job.objects.get(kind=warming.FIGURES)))
    assert compute().state == JobState.CANCELLED
    page = text(lead.get(PAGE))
    assert FIRST in page
    assert LATER not in page
    assert "Try again" in page
    text(lead.post(PAGE, follow=True))
    assert compute().state == JobState.DONE
    assert LATER in text(lead.get(PAGE))


def test_without_a_script_a_link_shows_what_is_there_now(lead):
    page = text(lead.get(f"{PAGE}?variety=ar-EG"))
    link = re.search(r'<noscript>.*?href="([^"]+)".*?Show what is there now', page)
    assert link
    assert link[1] == f"{PAGE}?variety=ar-EG"


def test_kept_figures_are_shown_without_asking_again(lead):
    text(lead.get(PAGE))
    compute()
    page = text(lead.get(PAGE))
    assert "hx-get" not in page
    assert LATER in page
    Job.objects.update(ended_at=timezone.now() - timedelta(days=1))
    assert LATER in text(lead.get(PAGE))
    assert Job.objects.count() == 1
