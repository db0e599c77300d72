"""Marks and parts in one task in a real browser: a study of ten lines, by keyboard, in Arabic, on a phone, off line and
with two tabs; what was handed in leaves the project and comes back."""

import io
import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.models import Marking, QuestionnaireAnswer, Span
from formats.importing.running import run_import
from formats.project_file.applying import create_from_file
from formats.reading import Source
from projects.models import Project
from reports.frames import questionnaires
from tests.annotation.rated import question_type
from tests.annotation.test_mark_and_answer_parts import CHANGE, FILE, SEND
from tests.frontend.application import at_item  # noqa: F401
from tests.frontend.settling import at_rest
from tests.people import EGYPTIAN, add_response, join, person
from workflow.answer_rules import change_rules
from workflow.layouts import change_layout
from workflow.models import Draft
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READY = "html[data-span-editor=ready]"
SAVED = "#save-state[data-state=saved]"
NO = f"#question-{SEND} input[value=No]"
TEXT = f"#{CHANGE}-field"


@pytest.fixture
def study(db) -> Project:
    project = create_from_file(FILE.encode(), "letters").project
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    plan_items(project.stages.get())
    return project


@pytest.fixture
def stage(study):
    return study.stages.get()


@pytest.fixture
def translator(study):
    return join(person("mona@x.org", "Mona Adel"), study, "annotator", varieties=("ar-EG",))


@pytest.fixture
def page(page):
    page.set_viewport_size({"width": 1400, "height": 900})
    return page


def draft(page) -> dict:
    return page.evaluate("mizanSpans.document.serialise()")


def in_arabic(page) -> None:
    page.context.add_cookies([{"name": "django_language", "value": "ar", "url": page.url.split("/tasks")[0]}])
    page.reload()
    page.wait_for_selector(READY)


def mark_first_word(page) -> None:
    page.focus("#span-text")
    page.keyboard.press("Enter")  # its start
    page.keyboard.press("Enter")  # its end
    page.fill("#span-explanation", "Nobody says so.")


def test_in_arabic_by_keyboard_alone_and_out_and_in_again(at_item, translator, study, stage):  # noqa: F811
    page = at_item(translator, stage)
    in_arabic(page)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert page.get_by_text("Mark every error").is_visible()
    mark_first_word(page)
    page.keyboard.press("Escape")
    page.keyboard.press("g")  # the first question that is open
    page.keyboard.press("2")
    assert page.is_checked(NO)
    page.keyboard.press("0")  # no answer is printed on it, and it does not say that there are no errors
    assert (draft(page)["answers"], draft(page)["no_errors"]) == ({SEND: "No"}, False)
    page.keyboard.press("g")
    page.keyboard.type("غيّر كل شيء x 2")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "span-text"
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    said = {SEND: "No", CHANGE: "غيّر كل شيء x 2"}
    row = QuestionnaireAnswer.objects.get()
    assert (row.answers, row.assignment) == (said, Marking.objects.get().assignment)

    rows = questionnaires(study).to_dict("records")
    assert {one["question"]: one["value"] for one in rows} == said
    again = create_from_file(FILE.encode(), "again").project
    add_response(again, "koshari", EGYPTIAN, "ar-EG")
    marked = Span.objects.get()
    lines = {
        "answers": {
            "kind": "spans",
            "item": "koshari",
            "rater": "Mona",
            "rater_kind": "human",
            "spans": [{"id": "m", "start": marked.start, "end": marked.end, "quote": marked.quote, "explanation": "x"}],
        },
        "questionnaire-answers": {"stage": "Marking", "item": "koshari", "rater": "Mona", "answers": said},
    }
    for kind, line in lines.items():
        assert run_import(again, Source(io.BytesIO(json.dumps(line).encode())), kind).is_stored
    assert QuestionnaireAnswer.objects.get(stage__project=again).answers == said
    assert Span.objects.get(response__project=again).quote == marked.quote


def test_what_is_missing_is_named_and_found(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    page.focus("#span-text")
    page.keyboard.press("0")
    page.keyboard.press("Control+Enter")
    summary = page.locator(".error-summary")
    summary.get_by_role("button", name="Would you send it?").wait_for()
    page.locator(f"#question-{SEND}").get_by_text("An answer is missing.").wait_for()
    assert page.evaluate(f"document.activeElement.closest('#question-{SEND}') !== null"), "it has the focus"
    assert not Marking.objects.exists()
    assert Axe().run(page).violations_count == 0
    page.check(NO, force=True)
    summary.wait_for(state="hidden")
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/my-work/")
    assert (Marking.objects.get().no_errors, QuestionnaireAnswer.objects.get().answers) == (True, {SEND: "No"})


def test_one_undo_takes_back_marks_and_answers_in_their_order(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    page.check(NO, force=True)
    mark_first_word(page)
    page.fill(TEXT, "كلام")
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    assert page.input_value(TEXT) == ""
    undo.click()  # what was explained
    undo.click()  # the mark
    assert draft(page) == {"no_errors": False, "spans": [], "answers": {SEND: "No"}}
    undo.click()
    assert not page.is_checked(NO)
    redo = page.get_by_role("button", name="Redo")
    for _step in range(4):
        redo.click()
    assert (page.is_checked(NO), page.input_value(TEXT), len(draft(page)["spans"])) == (True, "كلام", 1)


def test_backspace_in_an_answer_deletes_no_mark(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    mark_first_word(page)
    page.check(NO, force=True)
    page.focus(NO)
    page.keyboard.press("Backspace")
    assert len(draft(page)["spans"]) == 1
    page.focus("#span-text")
    page.keyboard.press("Backspace")
    assert draft(page)["spans"] == []


def test_off_line_it_waits_and_is_there_after_a_reload(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    page.route("**/draft", lambda route: route.abort())
    page.check(NO, force=True)
    page.fill(TEXT, "🙂 ok")
    page.locator("#save-state[data-state=offline], #save-state[data-state=retrying]").first.wait_for()
    page.unroute("**/draft")
    page.reload()
    page.wait_for_selector(READY)
    assert (page.is_checked(NO), page.input_value(TEXT)) == (True, "🙂 ok")
    page.wait_for_selector(SAVED)
    assert Draft.objects.get().body["answers"] == {SEND: "No", CHANGE: "🙂 ok"}


def test_another_answer_saved_elsewhere_is_shown_and_chosen(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(READY)
    other.check(f"#question-{SEND} input[value=Yes]", force=True)
    other.wait_for_selector(SAVED)
    page.check(NO, force=True)
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    versions = dialog.locator(".conflict__version").all_inner_texts()
    assert ["Would you send it?: No" in versions[0], "Would you send it?: Yes" in versions[1]] == [True, True]
    dialog.get_by_role("button", name="Use the one saved elsewhere").click()
    page.wait_for_selector(SAVED)
    assert draft(page)["answers"] == {SEND: "Yes"}
    page.get_by_role("button", name="Undo").click()
    assert page.is_checked(NO)


PLACES = """[scrollY, ...['#span-text', '.panel__opener', '.panel-sheet__steps'].map((one) => {
    const { top, left } = document.querySelector(one).getBoundingClientRect();
    return [top, left];
})]"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_on_a_phone_the_parts_come_one_by_one_in_a_sheet_below_a_text_that_stays(
    at_item,  # noqa: F811
    translator,
    stage,
    study,
    language,
):
    stage.scored_on = question_type(study, "overall")
    stage.save()
    page = at_item(translator, stage)
    page.set_viewport_size({"width": 360, "height": 740})
    if language == "ar":
        in_arabic(page)
    at_rest(page)
    opener, sheet, parts = (
        page.locator(".panel__opener"),
        page.locator("#span-asked"),
        page.locator("#span-asked > section"),
    )
    assert (sheet.is_visible(), opener.get_attribute("aria-expanded")) == (False, "false")
    assert "0 / 3" in opener.inner_text()
    text = page.locator("#span-text").bounding_box()
    opener.click()
    at_rest(page)
    places = page.evaluate(PLACES)
    assert places[0] == 0
    assert page.locator("#span-text").bounding_box() == text, "the text stays"
    shown = []
    for place in range(3):
        assert parts.locator("visible=true").count() == 1
        shown.append(parts.locator("visible=true").get_attribute("id"))
        assert page.locator(".panel-sheet__place").inner_text() == f"{place + 1} / 3"
        assert page.evaluate(PLACES) == places, "and so do the buttons, however tall the part is"
        box, bar = sheet.bounding_box(), page.locator(".panel__actions").bounding_box()
        assert box["y"] > 740 * 0.4
        assert abs(box["y"] + box["height"] - bar["y"]) < 2
        page.locator(".panel-sheet__steps button").last.click()
        at_rest(page)
    assert shown == ["question-.score", f"question-{SEND}", f"question-{CHANGE}"]
    page.locator(".panel-sheet__steps button").first.click()
    page.locator(f"#question-{SEND} label:has(input[value=No])").click()
    at_rest(page)
    assert draft(page)["answers"] == {SEND: "No"}
    assert page.evaluate(PLACES) == places
    assert "1 / 3" in opener.inner_text()
    assert page.locator(".panel__actions").bounding_box()["height"] < 64, "the buttons stand in one line"
    for button in page.locator(".panel__actions button").all():
        box = button.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= 360
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    opener.click()
    at_rest(page)
    assert sheet.is_hidden()
    assert page.locator("#span-text").bounding_box() == text


def test_on_a_phone_the_sheet_gives_way_to_the_text_and_a_missing_answer_opens_it(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    page.set_viewport_size({"width": 360, "height": 740})
    at_rest(page)
    opener, sheet = page.locator(".panel__opener"), page.locator("#span-asked")
    opener.click()
    assert sheet.is_visible()
    page.focus("#span-text")
    page.keyboard.press("ArrowRight")
    assert sheet.is_hidden(), "the words that one chooses from are not under it"
    page.keyboard.press("0")
    opener.click()
    page.keyboard.press("Escape")
    assert sheet.is_hidden()
    page.get_by_role("button", name="Submit").click()
    at_rest(page)
    assert page.locator(f"#question-{SEND}").get_by_text("An answer is missing.").is_visible()
    assert page.evaluate("scrollY") == 0
    opener.click()
    page.get_by_role("button", name="There are no errors").click()  # takes it back
    page.focus("#span-text")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.locator(".span-form").wait_for()
    assert sheet.is_hidden(), "one sheet at a time"
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert sheet.is_visible()
    page.set_viewport_size({"width": 1400, "height": 900})
    assert page.locator("#span-asked > section:visible").count() == 2, "where there is room they stand in the panel"
    assert opener.is_hidden()


def test_on_a_phone_parts_of_every_kind_are_answered(at_item, translator, stage, study):  # noqa: F811
    """With a score whose question has the name of a part, a grade of its own and several answers to choose."""
    stage.scored_on = question_type(study, SEND)
    stage.save()
    parts = [{"scale": "How good?", "lowest": 0, "highest": 9}, {"choices": "What?", "of": ["كلام", "b" * 120]}]
    change_layout(stage, [], [*stage.ask, *parts], None)
    page = at_item(translator, stage)
    page.set_viewport_size({"width": 360, "height": 740})
    at_rest(page)
    mark_first_word(page)
    page.locator("html.has-span-form").wait_for()
    page.keyboard.press("Escape")
    page.locator(".panel__opener").click()
    following = page.get_by_role("button", name="Next question")
    following.click()
    page.locator(".question input[value=No]").check(force=True)
    following.click()
    following.click()
    page.locator("#question-how-good").get_by_role("radio").last.check(force=True)
    following.click()
    page.get_by_role("checkbox", name="كلام").check(force=True)
    assert draft(page)["answers"] == {SEND: "No", "how-good": 9, "what": ["كلام"]}
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    in_arabic(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_what_was_handed_in_is_read_again_and_taken_back(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    item = page.url
    page.keyboard.press("0")
    page.check(NO, force=True)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    page.goto(item)
    page.wait_for_selector(READY)
    assert page.is_checked(NO)
    assert page.locator(NO).is_disabled()
    page.get_by_role("button", name="Amend").click()
    page.wait_for_selector(f"{READY} {TEXT}:not([readonly])")
    assert page.is_checked(NO)
    assert not QuestionnaireAnswer.objects.exists()


def test_a_question_comes_after_an_answer_and_a_rule_warns(at_item, translator, stage):  # noqa: F811
    message = "Say what you would change."
    follows = {"ask": [CHANGE], "after": SEND, "answer": ["No"]}
    change_rules(stage, [follows, {"least": 2, "question": [CHANGE, SEND], "warns": True, "message": message}])
    page = at_item(translator, stage)
    assert page.locator(TEXT).is_hidden()
    page.check(NO, force=True)
    page.locator(TEXT).wait_for(state="visible")
    page.fill(TEXT, "x")
    page.check(f"#question-{SEND} input[value=Yes]", force=True)
    page.locator(TEXT).wait_for(state="hidden")
    assert draft(page)["answers"] == {SEND: "Yes"}
    page.focus("#span-text")
    page.keyboard.press("0")
    submit = page.get_by_role("button", name="Submit")
    submit.click()
    page.locator(".notice--warning", has_text=message).wait_for()
    assert not Marking.objects.exists()
    submit.click()
    page.wait_for_url("**/my-work/")
    assert QuestionnaireAnswer.objects.get().answers == {SEND: "Yes"}


def test_a_draft_older_than_the_layout_goes_on_with_what_is_asked_now(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    page.check(NO, force=True)
    page.fill(TEXT, "x")
    page.wait_for_selector(SAVED)
    change_layout(stage, [], [stage.ask[0], stage.ask[2]], None)
    page.reload()
    page.wait_for_selector(READY)
    assert draft(page)["answers"] == {CHANGE: "x"}
    page.focus("#span-text")
    page.keyboard.press("0")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    assert QuestionnaireAnswer.objects.get().answers == {CHANGE: "x"}


def test_a_part_named_as_the_score_is_led_to_by_itself(at_item, translator, stage, study):  # noqa: F811
    stage.scored_on = question_type(study, "overall")
    stage.save()
    change_layout(stage, [], [{"choice": "Score", "of": ["a", "b"]}], None)
    page = at_item(translator, stage)
    page.evaluate("mizanSpans.document.setScore(3)")
    page.focus("#span-text")
    page.keyboard.press("0")
    page.keyboard.press("Control+Enter")
    page.locator("#question-score").get_by_text("An answer is missing.").wait_for()
    assert page.evaluate("document.activeElement.closest('#question-score') !== null"), "it has the focus"


def test_words_chosen_from_another_tab_stand_in_the_field_that_was_written_in(at_item, translator, stage):  # noqa: F811
    page = at_item(translator, stage)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(READY)
    other.fill(TEXT, "من هناك")
    other.wait_for_selector(SAVED)
    page.fill(TEXT, "من هنا")
    page.get_by_role("button", name="Use the one saved elsewhere").click()
    page.wait_for_selector(SAVED)
    assert (draft(page)["answers"], page.input_value(TEXT)) == ({CHANGE: "من هناك"}, "من هناك")
