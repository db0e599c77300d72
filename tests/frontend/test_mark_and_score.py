"""Error Span Annotation in a real browser: a study of one file, its marks and its score in one task, by keyboard and by
finger, in Arabic, off line and with two tabs; what was handed in leaves the project and comes back."""

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command

from annotation.models import Marking, Rating, Span
from formats.project_file.applying import create_from_file
from projects.models import Project
from tests.frontend.application import at_item  # noqa: F401
from tests.frontend.settling import at_rest
from tests.people import EGYPTIAN, add_response, join, person
from workflow.answer_rules import change_rules
from workflow.models import Assignment, Draft
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READY = "html[data-span-editor=ready]"
SAVED = "#save-state[data-state=saved]"
FILE = re.findall(
    r"```yaml\n(.*?)```",
    (Path(__file__).parents[2] / "docs" / "project-file.md").read_text(encoding="utf-8"),
    re.DOTALL,
)[0]


@pytest.fixture
def study(db) -> Project:
    assert len(FILE.splitlines()) <= 60
    project = create_from_file(FILE.encode(), "esa").project
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    plan_items(project.stages.get())
    return project


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
    for key in ("Enter", "Enter", "1"):  # its start, its end, how critical it is; then the explanation has the focus
        page.keyboard.press(key)
    page.keyboard.type("Nobody says so.")
    page.select_option("#span-category", "language")


def test_in_arabic_by_keyboard_alone_and_out_and_in_again(at_item, translator, study, tmp_path):  # noqa: F811
    page = at_item(translator, study.stages.get())
    in_arabic(page)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    mark_first_word(page)
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert page.evaluate("document.activeElement.id") == "span-score-grade"
    for digit in "100":
        page.keyboard.press(digit)  # digits of a number: neither a label nor “no errors”
    assert (draft(page)["score"], len(draft(page)["spans"])) == (100, 1)
    page.keyboard.press("ArrowDown")
    assert draft(page)["score"] == 99
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    assert (Rating.objects.get().first_grade, Span.objects.get().criticality) == (99, "major")
    assert Rating.objects.get().assignment == Marking.objects.get().assignment == Assignment.objects.get()
    file = tmp_path / "esa.jsonl"
    call_command("export_marks", "esa", format="esa", to=str(file))
    [line] = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert (line["esa_score"], [each["severity"] for each in line["esa_spans"]]) == (99, ["major"])
    again = create_from_file(FILE.encode(), "again").project
    for kind, fields in (("items", "{variety: ar-EG, laboratory: Delta Lab}"), ("answers", "{rater_kind: human}")):
        mapping = tmp_path / f"{kind}.yaml"
        mapping.write_text(f"kind: {kind}\nread: {{format: esa}}\nkeep: true\nfields: {fields}\n")
        call_command(f"import_{kind}", "again", str(file), mapping=str(mapping), quiet=True)
    assert again.responses.get().text == EGYPTIAN
    assert Rating.objects.get(question__project=again).first_grade == 99
    assert Span.objects.get(response__project=again).quote == Span.objects.get(response__project=study).quote


def test_no_errors_still_needs_a_score(at_item, translator, study):  # noqa: F811
    page = at_item(translator, study.stages.get())
    page.focus("#span-text")
    page.keyboard.press("0")
    page.keyboard.press("Control+Enter")
    summary = page.locator(".error-summary")
    summary.get_by_text("A grade is missing.").wait_for()
    assert page.evaluate("document.activeElement.id") == "span-score-grade", "what is missing has the focus"
    assert not Marking.objects.exists()
    page.get_by_role("slider").fill("88")
    assert page.input_value("#span-score-grade") == "88"
    summary.wait_for(state="hidden")
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/my-work/")
    assert (Marking.objects.get().no_errors, Rating.objects.get().first_grade) == (True, 88)


def test_a_score_is_undone_as_what_it_was_typed_as(at_item, translator, study):  # noqa: F811
    page = at_item(translator, study.stages.get())
    page.focus("#span-score-grade")
    page.keyboard.type("75")
    page.get_by_role("button", name="There are no errors").click()
    undo = page.get_by_role("button", name="Undo")
    undo.click()
    assert draft(page) == {"no_errors": False, "spans": [], "score": 75}
    undo.click()
    assert draft(page)["score"] is None
    assert page.input_value("#span-score-grade") == ""
    page.get_by_role("button", name="Redo").click()
    assert page.input_value("#span-score-grade") == "75"
    page.focus("#span-score-grade")
    page.keyboard.type("0")  # 750 is off the scale: it stays to be seen, and counts as nothing
    assert draft(page)["score"] is None


def test_off_line_it_waits_and_is_there_after_a_reload(at_item, translator, study):  # noqa: F811
    page = at_item(translator, study.stages.get())
    page.route("**/draft", lambda route: route.abort())
    page.fill("#span-score-grade", "42")
    page.locator("#save-state[data-state=offline], #save-state[data-state=retrying]").first.wait_for()
    page.unroute("**/draft")
    page.reload()
    page.wait_for_selector(READY)
    assert page.input_value("#span-score-grade") == "42"
    page.wait_for_selector(SAVED)
    assert Draft.objects.get().body["score"] == 42


def test_another_score_saved_elsewhere_is_shown_and_chosen(at_item, translator, study):  # noqa: F811
    page = at_item(translator, study.stages.get())
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(READY)
    other.fill("#span-score-grade", "10")
    other.wait_for_selector(SAVED)
    page.fill("#span-score-grade", "90")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    versions = dialog.locator(".conflict__version").all_inner_texts()
    assert ["Score: 90" in versions[0], "Score: 10" in versions[1]] == [True, True]
    dialog.get_by_role("button", name="Use the one saved elsewhere").click()
    page.wait_for_selector(SAVED)
    assert page.input_value("#span-score-grade") == "10"
    page.get_by_role("button", name="Undo").click()
    assert page.input_value("#span-score-grade") == "90"


def test_source_and_response_stand_side_by_side_and_on_a_phone_the_source_is_a_sheet(at_item, translator, study):  # noqa: F811
    page = at_item(translator, study.stages.get())
    places = """['#drawer .marking__source', '#span-text'].map(
        (place) => document.querySelector(place).getBoundingClientRect().toJSON())"""
    source, text = page.evaluate(places)
    assert source["right"] <= text["left"]
    page.set_viewport_size({"width": 360, "height": 740})
    at_rest(page)
    page.locator(".tool--drawer").click()
    at_rest(page)
    source, text = page.evaluate(places)
    assert text["top"] < source["top"] < source["bottom"] <= 740
    page.keyboard.press("Escape")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator(".panel__opener").click()
    assert page.locator("#span-score-grade").is_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    in_arabic(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_what_a_grade_of_three_digits_means_stands_beside_all_of_it(at_item, translator, study):  # noqa: F811
    page = at_item(translator, study.stages.get())
    page.set_viewport_size({"width": 360, "height": 740})
    page.get_by_role("button", name="Questions").click()
    grades = page.locator(".level__grade").filter(visible=True)
    assert grades.all_inner_texts() == ["0", "33", "66", "100"]
    heights = grades.evaluate_all("all => all.map(each => each.getBoundingClientRect().height)")
    assert max(heights) < 1.5 * min(heights), "a number is broken into two lines"


def test_what_was_handed_in_is_read_again_and_taken_back(at_item, translator, study):  # noqa: F811
    page = at_item(translator, study.stages.get())
    item = page.url
    page.keyboard.press("0")
    page.fill("#span-score-grade", "61")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    page.goto(item)
    page.wait_for_selector(READY)
    assert page.input_value("#span-score-grade") == "61"
    assert page.locator("#span-score-grade").is_disabled()
    page.get_by_role("button", name="Amend").click()
    page.wait_for_selector(f"{READY} #span-score-grade:enabled")
    assert page.input_value("#span-score-grade") == "61"
    assert not Rating.objects.exists()


def test_a_rule_for_some_marks_blocks_and_one_that_warns_lets_go_on(at_item, translator, study):  # noqa: F811
    stage = study.stages.get()
    message = "One mark is enough."
    rules = [{"needs": "correction", "criticality": ["major"]}, {"most": 0, "warns": True, "message": message}]
    change_rules(stage, rules)
    page = at_item(translator, stage)
    page.fill("#span-score-grade", "50")
    page.focus("#span-text")
    for key in ("Enter", "Enter", "2"):  # minor: nothing has to be written
        page.keyboard.press(key)
    page.select_option("#span-category", "language")
    assert page.get_by_text("unfinished").count() == 0
    page.check("input[name=span-criticality][value=major]", force=True)
    page.get_by_text("1 unfinished").wait_for()
    submit = page.get_by_role("button", name="Submit")
    submit.click()
    page.locator(".span-form").get_by_text("Write a correction.").wait_for()
    assert page.evaluate("document.activeElement.id") == "span-correction"
    page.keyboard.type("غيرها")
    submit.click()
    warning = page.locator(".notice--warning", has_text=message)
    warning.wait_for()
    assert not Marking.objects.exists()
    assert Axe().run(page).violations_count == 0
    submit.click()
    page.wait_for_url("**/my-work/")
    assert Span.objects.get().correction == "غيرها"
