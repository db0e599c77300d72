"""Reviewing in a real browser: by keyboard alone, by pointer, on a narrow screen, in a right-to-left text."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.models import GoldError, Review
from projects.models import Response
from tests.annotation.marked import mark
from tests.frontend.settling import at_rest
from tests.people import add_response, join, person, signed_in
from workflow.models import Stage
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SUHOOR, PHARAOHS, LENTILS = "على السحور", "أيام الفراعنة", "العدس"


@pytest.fixture
def stage(project, koshari, mona, karim, simba) -> Stage:
    Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2, policy="any")
    mark(koshari, mona)
    mark(koshari, karim, SUHOOR, PHARAOHS)
    mark(koshari, simba, LENTILS)
    plan_items(stage)
    return stage


@pytest.fixture
def at_work(page, bundle, live_server, stage):
    """Opens the person's next item in the browser."""

    def open_for(person):
        client = signed_in(person)
        address = client.post(f"/p/feasts/my-work/{stage.pk}/next").url
        page.context.add_cookies(
            [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
        )
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(live_server.url + address)
        page.wait_for_selector("html[data-reviews=ready]")
        page.browser_errors = errors
        return page

    yield open_for
    assert page.browser_errors == []


def verdicts(page) -> list[str]:
    return page.evaluate("mizanReviews.document.serialise().reviews.map(({ verdict }) => verdict)")


def test_mona_reviews_by_keyboard_alone(at_work, mona):
    """The item begins in its text with the first error current; three verdicts are three keys and one to submit."""
    page = at_work(mona)
    assert page.evaluate("document.activeElement.id") == "review-text"
    assert page.locator(".review-card").first.get_attribute("aria-current") == "true"
    press = page.keyboard.press
    for key in "123":
        press(key)
    assert verdicts(page) == ["keep", "reject", "differs"]
    assert page.evaluate("document.activeElement.id") == "review-text", "whoever reads goes on reading"
    press("Control+z")
    assert verdicts(page) == ["keep", "reject", ""]
    press("Control+Shift+z")
    page.wait_for_selector("#save-state[data-state=saved]")
    with page.expect_navigation():
        press("Control+Enter")
    assert sorted(Review.objects.values_list("verdict", flat=True)) == ["differs", "keep", "reject"]


def current(page) -> int:
    return page.evaluate(
        "[...document.querySelectorAll('.review-card')].findIndex((card) => card.ariaCurrent === 'true')"
    )


def test_shift_and_an_arrow_go_back_and_a_changed_verdict_stays(at_work, mona):
    page = at_work(mona)
    press = page.keyboard.press
    press("1")
    assert current(page) == 1
    press("Shift+ArrowUp")  # from within the text, whose own arrows walk through its words
    assert current(page) == 0
    press("2")
    assert (verdicts(page)[0], current(page)) == ("reject", 0)
    press("3")
    assert (verdicts(page)[0], current(page)) == ("differs", 0)
    press("n")
    assert current(page) == 1
    press("4")  # with changes, which have to be said before it is a verdict
    assert current(page) == 1
    press("Shift+ArrowDown")
    press("1")
    press("Shift+ArrowDown")
    assert current(page) == 2, "never past the end"


def test_a_key_that_is_held_down_is_one_verdict(at_work, mona):
    page = at_work(mona)
    page.keyboard.down("1")
    for _repetition in range(5):
        page.keyboard.down("1")
    page.keyboard.up("1")
    assert verdicts(page) == ["keep", "", ""]


def test_a_click_goes_on_and_arrows_within_the_verdicts_stay(at_work, mona):
    page = at_work(mona)
    page.locator(".review-verdicts").get_by_role("radio", name="Reject", exact=True).click()
    assert (verdicts(page)[0], current(page)) == ("reject", 1)
    page.locator(".review-verdicts").get_by_role("radio").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert (verdicts(page)[1], current(page)) == ("differs", 1)


def test_the_text_is_one_tab_and_enter_from_the_top_and_each_button_names_its_key(at_work, mona):
    page = at_work(mona)
    page.evaluate("document.activeElement.blur()")
    page.evaluate("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "review-text"
    for name, key in (("Submit", "Ctrl ⏎"), ("Skip", "S"), ("Next undecided", "N")):
        assert page.get_by_role("button", name=name, exact=True).locator("kbd").inner_text() == key
    page.keyboard.press("?")
    listed = page.get_by_role("dialog").locator("kbd").all_inner_texts()
    assert {"1 – 4", "Shift+↑", "Shift+↓", "N", "C", "S", "Ctrl+Enter"} <= set(listed)
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.keyboard.type("1 note")
    assert page.evaluate("mizanReviews.document.serialise().reviews[0].comment") == "1 note"


@pytest.mark.parametrize(
    "layout",
    [
        [("١", "Digit1"), ("٢", "Digit2"), ("٣", "Digit3"), ("ى", "KeyN"), ("ئ", "KeyZ"), ("؟", "Slash")],
        [("১", "Digit1"), ("২", "Digit2"), ("৩", "Digit3"), ("ন", "KeyN"), ("য", "KeyZ"), ("?", "Slash")],
        [("1", "Digit1"), ("2", "Digit2"), ("3", "Digit3"), ("ㅜ", "KeyN"), ("ㅋ", "KeyZ"), ("?", "Slash")],
    ],
    ids=["Arabic", "Bengali", "Korean"],
)
def test_on_keyboards_of_other_scripts_the_same_keys_decide(at_work, mona, layout):
    """A digit is a digit, and of a letter the place of its key counts; a key that an input method holds is none."""
    page = at_work(mona)
    typed = """([key, code, more]) => document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true, ...more}))"""
    *decisions, (key_n, code_n), (key_z, code_z), (question, slash) = layout
    page.evaluate(typed, ["Process", "Digit1", {"keyCode": 229}])
    page.evaluate(typed, [layout[0][0], "Digit1", {"isComposing": True}])
    assert verdicts(page) == ["", "", ""]
    for key, code in decisions:
        page.evaluate(typed, [key, code, {}])
    assert verdicts(page) == ["keep", "reject", "differs"]
    page.evaluate(typed, [key_z, code_z, {"ctrlKey": True}])
    assert verdicts(page) == ["keep", "reject", ""]
    page.keyboard.press("Shift+ArrowUp")
    page.evaluate(typed, [key_n, code_n, {}])
    assert current(page) == 2
    page.evaluate(typed, [question, slash, {"shiftKey": True}])
    assert page.get_by_role("dialog").get_by_text("Next undecided").is_visible()
    page.keyboard.press("Escape")


def test_boundaries_are_corrected_with_the_steppers_and_in_the_text(at_work, mona):
    page = at_work(mona)
    number = page.evaluate("mizanReviews.task.spans.findIndex(({ quote }) => quote.includes('السحور'))")
    card = page.locator(".review-card").nth(number)
    card.get_by_role("heading").click()
    page.locator(".review-verdicts").get_by_role("radio", name="Keep with changes").check()
    card.get_by_role("button", name="Begin one word later").click()
    assert card.locator(".review-card__correction .span-form__quote").inner_text().startswith("السحور")
    card.get_by_role("button", name="Begin one word earlier").click()
    review = page.evaluate(f"mizanReviews.document.serialise().reviews[{number}]")
    assert review["start"] is None, "back as marked is no correction"
    card.get_by_role("button", name="Choose the words anew").click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")  # onwards, in a right-to-left text
    page.keyboard.press("Enter")
    review = page.evaluate(f"mizanReviews.document.serialise().reviews[{number}]")
    assert review["quote"] == "الكشري أكلة"
    assert (review["start"], review["end"]) == (0, 11)


def test_an_unfinished_answer_goes_to_what_is_missing(at_work, mona):
    page = at_work(mona)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Not submitted yet. Nothing is lost; 2 still to be decided.").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
    assert not Review.objects.exists()


@pytest.mark.parametrize("width", [1400, 360])
def test_an_unfinished_answer_shows_the_words_of_the_first_error_that_is_open(
    at_work,
    mona,
    project,
    width,
):
    """From wherever in a long text it is submitted."""
    long = "\n\n".join(["كلام كثير قبل الأخطاء وبعدها."] * 60)
    text = f"{long}\n\nأولها هنا.\n\n{long}\n\nوثانيها هناك.\n\n{long}"
    response = add_response(project, "endless", text, "ar-EG")
    mark(response, mona)
    karim, simba = (
        join(person(f"{n}2@x.org", n), project, "annotator", varieties=("ar-EG",)) for n in ("hani", "noura")
    )
    mark(response, karim, "أولها", "وثانيها")
    mark(response, simba)
    Response.objects.exclude(pk=response.pk).delete()
    plan_items(Stage.objects.get(kind="reviews"))
    page = at_work(mona)
    page.set_viewport_size({"width": width, "height": 740})
    page.evaluate("mizanReviews.select(mizanReviews.task.spans[0].id)")
    page.keyboard.press("1")
    at_rest(page)
    for where in ("0", "document.body.scrollHeight", "document.body.scrollHeight / 2"):
        page.evaluate(f"window.scrollTo({{ top: {where}, behavior: 'instant' }})")
        at_rest(page)
        page.get_by_role("button", name="Submit").click()
        at_rest(page)
        top, bottom, ceiling, floor = page.evaluate(
            """(() => { const { view, cards, task, panel, isBeside } = mizanReviews;
              const [box] = view.rectangles(...cards.get(task.spans[1].id).range());
              const bar = document.querySelector('.marking__toolbar').getBoundingClientRect().bottom;
              return [box.top, box.bottom, bar, isBeside ? innerHeight : panel.getBoundingClientRect().top]; })()"""
        )
        assert ceiling <= top < bottom <= floor, where
        assert page.locator(".review-card--current").get_by_text("undecided").is_visible()


def test_what_was_decided_is_there_after_reloading(at_work, mona):
    page = at_work(mona)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("4")
    page.locator("select").first.select_option("linguistic")
    page.wait_for_selector("#save-state[data-state=saved]")
    page.reload()
    page.wait_for_selector("html[data-reviews=ready]")
    first = page.evaluate("mizanReviews.document.serialise().reviews[0]")
    assert (first["verdict"], first["type"]) == ("correct", "linguistic")
    assert page.locator("select").first.input_value() == "linguistic"


def test_on_a_phone_cards_come_one_by_one_below_a_text_that_stays(browser, bundle, live_server, stage, mona):
    """Three verdicts are three taps; the page has not moved by a pixel after any of them."""
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    client = signed_in(mona)
    address = client.post(f"/p/feasts/my-work/{stage.pk}/next").url
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    page = context.new_page()
    page.goto(live_server.url + address)
    page.wait_for_selector("html[data-reviews=ready]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not page.locator(".panel__actions kbd").first.is_visible(), "no key is named where there is no keyboard"
    chrome = """document.querySelector('.marking__main').getBoundingClientRect().top
      + document.querySelector('.marking__toolbar').getBoundingClientRect().height"""
    assert page.evaluate(chrome) <= 96
    page.evaluate("window.scrollTo({ top: 40, behavior: 'instant' })")
    where = "[window.scrollY, document.querySelector('#review-text').getBoundingClientRect().top]"
    before = page.evaluate(where)
    for place in range(3):
        shown = page.locator(".review-card:visible")
        assert shown.count() == 1
        assert shown.get_by_role("heading").inner_text() == f"Error {place + 1} of 3"
        page.locator(".review-verdicts").get_by_role("radio", name="Keep", exact=True).tap()
        assert page.evaluate(where) == before
    page.get_by_role("button", name="Back to the error before").tap()
    assert page.locator(".review-card:visible").get_by_role("heading").inner_text() == "Error 2 of 3"
    assert page.evaluate(where) == before
    page.get_by_role("button", name="Show in the text").tap()
    at_rest(page)
    lit = """(() => { const { view, cards, selected } = mizanReviews;
      const [box] = view.rectangles(...cards.get(selected).range());
      return box.top > 0 && box.bottom < document.querySelector('#review-panel').getBoundingClientRect().top; })()"""
    assert page.evaluate(lit)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").tap()
    assert GoldError.objects.count() == 3, "one who keeps it suffices in this stage"
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_is_found_by_axe(at_work, mona, scheme):
    page = at_work(mona)
    page.emulate_media(color_scheme=scheme)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("4")
    found = Axe().run(at_rest(page))  # colours in transition are no colours to judge
    assert found.violations_count == 0, found.generate_report()


def test_the_explanation_is_shown_after_a_first_verdict(at_work, mona, stage):
    stage.verdict_first = True
    stage.save()
    page = at_work(mona)
    card = page.locator(".review-card").first
    words = card.locator(".review-card__explanation")
    assert not words.is_visible()
    page.keyboard.press("2")
    words.wait_for(state="visible")
    assert card.get_attribute("aria-current") == "true", "the first verdict decides nothing yet"
    for key in ("1", "2", "2", "3", "3"):
        page.keyboard.press(key)
    assert page.evaluate("mizanReviews.document.serialise().reviews.map((each) => each.first_verdict)") == [
        *("reject", "reject", "differs"),
    ]
    assert verdicts(page) == ["keep", "reject", "differs"]
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/**")
    given = set(Review.objects.values_list("first_verdict", "verdict"))
    assert given == {("reject", "keep"), ("reject", "reject"), ("differs", "differs")}
