"""From texts to gold in the browser, as people do it: nothing here is put into the database behind the pages' backs.

Nour begins a project, Mona and Karim read both its languages, a simulated judge answers over real HTTP, Hana decides
what the others leave open. What is marked, and what becomes of it under the unanimous policy:

    koshari    Mona   "كل يوم على السحور"   Karim keeps it
               Karim  "على السحور"          differs by region, says Mona; Hana keeps it
    boishakh   Mona   "ডিসেম্বর মাসে"          Karim keeps it
               Karim  no errors
    both       the judge's                  Mona and Karim keep them all

On koshari two of four words are common to both people, above the threshold of 0.15. Karim's one error is among Mona's
(precision 1), of her two he has one (recall 1/2): their F1 is 2/3. Resampled over the two responses it runs from 0,
where boishakh alone is drawn, to 1, where koshari alone is.
"""

import json
import re
import threading

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Page

from tests.frontend.conftest import SAVED, Screen
from tests.judging.conftest import fake_provider, fake_provider_process, provider  # noqa: F401
from tests.on_the_pages import (  # noqa: F401
    arrive,
    begin_project,
    broker,
    bundle,
    import_file,
    invite,
    join,
    sign_in,
    work_through_all,
)
from tests.people import BENGALI, EGYPTIAN

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Whole words, as dragging selects them: a comma belongs to the word before it.
EVERY_NIGHT, NIGHTLY, IN_DECEMBER = "كل يوم على السحور", "على السحور", "ডিসেম্বর মাসে"
ITEMS = [
    {"id": "koshari", "prompt": "امتى الناس بتاكل كشري؟", "variety": "ar-EG", "response": EGYPTIAN},
    {"id": "boishakh", "prompt": "পহেলা বৈশাখে মানুষ কী খায়?", "variety": "bn-BD", "response": BENGALI},
]
OF_A_MODEL = {"model": "Nile-7B", "laboratory": "delta-lab"}
JUDGE = "Second reader"
NAME = "Food and feasts"
LANGUAGES = ("Egyptian Arabic", "Bengali (Bangladesh)")


def test_from_texts_to_gold(arrive, nour, provider, fake_provider, broker):  # noqa: F811
    lead = arrive("/accounts/login/")
    sign_in(lead, nour.email)
    begin_project(lead, NAME, "food")
    lead.get_by_role("heading", name="From texts to gold").wait_for()
    import_file(lead, "food", "items.jsonl", lines(ITEMS))
    mona = join(arrive, invite(lead, "mona@example.org", "Annotator", LANGUAGES), "Mona Adel", NAME)
    karim = join(arrive, invite(lead, "karim@example.org", "Annotator", LANGUAGES), "Karim Samir", NAME)
    hana = join(arrive, invite(lead, "hana@example.org", "Validator", LANGUAGES, expert=True), "Hana Yusuf", NAME)
    plan_marking(lead)

    mark_all(mona, {"ar-EG": EVERY_NIGHT, "bn-BD": IN_DECEMBER})
    mark_all(karim, {"ar-EG": NIGHTLY, "bn-BD": None})
    fake_provider.tell(latency_ms=300)
    run_a_judge(lead)

    open_validation(lead)
    seen_by_mona = review_all(mona, {NIGHTLY: "Differs by region"})
    seen_by_karim = review_all(karim, {})
    assert seen_by_mona & {EVERY_NIGHT, NIGHTLY, IN_DECEMBER} == {NIGHTLY}
    assert seen_by_karim & {EVERY_NIGHT, NIGHTLY, IN_DECEMBER} == {EVERY_NIGHT, IN_DECEMBER}
    by_judge = seen_by_mona - {NIGHTLY}
    assert by_judge == seen_by_karim - {EVERY_NIGHT, IN_DECEMBER}
    assert by_judge, "the judge found nothing, so nothing of a judge was reviewed"
    settle_the_open_one(hana)

    read_the_dashboard(lead)
    gold = download_gold(lead, "food")
    check_gold(lead, gold, by_judge)
    begin_project(lead, "Food and feasts again", "again")
    import_file(lead, "again", "gold.jsonl", gold)
    assert download_gold(lead, "again") == gold


# --- The lead sets it up --------------------------------------------------------------------------------


def lines(records: list[dict]) -> bytes:
    return "".join(json.dumps(record | OF_A_MODEL, ensure_ascii=False) + "\n" for record in records).encode()


def plan_marking(page: Page) -> None:
    page.get_by_role("link", name="Work", exact=True).click()
    page.get_by_role("region", name="Marking").get_by_role("button", name="Plan items").click()
    page.get_by_text("2 items were added.").wait_for()


def open_validation(page: Page) -> None:
    page.get_by_role("link", name="Work", exact=True).click()
    page.get_by_role("region", name="Validation").get_by_role("button", name="Open for work").click()
    page.get_by_text("0 of 4 answers are in").wait_for()


# --- The annotators mark and review ---------------------------------------------------------------------


class Desk(Screen):
    """The marking screen of the application itself."""

    def __init__(self, page: Page) -> None:
        self.page = page


def mark_all(page: Page, errors: dict[str, str | None]) -> None:
    """One item after the other, until the page of one's work says that all is done."""
    page.get_by_role("link", name="Go to my work").click()
    page.get_by_role("region", name="Marking").get_by_role("button", name="Take the next item").click()
    for _ in errors:
        desk = Desk(page).ready()
        response = page.locator("#span-text")
        quote = errors[response.get_attribute("lang") or ""]
        if quote is None:
            page.get_by_role("button", name="There are no errors").click()
        else:
            start = page.evaluate("mizanSpans.task.text").index(quote)
            desk.drag(start, start + len(quote))
            desk.fill("cultural", "high", "People do not say that here.")
            assert desk.quotes() == [quote]
        page.wait_for_selector(SAVED)
        with page.expect_navigation():
            page.get_by_role("button", name="Submit").click()
    page.get_by_text("2 of 2 done").wait_for()


def review_all(page: Page, verdicts: dict[str, str]) -> set[str]:
    """Give these verdicts, and keep what has none; answers the quotes that were shown."""
    seen = set()
    page.goto("/p/food/my-work/")
    page.get_by_role("region", name="Validation").get_by_role("button", name=re.compile("Continue|Take")).click()
    for _ in ITEMS:
        page.wait_for_selector("html[data-reviews=ready]")
        assert_blind(page)
        for card in page.locator(".review-card").all():
            quote = card.locator(".span-form__quote").first.inner_text()
            card.get_by_role("heading").first.click()
            page.locator(".review-verdicts").get_by_role("radio", name=verdicts.get(quote, "Keep"), exact=True).check()
            seen.add(quote)
        page.wait_for_selector(SAVED)
        with page.expect_navigation():
            page.get_by_role("button", name="Submit").click()
    return seen


def assert_blind(page: Page) -> None:
    """Nothing in the page, shown or not, tells whose an error is, or whether it is a person's."""
    task = page.locator("#review-task").text_content() or ""
    for trace in (JUDGE, "simulated-1", "karim@", "mona@", "rater", "judge", "pseudonym"):
        assert trace not in task, trace


def settle_the_open_one(page: Page) -> None:
    page.goto("/p/food/my-work/")
    page.get_by_role("link", name="Errors that need an expert").click()
    page.get_by_text("1 error waits for a decision.").wait_for()
    assert page.locator(".overlay mark").first.inner_text() == NIGHTLY
    page.get_by_label("Why?").fill("Nobody eats it then, in any part of the country.")
    page.get_by_role("button", name="Keep", exact=True).click()
    page.get_by_role("heading", name="Nothing is open").wait_for()


# --- The judge ------------------------------------------------------------------------------------------


def run_a_judge(page: Page) -> None:
    """Set up, asked, and watched to the end without a reload, while a worker beside the web server asks."""
    page.get_by_role("link", name="Judges").click()
    page.get_by_role("link", name="Add a judge").first.click()
    page.get_by_label("Provider").select_option(label="simulated")
    page.get_by_label("Model").fill("simulated-1")
    page.get_by_text("Laboratory: Simulated").wait_for()
    page.get_by_role("textbox", name="Name").fill(JUDGE)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Ask 4 questions").click()
    page.get_by_text("0 of 4 calls").wait_for()
    worker = threading.Thread(target=work_through_all)
    worker.start()
    page.get_by_role("heading", name="Done").wait_for()
    worker.join()
    assert "4 of 4 calls" in page.inner_text("#progress")


# --- What it adds up to ---------------------------------------------------------------------------------


def read_the_dashboard(page: Page) -> None:
    """A figure with its interval, and from it down to the response with everybody's errors laid over."""
    page.get_by_role("link", name="Results", exact=True).click()
    page.locator("#human-human svg circle").first.wait_for(state="attached")
    people = page.locator(".tile", has_text="F1 of people with each other").inner_text()
    assert re.search(r"0\.67\s+n = 2", people), people
    page.get_by_role("link", name="People against each other", exact=True).click()
    page.locator("#human-human-chart svg path").first.wait_for(state="attached")
    page.locator("#human-human tr", has_text="ar-EG").get_by_role("link", name="Show").click()
    page.get_by_role("link", name="koshari").click()
    shown = page.locator(".rater-toggles").inner_text()
    assert "simulated" in shown
    assert "Mona" not in shown, "leads see pseudonyms"
    assert NIGHTLY in "".join(page.locator("#overlay mark").all_inner_texts())


def download_gold(page: Page, slug: str) -> bytes:
    page.goto(f"/p/{slug}/gold/")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download JSONL").click()
    return download.value.path().read_bytes()


def check_gold(page: Page, gold: bytes, by_judge: set[str]) -> None:
    schema = page.request.get(page.get_by_role("link", name="JSON Schema of a line").get_attribute("href") or "").json()
    records = [json.loads(line) for line in gold.splitlines()]
    for record in records:
        Draft202012Validator(schema).validate(record)
    assert [(record["id"], record["unsettled"]) for record in records] == [("koshari", 0), ("boishakh", 0)]
    found = {(error["quote"], *error["found_by"]) for record in records for error in record["errors"]}
    by_people = {(quote, "human") for quote in (EVERY_NIGHT, NIGHTLY, IN_DECEMBER)}
    assert found == by_people | {(quote, "judge") for quote in by_judge}
