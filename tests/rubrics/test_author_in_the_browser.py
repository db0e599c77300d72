"""Salma writes a rubric in Egyptian Arabic from beginning to freeze, in a real browser on the application itself."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.sessions.models import Session

from rubrics.authoring import reviewing
from rubrics.models import DifficultyCheck, Rubric, RubricSettings
from tests.people import PASSWORD, signed_in
from tests.rubrics.in_the_browser import SAVED, add_criterion, check, ready, written
from tests.rubrics.writing import authoring_stage, begun_by, criterion, draft, tried
from tests.workflow.working import put_draft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PROMPT = "إيه هي عروسة المولد؟"
HARDER = "إيه هي عروسة المولد وليه الناس بتجيبها؟"
GOLD = "عروسة المولد حلوى من السكر على شكل عروسة، بتتجاب للبنات في المولد النبوي."
SUGAR, GIRLS, DIALECT = (
    "بيقول إنها حلوى من السكر على شكل عروسة",
    "بيقول إنها بتتجاب في المولد النبوي وبيقول إنها للبنات",
    "الإجابة كلها بالعامية المصرية",
)


@pytest.fixture
def stage(project):
    return authoring_stage(project)


def reloaded(page) -> None:
    """Nothing is lost between two visits."""
    before = written(page)
    page.wait_for_selector(SAVED)
    page.reload()
    assert written(ready(page)) == before


def test_salma_writes_a_rubric_and_freezes_it(at_work, stage, salma):
    page = at_work(salma, f"/p/feasts/stages/{stage.pk}/begin/")
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Begin").first.click()
    ready(page)
    prompt = page.get_by_label("Prompt", exact=True)
    assert (prompt.get_attribute("lang"), prompt.get_attribute("dir")) == ("ar-EG", "rtl")
    assert page.locator("script[src*=htmx]").count() == 0, "nothing here uses it"
    page.get_by_role("radio", name="Cultural").check()
    prompt.fill(PROMPT)

    # Too easy: the freeze is refused, and what to do is said.
    check(page, "Answered perfectly")
    page.get_by_text("A prompt that is answered perfectly tells no models apart").wait_for()
    page.get_by_label("Gold answer", exact=True).fill(GOLD)
    add_criterion(page, SUGAR, "٩", "core-term", "Objective", "Explicit")
    add_criterion(page, GIRLS, "6", "meaning", "Objective", "Explicit")
    add_criterion(page, DIALECT, "4", "dialect", "Subjective", "Implicit")
    reloaded(page)
    page.keyboard.press("Control+Enter")
    page.get_by_text("Not frozen yet. Nothing is lost; this is still missing:").wait_for()
    page.get_by_text("The model answered it perfectly").first.wait_for()
    assert not Rubric.objects.exists()

    # Revised, it has to be checked again, and withstands.
    prompt.fill(HARDER)
    page.get_by_text("so that check no longer holds").wait_for()
    reloaded(page)
    check(page, "Answered in part")
    page.locator(".difficulty__state .notice--good").wait_for()

    # The lint remarks on a stacked criterion; Salma keeps it and says why.
    remark = page.locator(".criterion").nth(1).locator(".finding")
    remark.get_by_text("Atomic", exact=True).wait_for()
    remark.get_by_role("button", name="Keep it, with a reason").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("الاتنين جزء من نفس العادة")
    page.get_by_role("dialog").get_by_role("button", name="Keep it").click()
    remark.get_by_text("الاتنين جزء من نفس العادة").wait_for()

    # Put in another order by keyboard alone.
    page.locator(".criterion").nth(2).locator("textarea").focus()
    page.keyboard.press("Alt+ArrowUp")
    assert [each["text"] for each in written(page)["criteria"]] == [SUGAR, DIALECT, GIRLS]
    assert "3 criteria · maximum 19" in page.locator(".criteria__sum").inner_text()
    reloaded(page)
    page.wait_for_selector(".finding--kept")

    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("the maximum of 19 points").wait_for()
    with page.expect_navigation():
        dialog.get_by_role("button", name="Freeze").click()
    rubric = Rubric.objects.get()
    assert (rubric.prompt.text, rubric.scope, rubric.gold_answer) == (HARDER, "cultural", GOLD)
    criteria = rubric.criteria.order_by("position")
    assert [(each.text, each.weight) for each in criteria] == [(SUGAR, 9), (DIALECT, 4), (GIRLS, 6)]
    assert [each["reason"] for each in rubric.accepted_findings] == ["الاتنين جزء من نفس العادة"]
    assert list(DifficultyCheck.objects.order_by("pk").values_list("outcome", flat=True)) == ["perfect", "partial"]

    # What was frozen is read with its hash, and nothing on it can be changed.
    page.goto(f"{page.url.split('/p/')[0]}/tasks/{rubric.assignment.uuid}/")
    ready(page)
    assert rubric.sha256 in page.content()
    assert page.get_by_text("Frozen as version 1.").is_visible()
    assert page.locator(".criterion__grip, #authoring-steps .btn").count() == 0
    assert page.locator("#authoring-steps textarea:not([readonly])").count() == 0


def test_salma_writes_an_error_with_its_tags(at_work, stage, salma):
    own = begun_by(salma, stage)
    page = ready(at_work(salma, f"/tasks/{own.uuid}/"))
    add_criterion(page, SUGAR, "9", "core-term", "Objective", "Explicit")
    add_criterion(page, DIALECT, "−٤", "", "Subjective", "Implicit")
    card = page.locator(".criterion").last
    card.get_by_label("Tags").fill("axis:tone، سلامة, axis:tone,")
    assert [(each["weight"], each["tags"]) for each in written(page)["criteria"]] == [
        (9, []),
        (-4, ["axis:tone", "سلامة"]),
    ]
    assert "maximum 9" in page.locator(".criteria__sum").inner_text()
    reloaded(page)
    assert page.locator(".criterion").last.get_by_label("Tags").input_value() == "axis:tone, سلامة"
    assert page.locator(".criterion").last.get_by_label("Weight").input_value() == "-4"


def test_signed_out_while_writing_she_signs_in_in_place_and_loses_nothing(at_work, stage, salma):
    own = begun_by(salma, stage)
    page = ready(at_work(salma, f"/tasks/{own.uuid}/"))
    page.wait_for_selector(SAVED)
    Session.objects.all().delete()
    page.get_by_label("Prompt", exact=True).fill(PROMPT)
    page.wait_for_selector("dialog.signin[open]")
    frame = page.frame_locator(".signin__frame")
    frame.locator("input[name=login]").fill("salma@example.org")
    frame.locator("input[name=password]").fill(PASSWORD)
    frame.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_selector("dialog.signin", state="detached")
    page.wait_for_selector(SAVED)
    assert page.input_value("#rubric-prompt") == PROMPT
    own.refresh_from_db()
    assert own.draft.body["prompt"] == PROMPT


def test_a_second_author_approves_and_salma_sees_it_when_she_is_back(at_work, stage, salma, zaid, project):
    RubricSettings.objects.create(project=project, needs_review=True)
    own = begun_by(salma, stage)
    page = ready(at_work(salma, f"/tasks/{own.uuid}/"))
    tried(own)
    put_draft(signed_in(salma), own, 0, draft())
    page.reload()
    ready(page)
    page.keyboard.press("Control+Enter")
    page.get_by_text("Not frozen yet.").wait_for()
    page.get_by_role("button", name="Ask for a review").click()
    page.get_by_text("A second author is asked. You can write on meanwhile").wait_for()
    [asked] = reviewing.waiting_for(zaid.raters.get())
    reviewing.decide(asked, zaid.raters.get(), "approved", "تمام", asked.body_sha256)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_text("A second author has approved it.").wait_for()
    page.get_by_text("Not frozen yet.").wait_for(state="hidden")

    # Of other words it says nothing.
    page.get_by_label("Gold answer", exact=True).fill("الكشري أكلة مصرية.")
    page.get_by_text("You have changed the rubric since you asked for the review.").wait_for()


def test_a_weight_the_lint_finds_out_of_its_band_is_said_beside_it_once(at_work, stage, salma):
    own = begun_by(salma, stage)
    put_draft(signed_in(salma), own, 0, draft(criteria=[criterion(1, weight=12, band="dialect")]))
    page = ready(at_work(salma, f"/tasks/{own.uuid}/"))
    page.locator(".finding", has_text="12").wait_for()
    assert page.get_by_text("Outside its band").count() == 0


@pytest.mark.parametrize("width", [360, 1280])
def test_no_barrier_is_found_by_axe(at_work, stage, salma, page, width):
    page.set_viewport_size({"width": width, "height": 800})
    own = begun_by(salma, stage)
    stacked = [criterion(1, text=GIRLS, weight=12, band="dialect"), criterion(2)]
    put_draft(signed_in(salma), own, 0, draft(criteria=stacked))
    tried(own, "perfect")
    ready(at_work(salma, f"/tasks/{own.uuid}/"))
    page.wait_for_selector(".finding")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
