"""From a file of questions to a frozen set in the browser, as people do it, and nothing behind the pages' backs."""

import json

import pytest
from playwright.sync_api import Page

from tests.on_the_pages import arrive, begin_project, bundle, import_here, invite, join, sign_in

__all__ = ["arrive", "bundle"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAME = "أسئلة عن الأعياد"
CHECKING = "Checking questions"  # the stage that a benchmark begins with
SAVED = ".save-state[data-state=saved]"
SET = {"kind": "set", "id": "feasts", "name": "أسئلة الأعياد", "licence": "CC BY 4.0"}
ARABIC = {"language": "ar", "variety": "ar-EG", "source": "Own questions"}
ANY = {"variety": "ar-EG", "source": "Own questions"}
OPTIONS = [{"label": "أ", "text": "عمّان"}, {"label": "ب", "text": "إربد"}]
RIGHT = "Simulated answer"
QUESTIONS = [
    {"id": "opening", "instruction": "بأي كلمتين تبدأ إجابتك؟", "output": RIGHT, "category": "Reading", **ANY}
    | {"format": "short-answer", "rules": [{"rule": "judge_generation"}]},
    {"id": "phrase", "instruction": "اذكر الكلمة الإنجليزية simulated مرة واحدة.", "output": "simulated", **ANY}
    | {"category": "Instruction Following", "format": "generation"}
    | {"rules": [{"rule": "instruction_words", "parameters": {"phrases": ["simulated"], "count": 1}}]},
    {"id": "names", "instruction": "ما الكلمتان اللتان تبدأ بهما؟", "output": "قمر الدين", **ANY}
    | {"category": "Entity Extraction", "format": "short-answer"}
    | {"rules": [{"rule": "words_intersection", "parameters": {"of": "reference"}}]},
    {"id": "capital", "instruction": "ما هي عاصمة الأردن؟", "options": OPTIONS, "output": "أ", **ARABIC}
    | {"category": "Geography", "format": "mcq"},
    {"id": "feast", "instruction": "في أي شهر يصوم المسلمون؟", "output": "رمضان", **ARABIC}
    | {"options": [{"label": "أ", "text": "شعبان"}, {"label": "ب", "text": "رمضان"}]}
    | {"category": "Geography", "format": "mcq", "output": "ب"},
    {"id": "tea", "instruction": "اكتب جملة عن الشاي.", "output": "الشاي مشروب دافئ يحبه الناس.", **ARABIC}
    | {"category": "Summarization", "format": "generation"},
    {"id": "blank", "instruction": "نأكل ... في العيد.", "output": "الكعك", **ARABIC}
    | {"category": "Reading", "format": "fill-in-the-blank"},
]


def test_from_questions_to_a_frozen_set(arrive, nour):
    lead = arrive("/accounts/login/")
    sign_in(lead, nour.email)
    begin_project(lead, NAME, "bench", "Benchmark")
    lead.get_by_role("link", name="Question sets", exact=True).first.click()
    lead.get_by_role("link", name="Import questions").first.click()
    import_here(lead, "questions.jsonl", lines())
    people = {
        name: join(arrive, invite(lead, email, "Annotator", ["Egyptian Arabic"]), name, NAME)
        for email, name in (("mona@example.org", "Mona Adel"), ("karim@example.org", "Karim Samir"))
    }
    plan_checks(lead)
    for page in people.values():
        check_all(page)
    keep_all_and_freeze(lead)


def lines() -> bytes:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [SET, *QUESTIONS]).encode()


# --- The questions are checked, decided and frozen ------------------------------------------------------


def plan_checks(page: Page) -> None:
    page.get_by_role("link", name="Work", exact=True).click()
    stage = page.get_by_role("region", name=CHECKING)
    stage.get_by_role("button", name="Plan items").click()
    page.get_by_text("7 items were added.").wait_for()


def check_all(page: Page) -> None:
    """Each is answered first, then compared with the reference, and kept."""
    page.goto("/p/bench/my-work/")
    page.get_by_role("region", name=CHECKING).get_by_role("button", name="Take the next item").click()
    for _ in QUESTIONS:
        page.wait_for_selector("html[data-question-check=ready]")
        page.locator("#check-answer").fill("جوابي")
        page.wait_for_selector(SAVED)
        page.locator(".panel__actions .btn-primary").click()
        page.locator("input[name=check-is_aligned][value=true]").check()
        page.locator("input[name=check-decision][value=keep]").check()
        page.wait_for_selector(SAVED)
        with page.expect_navigation():
            page.locator(".panel__actions .btn-primary").click()
    page.get_by_text("7 of 7 done").wait_for()


def keep_all_and_freeze(page: Page) -> None:
    open_set(page)
    page.get_by_role("link", name="Checks", exact=True).click()
    page.get_by_role("button", name="Keep 7 questions that all keep").click()
    page.get_by_text("7 questions are kept.").wait_for()
    open_set(page)
    page.get_by_label("I know that a frozen set can no longer be changed").check()
    page.get_by_role("button", name="Freeze the set").click()
    page.get_by_text("Frozen: nobody can change it.").wait_for()


def open_set(page: Page) -> None:
    page.goto("/p/bench/")
    page.get_by_role("link", name="Question sets", exact=True).first.click()
    page.get_by_role("link", name=SET["name"]).first.click()
