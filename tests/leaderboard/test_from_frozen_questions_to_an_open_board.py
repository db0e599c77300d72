"""From a frozen set to a board and its second version in the browser: two models are asked over real HTTP, rules and a
judge score them, a fault is reported and repaired.

The simulated models answer each question "Simulated answer ..." in English, both alike. So `opening` (the judge finds
both words of the reference) and `phrase` (one word is in the answer once) are worth 10, `names` with its wrong
reference 0, and the four questions that expect Arabic 0: 20 / 7 = 2.86. With the reference repaired `names` is worth 10
by rule, without another call: 30 / 7 = 4.29. At the end the board is open, and an outsider submits to it.
"""

import threading

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, expect

from benchmark.submissions.months import month_after, month_of
from jobs.models import Job
from jobs.working import work_on
from providers.endpoints import simulated_gateway
from tests.judging.conftest import fake_provider, fake_provider_process, provider
from tests.leaderboard.test_the_whole_way_in_the_browser import NAME, RIGHT, lines, open_set
from tests.on_the_pages import arrive, begin_project, broker, bundle, import_here, sign_in, work_through_all
from tests.people import person

__all__ = ["arrive", "broker", "bundle", "fake_provider", "fake_provider_process", "provider"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def layla(db):
    return person("layla@example.org", "Layla Outsider")


MODELS = {"simulated-1": "Nile 7B", "simulated-2": "Delta 9B"}


def test_from_frozen_questions_to_an_open_board(arrive, nour, ada, layla, provider, fake_provider, broker):
    simulated_gateway()
    lead = arrive("/accounts/login/")
    sign_in(lead, nour.email)
    bring_and_freeze(lead)
    for model, name in MODELS.items():
        add_model(lead, model, name)
        collect(lead, name)
    score_by_rules(lead)
    run_a_judge(lead)
    read_the_board(lead, "2.86")
    report_from_an_answer(lead)
    repair(lead)
    read_the_board(lead, "4.29")
    compare_versions(lead)
    open_the_board(lead)
    outsider = verified(arrive, ada, layla)
    submit_twice(outsider)
    read_signed_out(arrive)


# --- The questions --------------------------------------------------------------------------------------


def bring_and_freeze(page: Page) -> None:
    begin_project(page, NAME, "bench", "Benchmark")
    page.get_by_role("link", name="Question sets", exact=True).first.click()
    page.get_by_role("link", name="Import questions").first.click()
    import_here(page, "questions.jsonl", lines())
    open_set(page)
    freeze(page)


def freeze(page: Page) -> None:
    page.get_by_label("I know that a frozen set can no longer be changed").check()
    page.get_by_role("button", name="Freeze the set").click()
    page.get_by_text("Frozen: nobody can change it.").wait_for()


# --- The models -----------------------------------------------------------------------------------------


def add_model(page: Page, model: str, name: str) -> None:
    page.goto("/p/bench/models/")
    page.get_by_role("link", name="Add a model card").first.click()
    page.get_by_label("Name of the model").fill(name)
    page.locator("[name=laboratory]").fill("Simulated")
    page.get_by_label("By API only").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Add a configuration").first.click()
    page.get_by_label("Name on the board").fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Say where it is asked").click()
    page.get_by_label("Provider", exact=True).select_option(label="simulated")
    page.get_by_label("Model", exact=True).fill(model)
    page.get_by_text("Laboratory: Simulated").wait_for()
    page.get_by_role("button", name="Add", exact=True).click()


def collect(page: Page, name: str) -> None:
    page.get_by_role("heading", name=name).wait_for()
    page.get_by_role("button", name="Ask 7 prompts").click()
    watched(page)


def watched(page: Page) -> None:
    """Until the page says by itself that all was asked, while a worker asks beside the web server."""
    page.locator("#progress").wait_for()
    worker = threading.Thread(target=work_through_all)
    worker.start()
    page.get_by_role("heading", name="Done").wait_for()
    worker.join()


# --- What answers are worth -----------------------------------------------------------------------------


def score_by_rules(page: Page) -> None:
    open_set(page)
    page.get_by_role("button", name="Score the answers").click()
    work_off()


def work_off() -> None:
    for job in Job.objects.filter(state="queued"):
        work_on(job.pk)


def run_a_judge(page: Page) -> None:
    page.get_by_role("link", name="Judges", exact=True).click()
    page.get_by_role("link", name="Add a judge").first.click()
    page.locator("[name=kind][value=reference]").check()
    page.get_by_label("Provider", exact=True).select_option(label="simulated-gateway")
    page.get_by_label("Model", exact=True).fill("gpt-4o")
    page.get_by_text("Laboratory: OpenAI").wait_for()
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Ask 2 questions").click()
    watched(page)


# --- The board ------------------------------------------------------------------------------------------


def read_the_board(page: Page, score: str) -> None:
    """In Arabic on a phone."""
    use(page, "ar", 360)
    page.goto("/p/bench/leaderboard/")
    for name in MODELS.values():
        expect(page.get_by_role("row").filter(has_text=name).first).to_contain_text(score)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("link", name="Nile 7B").first.click()
    expect(page.get_by_text(RIGHT).first).to_be_visible()
    assert [found["id"] for found in Axe().run(page).response["violations"]] == []
    use(page, "en", 1280)


def use(page: Page, language: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    address = page.evaluate("location.origin")
    page.context.add_cookies([{"name": "django_language", "value": language, "url": address}])


# --- A fault --------------------------------------------------------------------------------------------


def report_from_an_answer(page: Page) -> None:
    page.goto("/p/bench/leaderboard/models/nile-7b/")
    page.locator("article", has_text="names").get_by_role("link", name="Report").first.click()
    page.get_by_text(RIGHT).first.wait_for()
    page.get_by_label("Wrong reference").check()
    page.get_by_label("What is wrong").fill("Every answer begins otherwise.")
    page.get_by_role("button", name="Report").click()
    page.get_by_text("Thank you: whoever leads the project decides about it.").wait_for()


def repair(page: Page) -> None:
    """Decided, applied to a new version, frozen and scored: nobody is asked again."""
    page.goto("/p/bench/errata/")
    page.get_by_role("link", name="names").first.click()
    page.get_by_label("Accept, with the corrected wording").check()
    page.get_by_label("reference").last.fill(RIGHT)
    page.get_by_label("Reason").fill("So it is.")
    page.get_by_role("button", name="Decide").click()
    page.goto("/p/bench/errata/")
    page.locator("form[action$='/errata/apply/'] button").click()
    freeze(page)
    page.get_by_role("button", name="Score the answers").click()
    work_off()


def compare_versions(page: Page) -> None:
    page.goto("/p/bench/question-sets/feasts/1/compared/2/")
    row = page.get_by_role("row").filter(has_text="Delta 9B")
    expect(row).to_contain_text("2.86")
    expect(row).to_contain_text("4.29")


# --- The open board -------------------------------------------------------------------------------------


def open_the_board(page: Page) -> None:
    page.goto("/p/bench/leaderboard/settings/")
    page.get_by_label("Everybody may read the board without an account").check()
    page.get_by_label("Verified laboratories may submit models").check()
    page.get_by_role("button", name="Save").click()
    page.wait_for_load_state()


def verified(arrive, administrator, outsider) -> Page:
    """An administrator says which laboratory the outsider speaks for."""
    page = arrive("/accounts/login/")
    sign_in(page, administrator.email)
    page.goto("/verified-accounts/")
    page.get_by_label("E-mail address of the account").fill(outsider.email)
    page.get_by_label("Laboratory").fill("Pond Lab")
    page.get_by_role("button", name="Verify").click()
    page.get_by_role("row").filter(has_text="Pond Lab").wait_for()
    own = arrive("/accounts/login/")
    sign_in(own, outsider.email)
    return own


def submit_twice(page: Page) -> None:
    page.goto("/boards/bench/")
    page.get_by_role("link", name="Submissions").click()
    page.get_by_role("link", name="Submit a model").click()
    page.get_by_label("Name of the model").fill("Pond-7B")
    page.get_by_label("By API only").check()
    page.get_by_label("At an address of ours, over the network").check()
    page.locator("[name=address]").fill("https://pond.example.org/v1")
    page.locator("[name=model]").fill("pond-7b")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("place 1 in the queue").wait_for()
    page.goto("/boards/bench/submit/")
    until = f"{month_after(month_of(timezone.now())).isoformat()}, 00:00 UTC"
    expect(page.get_by_role("alert")).to_contain_text(until)


def read_signed_out(arrive) -> None:
    page = arrive("/boards/bench/")
    for name in MODELS.values():
        expect(page.get_by_role("row").filter(has_text=name).first).to_contain_text("4.29")
    page.goto("/boards/bench/submissions/")
    expect(page.get_by_role("row").filter(has_text="Pond-7B")).to_contain_text("Pond Lab")
