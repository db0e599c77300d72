"""Layla tries her prompt on the project's model from the authoring screen: read once, marked, kept nowhere."""

import pytest
from django.core.cache import cache

from judging.models import DifficultyModel
from rubrics.models import DifficultyCheck
from tests.frontend.settling import until
from tests.people import join, person
from tests.rubrics.in_the_browser import SAVED, at_work, ready  # noqa: F401
from tests.rubrics.writing import authoring_stage, begun_by
from workflow.models import Draft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PROMPT = "يعني إيه المثل ده؟"


@pytest.fixture(autouse=True)
def no_tries_yet():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def screen(at_work, project, provider):  # noqa: F811
    """Her page with the prompt written, in a project that names a model."""
    DifficultyModel.objects.create(project=project, provider=provider, model="simulated-1")
    layla = join(person("layla@example.org", "Layla Fathy"), project, "author", varieties=("ar-EG",))
    page = ready(at_work(layla, f"/tasks/{begun_by(layla, authoring_stage(project)).uuid}/"))
    page.get_by_label("Prompt", exact=True).fill(PROMPT)
    return page


def test_the_answer_is_read_once_and_marked(screen, fake_provider):
    fake_provider.tell(latency_ms=300)
    screen.get_by_role("button", name="Try it on simulated-1").click()
    answer = screen.locator(".difficulty__answer")
    answer.wait_for()
    words = answer.inner_text()
    assert words.startswith("Simulated answer")
    assert (answer.get_attribute("lang"), answer.get_attribute("dir")) == ("ar-EG", "rtl")
    screen.get_by_role("button", name="Answered in part").click()
    screen.locator(".difficulty__state .notice--good").wait_for()
    check = DifficultyCheck.objects.get()
    assert (check.model, check.by_hand, check.outcome) == ("simulated-1", False, "partial")
    screen.wait_for_selector(SAVED)
    assert words not in str(Draft.objects.get().body)
    screen.reload()
    ready(screen)
    screen.locator(".difficulty__state .notice--good").wait_for()
    assert words not in screen.content()


def test_a_model_that_does_not_answer_costs_nothing_but_the_wait(screen, fake_provider):
    fake_provider.tell(faults=["badrequest"])
    screen.get_by_role("button", name="Try it on simulated-1").click()
    screen.get_by_text("The prompt can be tried again.").wait_for()
    assert not DifficultyCheck.objects.exists()
    screen.get_by_role("button", name="Try it on simulated-1").wait_for()


def test_what_was_said_of_the_prompt_meanwhile_does_not_hold_up_another_try(screen, fake_provider):
    """The rubric is checked while the model is asked, and the server then tells of a try that it takes back after."""
    fake_provider.tell(latency_ms=3000, faults=["badrequest"])
    screen.get_by_role("button", name="Try it on simulated-1").click()
    until(screen, DifficultyCheck.objects.exists)
    with screen.expect_response(lambda answer: "Each to his own" in (answer.request.post_data or "")) as told:
        screen.get_by_role("textbox", name="Gold answer").fill("Each to his own.")
    assert told.value.url.endswith("/lint")
    assert told.value.json()["difficulty"]["outcome"] == ""
    screen.get_by_text("The prompt can be tried again.").wait_for()
    screen.get_by_role("button", name="Try it on simulated-1").wait_for()
