"""Salma writes a rubric: types, moves criteria about, mends what the check remarks on, tries the prompt, freezes."""

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.frontend.authoring import EMPTY, AuthoringHarness, criterion
from tests.frontend.conftest import SAVED
from tests.frontend.settling import at_rest, until

pytestmark = pytest.mark.browser

ARABIC = {
    "scope": "cultural",
    "prompt": "إيه حكاية عروسة المولد؟",
    "gold_answer": "حلوى من السكر، ومعاها الحمص.",
    "criteria": [
        criterion("c1", "بيقول إنها من السكر", 8, band="core-term", objectivity="objective", explicitness="explicit"),
        criterion("c2", "بيذكر المولد وأصل الحكاية", 5, objectivity="objective", explicitness="implicit"),
        criterion("c3", "مكتوب بالعامية", 4, band="dialect", objectivity="subjective", explicitness="implicit"),
    ],
    "accepted": [],
}
STACKED = {
    "code": "stacked",
    "principle": "Atomic",
    "criterion": "c2",
    "words": "وأصل الحكاية",
    "message": "This asks for two things at once.",
    "start": 12,
    "end": 24,
}
COFFEE = {**EMPTY, "prompt": "Where does kopi luwak come from?"}


class Authoring:
    """The page as its author uses it."""

    def __init__(self, page, harness: AuthoringHarness) -> None:
        self.page, self.server, self.url = page, harness.state, harness.url
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if "Security Policy" in said.text else None)

    def open(self) -> "Authoring":
        self.page.goto(f"{self.url}/task/3")
        return self.ready()

    def ready(self) -> "Authoring":
        self.page.wait_for_selector("html[data-authoring=ready]")
        return self

    def draft(self) -> dict:
        return self.page.evaluate("mizanAuthoring.document.serialise()")

    def texts(self) -> list[str]:
        return [each["text"] for each in self.draft()["criteria"]]

    def keys(self) -> list[str]:
        return [each["key"] for each in self.draft()["criteria"]]

    def shown(self) -> list[str]:
        return self.page.eval_on_selector_all(
            ".criteria > li", "cards => cards.map(({ id }) => id.replace('criterion-', ''))"
        )

    def card(self, number: int):
        return self.page.locator(".criterion").nth(number - 1)

    def saved(self) -> None:
        at_rest(self.page)
        self.page.wait_for_selector(SAVED)
        assert self.server.draft == self.draft()

    def said(self, text: str) -> None:
        self.page.locator("#span-announcer", has_text=text).wait_for(state="attached")

    def button(self, name: str, **more):
        return self.page.get_by_role("button", name=name, **more)


@pytest.fixture
def author(page, bundle) -> Iterator[Callable[..., Authoring]]:
    started: list[tuple[AuthoringHarness, Authoring]] = []

    def open_screen(**values: object) -> Authoring:
        harness = AuthoringHarness(**values)
        one = Authoring(page, harness)
        started.append((harness, one))
        return one.open()

    yield open_screen
    for harness, one in started:
        harness.close()
        assert one.errors == []


def arabic(author, **more) -> Authoring:
    values = {"draft": ARABIC, "lang": "ar-EG", "dir": "rtl", "page_lang": "ar", "page_dir": "rtl"} | more
    return author(**values)


def test_what_is_typed_is_what_the_server_holds(author):
    one = author()
    page = one.page
    page.get_by_role("radio", name="Linguistics").check()
    page.get_by_label("Prompt", exact=True).fill("Where does kopi luwak come from?")
    page.get_by_label("Gold answer", exact=True).fill("From Sumatra and Java.")
    one.button("Add a criterion").click()
    assert page.evaluate("document.activeElement.matches('.criterion textarea')"), "typing can begin at once"
    page.keyboard.type("Names Sumatra")
    card = one.card(1)
    card.get_by_label("Weight").fill("9")
    card.get_by_label("Band").select_option("core-term")
    card.get_by_role("radio", name="Objective").check()
    card.get_by_role("radio", name="Explicit").check()
    one.saved()
    [written] = one.server.draft["criteria"]
    assert {**written, "key": ""} == criterion(
        "", "Names Sumatra", 9, band="core-term", objectivity="objective", explicitness="explicit"
    )
    assert (one.server.draft["scope"], one.server.draft["gold_answer"]) == ("linguistics", "From Sumatra and Java.")
    before = one.draft()
    page.reload()
    assert one.ready().draft() == before


@pytest.mark.parametrize(("typed", "read"), [("8", 8), ("٨", 8), ("১২", 12), (" 10 ", 10), ("100", 100)])
def test_weights_are_read_in_the_digits_of_the_author(author, typed, read):
    one = author(draft={**EMPTY, "criteria": [criterion("c1")]})
    one.card(1).get_by_label("Weight").fill(typed)
    assert one.draft()["criteria"][0]["weight"] == read
    one.page.get_by_label("Prompt", exact=True).focus()
    assert one.card(1).get_by_label("Weight").input_value() == str(read)


@pytest.mark.parametrize("typed", ["0", "-101", "2.5", "101", "eight"])
def test_what_is_no_weight_is_said_to_be_none(author, typed):
    one = author(draft={**EMPTY, "criteria": [criterion("c1", weight=4)]})
    one.card(1).get_by_label("Weight").fill(typed)
    one.page.get_by_text("A whole number from 1 to 100, or with a minus before it.").wait_for()
    assert one.card(1).get_by_label("Weight").input_value() == typed, "what was typed is left for mending"
    assert one.draft()["criteria"][0]["weight"] is None


def test_the_maximum_is_summed_as_weights_are_typed(author):
    one = arabic(author)
    total = one.page.locator(".criteria__sum")
    assert "3 criteria · maximum 17" in total.inner_text()
    one.card(1).get_by_label("Weight").fill("20")
    assert "maximum 29" in total.inner_text()
    one.page.get_by_text("Outside its band: Core term identification goes from 8 to 10.").wait_for()
    one.card(1).get_by_label("Weight").fill("10")
    one.page.get_by_text("Outside its band").wait_for(state="detached")


def test_criteria_are_moved_by_keyboard_and_the_hand_stays_on_them(author):
    one = arabic(author)
    page = one.page
    field = one.card(1).locator("textarea")
    field.focus()
    page.keyboard.press("Alt+ArrowDown")
    assert one.keys() == one.shown() == ["c2", "c1", "c3"]
    one.said("Moved to place 2 of 3")
    assert page.evaluate("document.activeElement.id") == "criterion-c1-text"
    page.keyboard.type("!")
    assert "!" in one.texts()[1], "the caret is where it was"
    page.locator("#criterion-c1 .criterion__grip").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")  # already last
    assert one.keys() == one.shown() == ["c2", "c3", "c1"]
    page.locator("#criterion-c3").get_by_role("button", name="Move up").click()
    assert one.shown() == ["c3", "c2", "c1"]
    assert page.locator("#criterion-c3").get_by_role("button", name="Move up").is_disabled()
    one.saved()


def grip(one: Authoring, key: str) -> tuple[float, float]:
    box = one.page.locator(f"#criterion-{key} .criterion__grip").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def below(one: Authoring, key: str) -> float:
    box = one.page.locator(f"#criterion-{key}").bounding_box()
    return box["y"] + box["height"] + 3


def test_a_criterion_is_dragged_to_the_end(author):
    one = arabic(author)
    one.page.locator("#criterion-c1").scroll_into_view_if_needed()
    mouse = one.page.mouse
    x, y = grip(one, "c1")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x, y + 8)
    one.page.wait_for_selector(".criteria--sorting")
    mouse.move(x, below(one, "c3"), steps=4)
    mouse.up()
    assert one.keys() == one.shown() == ["c2", "c3", "c1"]
    assert one.page.locator(".criteria--sorting").count() == 0
    one.page.keyboard.press("Control+z")
    assert one.shown() == ["c1", "c2", "c3"]


def test_escape_gives_a_drag_up(author):
    one = arabic(author)
    one.page.locator("#criterion-c2").scroll_into_view_if_needed()
    x, y = grip(one, "c2")
    one.page.mouse.move(x, y)
    one.page.mouse.down()
    one.page.mouse.move(x, y - 200, steps=4)
    one.page.keyboard.press("Escape")
    one.page.mouse.up()
    assert one.shown() == ["c1", "c2", "c3"]


def test_a_finger_drags_too(author, page):
    page.set_viewport_size({"width": 360, "height": 740})
    one = arabic(author)
    one.page.locator("#criterion-c3").scroll_into_view_if_needed()
    touch = one.page.context.new_cdp_session(one.page)
    x, y = grip(one, "c3")

    def finger(kind: str, at: float | None = None) -> None:
        points = [] if at is None else [{"x": x, "y": at}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    finger("touchStart", y)
    finger("touchMove", y - 10)
    one.page.wait_for_selector(".criteria--sorting")
    top = one.page.locator("#criterion-c1").bounding_box()["y"] - 2
    finger("touchMove", top)
    finger("touchEnd")
    assert one.shown() == ["c3", "c1", "c2"]


def test_a_deleted_criterion_comes_back_with_what_was_kept_about_it(author):
    kept = {"code": "stacked", "criterion": "c2", "words": "وأصل الحكاية", "reason": "واحد"}
    one = arabic(author, draft={**ARABIC, "accepted": [kept]}, findings=[STACKED])
    one.card(2).get_by_role("button", name="Delete this criterion").click()
    assert (one.shown(), one.draft()["accepted"]) == (["c1", "c3"], [])
    one.said("Criterion 2 deleted. Undo brings it back.")
    one.page.keyboard.press("Control+z")
    assert (one.shown(), one.draft()["accepted"]) == (["c1", "c2", "c3"], [kept])
    one.page.keyboard.press("Control+Shift+z")
    assert one.shown() == ["c1", "c3"]
    one.saved()


def test_single_keys_choose_add_and_delete_but_never_while_typing(author):
    one = arabic(author)
    press = one.page.keyboard.press
    one.card(2).locator("textarea").focus()
    press("2")
    assert one.texts()[1].endswith("2") or one.texts()[1].startswith("2")
    press("Escape")
    assert one.page.evaluate("document.activeElement.id") == "criterion-c2"
    press("2")
    press("3")
    chosen = one.draft()["criteria"][1]
    assert (chosen["objectivity"], chosen["explicitness"]) == ("subjective", "explicit")
    press("Backspace")
    assert one.shown() == ["c1", "c3"]
    press("a")
    assert len(one.shown()) == 3
    press("Escape")
    press("?")
    one.page.get_by_text("Move the criterion you are in").wait_for()


def test_typing_is_one_step_back_until_there_is_a_pause(author):
    one = author(draft=COFFEE)
    one.page.evaluate("() => { const now = performance.now(); performance.now = () => now; }")  # no pause, however slow
    one.page.get_by_label("Prompt", exact=True).press_sequentially(" And Java?")
    one.button("Undo").click()
    assert one.page.get_by_label("Prompt", exact=True).input_value() == COFFEE["prompt"]


def test_two_versions_are_shown_and_combined(author):
    one = arabic(author)
    theirs = {**ARABIC, "criteria": [*ARABIC["criteria"], criterion("c9", "من تليفون", 3)]}
    one.server.draft, one.server.version = theirs, 7
    one.page.get_by_label("Gold answer", exact=True).fill("حلوى")
    one.page.get_by_text("This rubric was also changed elsewhere").wait_for()
    one.button("Combine both").click()
    one.saved()
    assert one.draft()["gold_answer"] == "حلوى"
    assert one.keys() == ["c1", "c2", "c3", "c9"]


def test_nothing_typed_offline_is_lost(author):
    one = author(draft=COFFEE)
    one.page.wait_for_selector(SAVED)
    one.page.context.set_offline(True)
    one.page.get_by_label("Gold answer", exact=True).fill("Sumatra")
    one.page.wait_for_selector("#save-state[data-state=offline]")
    one.page.get_by_text("The wording is checked again when you are back.").wait_for()
    one.page.context.set_offline(False)
    one.page.get_by_text("The wording is checked again").wait_for(state="detached")
    one.saved()
    assert one.server.draft["gold_answer"] == "Sumatra"
    assert one.server.lints[-1]["gold_answer"] == "Sumatra"


def test_a_remark_stands_beside_its_words_and_is_kept_with_a_reason(author):
    one = arabic(author, findings=[STACKED])
    page = one.page
    remark = one.card(2).locator(".finding")
    remark.get_by_text("This asks for two things at once.").wait_for()
    assert remark.locator("strong").inner_text() == "Atomic"
    assert one.card(2).locator(".grow__mirror mark").inner_text() == "وأصل الحكاية"
    remark.get_by_role("button", name="Keep it, with a reason").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Keep it").click()
    assert dialog.is_visible(), "a reason is asked for"
    dialog.get_by_role("textbox").fill("الاتنين حاجة واحدة")
    dialog.get_by_role("button", name="Keep it").click()
    one.saved()
    assert one.server.draft["accepted"] == [
        {"code": "stacked", "criterion": "c2", "words": "وأصل الحكاية", "reason": "الاتنين حاجة واحدة"}
    ]
    assert remark.get_by_text("الاتنين حاجة واحدة").is_visible()
    assert one.card(2).locator(".grow__mirror mark").count() == 0
    remark.get_by_role("button", name="Take back").click()
    assert one.draft()["accepted"] == []
    assert one.card(2).locator(".grow__mirror mark").count() == 1


@pytest.mark.parametrize(
    ("language", "direction", "sentence", "words"),
    [
        (
            "en",
            "ltr",
            "It says where the coffee is grown and how it is made, and it names the island. ",
            "how it is made",
        ),
        ("ar-EG", "rtl", "بيقول القهوة بتتزرع فين وبتتعمل إزاي، وبيذكر اسم الجزيرة. ", "وبتتعمل إزاي"),
        (
            "ko-KR",
            "ltr",
            "커피가 어디에서 자라고 어떻게 만들어지는지, 그리고 섬의 이름을 말한다. ",
            "어떻게 만들어지는지",
        ),
        ("bn-BD", "ltr", "কফি কোথায় জন্মায় আর কীভাবে তৈরি হয় তা বলে, দ্বীপের নামও বলে। ", "কীভাবে তৈরি হয়"),
        ("id", "ltr", "Menyebut tempat kopi ditanam dan cara membuatnya, serta nama pulaunya. ", "cara membuatnya"),
    ],
)
def test_marks_lie_behind_their_letters(author, language, direction, sentence, words):
    finding = {**STACKED, "criterion": "c1", "words": words}
    written = {**EMPTY, "criteria": [criterion("c1", sentence * 4)]}
    one = author(draft=written, findings=[finding], lang=language, dir=direction)
    one.page.wait_for_selector(".grow__mirror mark")
    heights = (
        one.card(1)
        .locator(".grow")
        .evaluate("({ children: [mirror, field] }) => [mirror.clientHeight, field.clientHeight, field.scrollHeight]")
    )
    assert heights[1] == heights[0] == heights[2], "nothing of the text is scrolled away from its marks"


def test_the_wording_is_checked_after_a_pause_and_not_at_every_key(author):
    one = author(draft=COFFEE)
    clock = one.page.clock
    until(one.page, lambda: len(one.server.lints) == 1)
    one.server.findings = [{**STACKED, "criterion": "", "words": "Sumatra"}]
    clock.install()
    clock.pause_at(one.page.evaluate("Date.now() / 1000 + 1"))
    for letter in "From Sumatra.":
        one.page.get_by_label("Gold answer", exact=True).press_sequentially(letter)
        clock.run_for(20)
    clock.run_for(500)
    clock.resume()
    one.said("1 remark")
    one.page.wait_for_timeout(600)
    assert len(one.server.lints) == 2
    assert one.server.lints[-1]["gold_answer"] == "From Sumatra."


def test_a_prompt_answered_perfectly_is_revised_before_it_can_be_frozen(author):
    one = arabic(author)
    page = one.page
    page.get_by_label("Which model?").fill("Nile-7B")
    page.get_by_role("radio", name="Answered perfectly").check()
    one.button("Record the check").click()
    page.get_by_text("A prompt that is answered perfectly tells no models apart").wait_for()
    page.keyboard.press("Control+Enter")
    page.get_by_text("Not frozen yet. Nothing is lost; this is still missing:").wait_for()
    assert one.server.posts == []
    one.button("Revise the prompt").click()
    page.keyboard.press("End")
    page.keyboard.type(" وليه؟")
    page.get_by_text("so that check no longer holds").wait_for()
    page.get_by_label("Which model?").fill("Nile-7B")
    page.get_by_role("radio", name="Answered in part").check()
    one.button("Record the check").click()
    page.locator(".difficulty__state .notice--good").wait_for()
    assert [check["outcome"] for check in one.server.checks] == ["perfect", "partial"]
    one.saved()
    page.keyboard.press("Control+Enter")
    dialog = page.get_by_role("dialog")
    assert "3 criteria with their weights" in dialog.inner_text()
    assert "17 points" in dialog.inner_text()
    assert one.draft()["prompt"] in dialog.inner_text()
    with page.expect_navigation():
        dialog.get_by_role("button", name="Freeze").click()
    assert [post["body"] for post in one.server.posts] == [one.server.draft]


ASKER = {"model": "Nile-7B", "url": "/api/ask"}


def test_the_answer_of_a_model_is_shown_once_and_kept_nowhere(author):
    one = author(draft=COFFEE, asker=ASKER, answer="It comes from Brazil.")
    page = one.page
    one.button("Try it on Nile-7B").click()
    page.get_by_text("It comes from Brazil.").wait_for()
    assert one.server.asked == [{"prompt": COFFEE["prompt"]}]
    one.button("Failed").click()
    page.locator(".difficulty__state .notice--good").wait_for()
    assert page.get_by_text("It comes from Brazil.").count() == 0
    assert one.server.checks[0]["outcome"] == "failed"
    kept = page.evaluate(
        "JSON.stringify([{...localStorage}, {...sessionStorage}, mizanAuthoring.document.serialise()])"
    )
    assert "Brazil" not in kept


def test_waiting_for_a_model_can_be_given_up(author):
    one = author(draft=COFFEE, asker=ASKER, thinks=60)
    one.button("Try it on Nile-7B").click()
    one.page.get_by_text("Waiting for Nile-7B…").first.wait_for()
    one.button("Cancel").click()
    one.page.get_by_text("You stopped waiting.").wait_for()
    assert one.page.locator(".difficulty__answer").count() == 0


def test_an_answer_left_unmarked_is_asked_for_after_reloading(author):
    one = author(draft=COFFEE, asker=ASKER)
    one.button("Try it on Nile-7B").click()
    one.page.wait_for_selector(".difficulty__answer")
    one.page.reload()
    one.ready()
    one.page.get_by_text("how it did was not said yet").wait_for()
    one.button("Answered in part").click()
    one.page.locator(".difficulty__state .notice--good").wait_for()


def test_what_is_missing_is_named_and_the_first_of_it_is_gone_to(author):
    one = author(draft={**COFFEE, "scope": "cultural", "gold_answer": "Sumatra", "criteria": [criterion("c1", "x", 3)]})
    one.server.begin(COFFEE["prompt"], "Nile-7B")["outcome"] = "failed"
    one.page.reload()
    one.ready()
    one.page.keyboard.press("Control+Enter")
    one.page.get_by_text("Not frozen yet.").wait_for()
    assert one.page.evaluate("document.activeElement.name") == "criterion-c1-objectivity"
    assert one.card(1).get_by_text("Say whether this is objective or subjective.").is_visible()
    one.card(1).get_by_role("radio", name="Objective").check()
    one.card(1).get_by_role("radio", name="Implicit").check()
    one.page.get_by_text("Not frozen yet.").wait_for(state="hidden")


def test_what_the_server_refuses_stands_at_its_field(author):
    one = arabic(author)
    one.server.begin(ARABIC["prompt"], "Nile-7B")["outcome"] = "partial"
    one.page.reload()
    one.ready()
    problem = {"code": "not_positive", "field": "weight", "span": "c3", "message": "A weight above 0.", "line": None}
    one.page.keyboard.press("Control+Enter")
    one.page.wait_for_selector("dialog[open]")
    one.server.refuse.append((422, {"error": {"code": "invalid", "message": "No.", "problems": [problem]}}))
    one.page.get_by_role("dialog").get_by_role("button", name="Freeze").click()
    one.card(3).get_by_text("A weight above 0.").wait_for()
    assert one.page.evaluate("document.activeElement.id") == "criterion-c3-weight"
    assert one.card(3).locator("textarea").is_editable()


def test_a_second_author_is_asked_about_what_is_saved(author):
    one = arabic(author, settings={"needs_difficulty_check": False, "needs_review": True})
    one.page.get_by_label("Gold answer", exact=True).fill("حلوى من السكر.")
    one.button("Ask for a review").click()
    one.page.get_by_text("A second author is asked. You can write on meanwhile").wait_for()
    assert one.server.draft == one.draft()
    one.card(1).get_by_label("Weight").fill("10")
    one.page.get_by_text("You have changed the rubric since you asked for the review.").wait_for()


def test_discarding_asks_why(author):
    one = arabic(author)
    one.button("Discard this rubric").click()
    one.page.get_by_text("It is taken out of your work for good.").wait_for()
    with one.page.expect_navigation():
        one.page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    assert one.server.skips == [{"reason": "dialect", "note": ""}]


def test_a_frozen_rubric_is_read_and_cannot_be_changed(author):
    kept = {"code": "stacked", "criterion": "c2", "words": "وأصل الحكاية", "reason": "حاجة واحدة"}
    frozen = {**ARABIC, "accepted": [kept]}
    one = arabic(author, draft=frozen, read_only=True)
    assert one.card(2).locator(".finding").get_by_text("حاجة واحدة").is_visible()
    assert one.page.get_by_role("navigation", name="Steps").get_by_role("link").count() == 5, "nothing to freeze"
    assert one.page.locator("#rubric-prompt").get_attribute("readonly") == ""
    one.page.locator("#criterion-c1").focus()
    for key in ["2", "Backspace", "a", "n", "Alt+ArrowDown", "Control+Enter", "Control+z"]:
        one.page.keyboard.press(key)
    assert one.draft() == frozen
    assert one.page.locator(".criterion__grip, .criterion__tools, #authoring-steps .btn").count() == 0
    assert one.server.lints == one.server.posts == []


def test_a_new_version_keeps_its_prompt(author):
    one = arabic(author, prompt_is_fixed=True, settings={"needs_difficulty_check": False, "needs_review": False})
    assert one.page.locator("#rubric-prompt").get_attribute("readonly") == ""
    one.page.get_by_text("A new version keeps its prompt.").wait_for()
    one.page.keyboard.press("Control+Enter")
    one.page.get_by_text("Freeze this rubric?").wait_for()


def test_a_new_version_of_what_was_never_tried_says_that_it_is_to_be_tried(author):
    one = arabic(author, prompt_is_fixed=True, checks=[])
    one.page.keyboard.press("Control+Enter")
    one.page.get_by_text("Not frozen yet").wait_for()
    assert one.page.locator("#difficulty .tag").inner_text() == "open"


def test_a_language_that_is_hardly_checked_says_so(author):
    one = author(draft=COFFEE, limits="The words of this language are not known here.")
    one.page.locator("#criteria").get_by_text("The words of this language are not known here.").wait_for()


def test_a_rubric_taken_away_leads_to_the_authors_own_and_not_to_a_next_one(author):
    one = author(draft=COFFEE)
    one.server.refuse = [(409, {"error": {"code": "lease_lost", "message": ""}})] * 5  # the lint is refused as well
    one.page.get_by_label("Gold answer", exact=True).fill("Sumatra")
    link = one.page.locator("#authoring-notices").get_by_role("link", name="Your rubrics")
    link.wait_for()
    assert link.get_attribute("href") == "/rubrics"


def test_what_was_frozen_before_its_review_came_asks_for_nothing(author):
    asked = {"decision": "", "remarks": "", "asked_at": "2026-01-02T12:00:00Z", "holds": True}
    one = arabic(author, read_only=True, review=asked)
    assert one.page.locator("#review .notice:visible").count() == 0


def test_the_steps_say_what_is_done_and_lead_there(author):
    one = author(draft=COFFEE)
    rail = one.page.get_by_role("navigation", name="Steps")
    assert "done" in rail.get_by_role("link", name="Prompt").inner_text()
    assert "open" in rail.get_by_role("link", name="Gold answer").inner_text()
    rail.get_by_role("link", name="Gold answer").click()
    assert one.page.evaluate("document.activeElement.id") == "gold-title"
    one.page.get_by_label("Gold answer", exact=True).fill("Sumatra")
    assert "done" in rail.get_by_role("link", name="Gold answer").inner_text()


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_it_fits_a_narrow_phone(author, page, direction):
    page.set_viewport_size({"width": 360, "height": 740})
    one = arabic(author, findings=[STACKED], asker=ASKER, page_dir=direction)
    one.page.wait_for_selector(".finding")
    assert one.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_no_barrier_is_found_by_axe(author, theme, direction):
    kept = {"code": "kept", "criterion": "c1", "words": "السكر", "reason": "لازم"}
    findings = [STACKED, {**STACKED, "code": "kept", "criterion": "c1", "words": "السكر"}]
    one = arabic(author, draft={**ARABIC, "accepted": [kept]}, findings=findings, page_dir=direction)
    one.page.emulate_media(reduced_motion="reduce")
    one.page.evaluate(f"mizanTheme.set('{theme}')")
    one.page.wait_for_selector(".finding--kept")
    assert barriers(one) == []
    one.card(1).get_by_label("Weight").fill("none")
    one.page.keyboard.press("Control+Enter")
    one.page.get_by_text("Not frozen yet.").wait_for()
    assert barriers(one) == []
    one.card(2).get_by_role("button", name="Keep it, with a reason").click()
    assert barriers(one) == []


def barriers(one: Authoring) -> list[str]:
    found = Axe().run(at_rest(one.page)).response["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]
