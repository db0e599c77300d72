"""Mona rates two answers in Arabic in a real browser: by keyboard alone, by finger, off line and on."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.models import Rating
from annotation.pairs.order import is_swapped
from projects.models import Level
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import body, rating, rating_stage, turn_of
from tests.frontend.settling import at_rest
from tests.people import add_response, signed_in
from tests.workflow.working import put_draft
from workflow.answer_rules import change_rules
from workflow.models import Draft, Stage, Status

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SAVED = "#save-state[data-state=saved]"
WARM = "## أهلا بيك\n\nاتفضل، **إزيك؟** الكشري بيتعمل من:\n\n1. رز\n2. عدس\n3. مكرونة\n\n" + (
    "في رمضان الناس بتاكل بعد المغرب، والشارع كله بيبقى منور.\n\n" * 30
)
STIFF = "مرحبا، كيف حالك؟ الكشري طبق مصري.\n\n| المكوّن | الكمية |\n|---|---|\n| رز | كوب |\n\n" + (
    "يتناول الناس الطعام بعد غروب الشمس.\n\n" * 60
)


@pytest.fixture
def question(project):
    return question_type(make_ratings_project(project))


@pytest.fixture
def greeting(project, question):
    return pair_of(project, "greeting", WARM, STIFF, question=question)


@pytest.fixture
def stage(project, greeting) -> Stage:
    return rating_stage(project)


@pytest.fixture
def at_work(page, bundle, live_server):
    """Opens the person's next item in the browser; nothing on its page breaks the policy of content security."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)

    def open_for(person, stage, language="en"):
        turn = turn_of(person, stage)
        session = signed_in(person).cookies["sessionid"].value
        page.context.add_cookies(cookies(live_server, sessionid=session, django_language=language))
        page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
        return ready(page)

    yield open_for
    assert errors == []


def cookies(live_server, **values) -> list[dict]:
    return [{"name": name, "value": value, "url": live_server.url} for name, value in values.items()]


def ready(page):
    page.wait_for_selector("html[data-ratings=ready]")
    return page


def draft(page) -> dict:
    return page.evaluate("mizanRatings.document.serialise()")


def sides(page) -> list[str]:
    """Which of the pair stands on side A, and which on side B."""
    return json.loads(page.locator("#rate-task").inner_text())["sides"]


def focused(page, what: str):
    return page.evaluate(f"(() => {{ const at = document.activeElement; return {what}; }})()")


def tab_until(page, condition: str, most: int = 60) -> None:
    for _step in range(most):
        if focused(page, condition):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no way by Tab to {condition}")


def test_in_arabic_by_keyboard_alone(at_work, mona, stage, greeting):
    page = at_work(mona, stage, "ar")
    assert page.evaluate("document.documentElement.dir") == "rtl"
    side_a, side_b = sides(page)
    assert focused(page, "at.id") == "side-A-text", "an item begins in its text"
    page.keyboard.press("End")
    page.keyboard.press("4")  # grades what has the focus, and goes on to the other side
    assert draft(page)["ratings"][0][side_a] == 4
    page.keyboard.press("2")
    assert draft(page)["ratings"][0] == rating(**{side_a: 4, side_b: 2})
    assert focused(page, "at.id") == "side-A-text", "whoever reads goes on reading"
    tab_until(page, f"at.name === 'formality-{side_b}' && at.checked")
    page.keyboard.press("ArrowDown")  # inside the radio group: one further
    assert draft(page)["ratings"][0][side_b] == 3
    page.keyboard.press("2")
    page.keyboard.press("Tab")
    assert focused(page, "at.closest('[data-field]').dataset.field") == "preference"
    page.keyboard.press("1")
    assert draft(page)["ratings"][0]["preference"] == side_a
    tab_until(page, "at.matches('textarea')", 3)
    page.keyboard.type("الرد الأول 4 أدفى")
    assert draft(page)["ratings"][0][side_b] == 2, "a digit in a text is a digit in a text"
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    stored = Rating.objects.get()
    grades = {"first": stored.first_grade, "second": stored.second_grade}
    assert (grades[side_a], grades[side_b]) == (4, 2)
    assert (stored.preference, stored.comment) == (side_a, "الرد الأول 4 أدفى")
    assert stored.is_swapped == (side_a == "second")


def test_two_grades_are_two_keys_and_one_to_submit(at_work, mona, stage):
    page = at_work(mona, stage)
    side_a, side_b = sides(page)
    for key in ("4", "2"):
        page.keyboard.press(key)
    assert draft(page)["ratings"][0] == rating(**{side_a: 4, side_b: 2})
    page.keyboard.press("3")  # changed, and still B's
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("5")
    assert draft(page)["ratings"][0] == rating(**{side_a: 5, side_b: 3})
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("1")
    assert draft(page)["ratings"][0]["preference"] == side_a
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Rating.objects.count() == 1


def test_what_is_printed_on_a_control_is_its_key_and_its_meaning_is_named(at_work, mona, stage):
    page = at_work(mona, stage)
    group = page.get_by_role("group", name="Formality: Response B")
    assert group.locator(".scale__digit").all_inner_texts() == ["1", "2", "3", "4", "5"]
    group.get_by_role("radio", name="5 Excellent").check()
    assert group.locator(".scale__meaning").inner_text() == "Excellent"
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_text("1 – 5").wait_for()


def test_keys_can_be_switched_off_and_never_fire_while_typing(at_work, mona, stage):
    page = at_work(mona, stage)
    page.get_by_label("Comment").fill("")
    page.get_by_label("Comment").press("5")
    assert draft(page)["ratings"][0] == rating(first=None, second=None, comment="5")
    page.evaluate("localStorage.setItem('mizan-single-keys', 'off')")
    page.locator("#side-A .side__text").focus()
    page.keyboard.press("5")
    assert draft(page)["ratings"][0] == rating(first=None, second=None, comment="5")


def test_a_level_unfolds_to_all_it_says(at_work, mona, stage):
    page = at_work(mona, stage)
    line = page.locator(".level", has_text="What earns a 4.")
    assert not line.get_by_text("All that earns a 4, at length.").is_visible()
    line.locator("summary").click()
    assert line.get_by_text("All that earns a 4, at length.").is_visible()


def test_a_contradiction_warns_and_stops_nobody(at_work, mona, stage):
    page = at_work(mona, stage)
    warning = page.locator(".question__warning")
    page.keyboard.press("2")
    page.keyboard.press("4")
    assert not warning.is_visible()
    page.get_by_role("radio", name="A is better").check()
    assert "You grade A lower than B" in warning.inner_text()
    page.get_by_role("radio", name="Equally good").check()
    assert "both equally good" in warning.inner_text()
    page.get_by_role("radio", name="B is better").check()
    assert not warning.is_visible()
    page.get_by_role("radio", name="A is better").check()
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    side = "second" if Rating.objects.get().is_swapped else "first"
    assert Rating.objects.get().preference == side


def test_equal_grades_leave_every_preference_open(at_work, mona, stage):
    page = at_work(mona, stage)
    page.keyboard.press("3")
    page.keyboard.press("3")
    for name in ("A is better", "B is better", "Equally good"):
        page.get_by_role("radio", name=name).check()
        assert not page.locator(".question__warning").is_visible()
    page.get_by_role("button", name="Take the preference back").click()
    assert draft(page)["ratings"][0]["preference"] == ""


def test_what_is_missing_is_named_and_gone_to(at_work, mona, stage):
    page = at_work(mona, stage)
    page.keyboard.press("4")
    page.keyboard.press("Control+Enter")
    summary = page.locator(".error-summary")
    assert summary.locator("li").all_inner_texts() == ["Response B: A grade is missing."]
    assert focused(page, "at.name") == f"formality-{sides(page)[1]}"
    assert not Rating.objects.exists()
    page.keyboard.press("5")
    assert not summary.is_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").click()
    assert Rating.objects.count() == 1


def test_both_scroll_together_unless_one_says_otherwise(at_work, mona, stage):
    page = at_work(mona, stage)
    share = """place => { const pane = document.querySelectorAll('.side__text')[place];
      return pane.scrollTop / (pane.scrollHeight - pane.clientHeight); }"""
    page.locator("#side-A .side__text").evaluate("pane => { pane.scrollTop = pane.scrollHeight / 3; }")
    at_rest(page)
    assert page.evaluate(share, 0) > 0.2
    assert abs(page.evaluate(share, 0) - page.evaluate(share, 1)) < 0.01
    page.locator("#side-B .side__text").evaluate("pane => { pane.scrollTop = pane.scrollHeight; }")
    at_rest(page)
    assert abs(page.evaluate(share, 0) - 1) < 0.01
    page.get_by_role("button", name="Scroll together").click()
    page.reload()  # remembered
    ready(page)
    assert page.get_by_role("button", name="Scroll together").get_attribute("aria-pressed") == "false"
    page.locator("#side-A .side__text").evaluate("pane => { pane.scrollTop = pane.scrollHeight; }")
    at_rest(page)
    assert page.evaluate(share, 1) == 0


def test_markdown_is_shown_or_the_text_as_it_was_written(at_work, mona, stage):
    page = at_work(mona, stage)
    assert page.locator(".side__text ol li").first.inner_text() == "1. رز"
    page.get_by_role("button", name="Plain text").click()
    assert page.locator(".side__text").get_by_text("**إزيك؟**").locator("visible=true").count() == 1
    assert not page.locator(".side__text ol li").first.is_visible()


def test_each_rater_may_meet_another_order(at_work, project, mona, karim, question, browser, live_server):
    """The first pair whose order differs between the two is opened by both."""
    for number in range(12):
        pair_of(project, f"pair-{number}", f"أول {number}", f"تاني {number}", question=question)
    stage = rating_stage(project)
    raters = [person.raters.get() for person in (mona, karim)]
    pair = next(
        item.pair
        for item in stage.items.all()
        if is_swapped(7, raters[0].pk, item.pair_id) != is_swapped(7, raters[1].pk, item.pair_id)
    )
    stage.items.exclude(pair=pair).delete()
    shown = []
    for person in (mona, karim):
        page = at_work(person, stage)
        shown.append(page.locator(".side__text").all_inner_texts())
        page.keyboard.press("5")
        page.keyboard.press("1")
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
    assert shown[0] == shown[1][::-1]
    assert sorted(Rating.objects.values_list("is_swapped", flat=True)) == [False, True]
    # Both preferred what stood first on their own screen, so each gave the 5 to another response.
    assert sorted(Rating.objects.values_list("first_grade", "second_grade")) == [(1, 5), (5, 1)]


def test_a_reload_finds_everything_again(at_work, mona, stage):
    page = at_work(mona, stage)
    page.keyboard.press("4")
    page.get_by_role("radio", name="Equally good").check()
    page.get_by_label("Comment").fill("كلاهما مهذب")
    page.wait_for_selector(SAVED)
    before = draft(page)
    assert Draft.objects.get().body == before
    page.reload()
    assert draft(ready(page)) == before
    assert page.get_by_label("Comment").input_value() == "كلاهما مهذب"
    page.keyboard.press("Control+z")
    assert draft(page) == before, "there is nothing to undo on a fresh page"


def test_off_line_nothing_is_lost_and_it_is_submitted_later(at_work, mona, stage):
    page = at_work(mona, stage)
    page.context.set_offline(True)
    page.keyboard.press("4")
    page.keyboard.press("2")
    page.wait_for_selector("#save-state[data-state=offline]")
    page.keyboard.press("Control+Enter")
    page.locator("#save-state").get_by_text("submitted when you are back online").wait_for()
    assert not Rating.objects.exists()
    with page.expect_navigation():
        page.context.set_offline(False)
    assert Rating.objects.count() == 1


def test_an_answer_lost_on_the_way_back_is_stored_once(at_work, mona, stage):
    page = at_work(mona, stage)
    page.keyboard.press("4")
    page.keyboard.press("2")
    page.wait_for_selector(SAVED)

    def lose(route) -> None:
        route.fetch()
        route.abort("connectionreset")

    page.route("**/submit", lose, times=1)
    with page.expect_navigation(timeout=60_000):
        page.keyboard.press("Control+Enter")
    assert Rating.objects.count() == 1


def test_signed_out_in_between_one_signs_in_on_the_spot(at_work, mona, stage):
    page = at_work(mona, stage)
    session = page.context.cookies()
    page.context.clear_cookies()
    page.keyboard.press("4")
    page.wait_for_selector("#save-state[data-state=signed-out]")
    page.get_by_role("heading", name="Please sign in again").wait_for()
    assert draft(page)["ratings"][0][sides(page)[0]] == 4
    page.context.add_cookies(session)
    page.get_by_role("button", name="Later").click()
    page.locator("#save-state").get_by_role("button", name="Sign in").click()
    page.wait_for_selector(SAVED)
    assert Draft.objects.get().body == draft(page)


def test_two_tabs_are_combined_and_nothing_is_lost(at_work, mona, stage):
    """Here A has a 4; elsewhere A has a 1, B a 2, and there is a comment. Together: A as here, and the rest."""
    page = at_work(mona, stage)
    side_a, side_b = sides(page)
    elsewhere = body(rating(**{side_a: 1, side_b: 2}, comment="من الموبايل"))
    assert put_draft(signed_in(mona), turn_of(mona, stage), 0, elsewhere, tab="tab-2").status_code == 200
    page.keyboard.press("4")
    page.get_by_text("This item was also changed elsewhere").wait_for()
    assert focused(page, "at.value") == "mine", "Enter keeps what stands on the page"
    page.get_by_role("button", name="Combine both").click()
    page.wait_for_selector(SAVED)
    expected = body(rating(**{side_a: 4, side_b: 2}, comment="من الموبايل"))
    assert draft(page) == expected
    assert Draft.objects.get().body == expected
    page.keyboard.press("Control+z")
    assert draft(page)["ratings"][0][side_b] is None


def test_an_item_is_skipped_with_its_reason(at_work, mona, stage):
    page = at_work(mona, stage)
    page.get_by_role("button", name="Skip").click()
    page.get_by_role("radio", name="It is harmful or upsetting").check()
    with page.expect_navigation():
        page.get_by_role("dialog").get_by_role("button", name="Skip").click()
    left = stage.assignments.get()
    assert (left.status, left.skip_reason) == (Status.SKIPPED, "harmful")


def test_what_was_submitted_can_be_read_again(at_work, mona, stage):
    page = at_work(mona, stage)
    address = page.url
    page.keyboard.press("4")
    page.keyboard.press("2")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    page.goto(address)
    ready(page)
    checked = page.locator(".scale__grade input:checked")
    assert [one.get_attribute("value") for one in checked.all()] == ["4", "2"]
    assert checked.first.is_disabled()
    assert page.get_by_role("button", name="Submit").count() == 0


def test_a_long_scale_is_a_number_with_a_slider(at_work, project, mona):
    naturalness = question_type(make_ratings_project(project), "naturalness", 0, 100)
    pair_of(project, "greeting", question=naturalness)
    Level.objects.filter(question=naturalness).exclude(grade__in=[0, 50, 100]).delete()
    page = at_work(mona, rating_stage(project))
    side_a, side_b = sides(page)
    first, second = page.get_by_role("spinbutton").all()
    first.fill("250")
    assert draft(page)["ratings"][0][side_a] is None, "off the scale"
    first.fill("73")
    page.get_by_role("slider").nth(1).focus()
    page.keyboard.press("Home")
    assert second.input_value() == "0"
    assert draft(page)["ratings"][0] == rating("naturalness", **{side_a: 73, side_b: 0})
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Rating.objects.count() == 1


def test_without_a_scale_a_preference_is_all_that_is_asked(at_work, project, mona):
    better = question_type(make_ratings_project(project), "better", lowest=None, highest=None)
    pair_of(project, "greeting", question=better)
    page = at_work(mona, rating_stage(project))
    page.keyboard.press("Control+Enter")
    assert page.locator(".error-summary li").all_inner_texts() == ["Which one is better?: Say which one is better."]
    page.keyboard.press("2")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Rating.objects.get().preference == "tie"


def test_a_single_response_is_graded_on_every_question_of_the_project(at_work, project, question, mona):
    question_type(project, "fluency", dimension="fluency")
    add_response(project, "alone", "صباح الخير", "ar-EG")
    page = at_work(mona, rating_stage(project, "ratings"))
    page.keyboard.press("5")
    page.keyboard.press("3")
    page.wait_for_selector(SAVED)
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert set(Rating.objects.values_list("question__slug", "first_grade")) == {("formality", 5), ("fluency", 3)}


def test_by_finger_on_a_narrow_screen_one_always_knows_which_is_which(browser, bundle, live_server, mona, stage):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    session = signed_in(mona).cookies["sessionid"].value
    context.add_cookies(cookies(live_server, sessionid=session, django_language="ar"))
    page = context.new_page()
    page.goto(f"{live_server.url}/tasks/{turn_of(mona, stage).uuid}/")
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    switch = page.locator(".rate-switch__place")

    def reading() -> list[int]:
        return [place for place in range(2) if switch.nth(place).get_attribute("aria-current")]

    for place in (1, 0):
        switch.nth(place).tap()
        at_rest(page)
        assert reading() == [place]
        box = switch.nth(place).bounding_box()
        assert 0 <= box["y"] < 200, "the switch stays in sight"
    # The same place of the other response: half of A leads to half of B.
    switch.nth(0).tap()
    at_rest(page)
    half = "{top: document.getElementById('side-A').offsetHeight / 2, behavior: 'instant'}"
    page.evaluate(f"window.scrollBy({half})")
    switch.nth(1).tap()
    at_rest(page)
    assert reading() == [1]
    gone = page.evaluate("-document.getElementById('side-B').getBoundingClientRect().top")
    assert gone > 0.25 * page.evaluate("document.getElementById('side-B').offsetHeight")
    switch.nth(0).tap()
    at_rest(page)
    assert page.locator(".scale__digit").first.is_visible(), "keys are not shown by touch, grades are"
    for grade in (3, 1):  # in front is what is graded next
        page.locator(".scale:visible .choice").nth(grade).tap()
    side_a, side_b = sides(page)
    assert draft(page)["ratings"][0] == rating(**{side_a: 4, side_b: 2})
    smallest = page.evaluate(
        """Math.min(...[...document.querySelectorAll('.answer--current .scale__grade > span')]
            .map(one => one.offsetHeight))"""
    )
    assert smallest >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with page.expect_navigation():
        page.locator(".panel__actions .btn-primary").tap()
    assert Rating.objects.count() == 1
    context.close()


@pytest.mark.parametrize(
    ("language", "theme", "width"), [("en", "light", 1280), ("ar", "dark", 1280), ("bn", "light", 360)]
)
def test_the_screen_has_no_barrier(at_work, mona, stage, language, theme, width):
    page = at_work(mona, stage, language)
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate(f"document.documentElement.dataset.bsTheme = '{theme}'")
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")  # with what is missing named
    page.locator(".level summary").first.click()
    found = Axe().run(at_rest(page)).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []


def test_a_low_grade_asks_why_and_brings_up_the_question_after_it(at_work, project, question, mona):
    question_type(project, "fluency", dimension="fluency")
    add_response(project, "alone", "صباح الخير", "ar-EG")
    stage = rating_stage(project, "ratings")
    low = {"needs": "comment", "at_most": 2, "question": ["formality"], "message": "Why so low?"}
    change_rules(stage, [low, {"ask": ["fluency"], "after": "formality", "at_most": 2}])
    page = at_work(mona, stage)
    assert page.locator("#question-fluency").is_hidden()
    page.keyboard.press("2")
    page.locator("#question-fluency").wait_for(state="visible")
    page.keyboard.press("4")
    page.keyboard.press("Control+Enter")
    assert page.locator(".error-summary li").all_inner_texts() == ["Formality, Comment: Why so low?"]
    assert focused(page, "at.id") == "formality-comment"
    assert page.locator("#formality-comment-problem").inner_text() == "Why so low?"
    # A better grade asks for neither, and what was said to the second question is not handed in.
    page.locator("#question-formality").get_by_role("radio").nth(4).check(force=True)
    page.locator("#question-fluency").wait_for(state="hidden")
    page.wait_for_selector(SAVED)
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert list(Rating.objects.values_list("question__slug", "first_grade")) == [("formality", 5)]
