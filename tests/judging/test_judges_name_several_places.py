"""A judge may say that one error lies in several places: it is asked for them, they are found, stored, shown, merged by
panels and drawn as examples; judges that were set up before are asked as they were."""

import json

import pytest

from annotation.gold import derive
from annotation.models import GoldError, Span, SpanPart
from judging.engine.planning import plan
from judging.judges import add_judge
from judging.kinds import Material, WrongAnswer, judge_kind
from judging.kinds.spans.kind import schema
from judging.models import Judge
from judging.prompts import PromptText
from judging.prompts.own import add_prompt, english
from judging.prompts.shipped import LANGUAGES, shipped
from projects.problems import Invalid
from tests.annotation.marked import mark, rater_of
from tests.judging.proposing import run_through
from tests.judging.test_show_errors_to_a_judge import few, item, of, shown  # noqa: F401
from tests.people import add_response, signed_in
from tests.preset_parts import words_of

TEXT = "He gave the 👨‍👩‍👧 idea, after all, up. He was up.\n\nهو لم يقل شـيئا."


def error(quote: str, *more: object, occurrence: int | None = 1, **changes) -> dict:
    said = {"anchor": "words", "quote": quote, "occurrence": occurrence, "type": "linguistic", "criticality": "low"}
    places = [place if isinstance(place, dict) else {"quote": place, "occurrence": 1} for place in more]
    return said | {"explanation": "Torn apart.", "correction": None, "more": places} | changes


def read(*errors: dict, unit: int = -1) -> dict:
    prompt = PromptText("spans/response+several", "v1", {}, schema([], words_of("spans"), several_places=True))
    material = Material("?", TEXT, "English")
    return judge_kind("spans").read({"ticket": "7", "errors": list(errors)}, prompt, material, unit, "7")


def places(span: dict) -> list[str]:
    for part in (span, *span.get("more", [])):
        assert TEXT[part["start"] : part["end"]] == part["quote"]
    return [part["quote"] for part in (span, *span.get("more", []))]


# --- What is read of an answer ---------------------------------------------------------------------------


def test_places_are_found_and_the_first_of_the_text_is_the_head_whatever_is_named_first():
    [span] = read(error("up", "gave", "👨‍👩‍👧"))["spans"]
    assert places(span) == ["gave", "👨‍👩‍👧", "up"]
    [second] = read(error("gave", {"quote": "up", "occurrence": 2}))["spans"]
    assert second["more"][0]["start"] == TEXT.rindex("up")


def test_an_error_in_one_place_says_nothing_of_others():
    [span] = read(error("gave"))["spans"]
    assert "more" not in span


def test_places_that_touch_or_overlap_are_one():
    [span] = read(error("gave", "ave the", "gave", "idea"))["spans"]
    assert places(span) == ["gave the", "idea"]


def test_places_in_other_characters_are_found_and_said_to_be():
    [span] = read(error("هو", "شيئا"))["spans"]
    assert places(span) == ["هو", "شـيئا"]  # with tatweel
    assert span["located"] == "normalised"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("never there", "quote_absent"),
        ({"quote": "up", "occurrence": 3}, "occurrence_absent"),
        ({"quote": "up", "occurrence": None}, "quote_ambiguous"),
        ("👨", "mid_grapheme"),
    ],
)
def test_an_error_with_an_uncertain_place_has_none(place, reason):
    found = read(error("gave", place), error("idea"))
    assert [span["quote"] for span in found["spans"]] == ["idea"]
    assert [(each["quote"], each["reason"]) for each in found["unlocatable"]] == [("gave", reason)]


def test_a_place_outside_its_paragraph_is_not_looked_for():
    found = read(error("gave", "شيئا"), unit=0)
    assert found["spans"] == []


def test_two_errors_with_one_head_differ_by_their_other_places():
    found = read(error("gave", "up"), error("gave", "idea"), error("up", "gave"))
    assert ([places(span) for span in found["spans"]], found["repeated"]) == ([["gave", "up"], ["gave", "idea"]], 1)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"more": "up"}, "wrong_type"),
        ({"more": {"quote": "up"}}, "wrong_type"),
        ({"more": ["up"]}, "wrong_keys"),
        ({"more": [{"quote": "up"}]}, "wrong_keys"),
        ({"more": [{"quote": "up", "occurrence": 1, "type": "both"}]}, "wrong_keys"),
        ({"more": [{"quote": 7, "occurrence": 1}]}, "wrong_type"),
        ({"more": [{"quote": "up", "occurrence": True}]}, "wrong_type"),
        ({"more": [{"quote": "", "occurrence": 1}]}, "quote_does_not_fit_anchor"),
        ({"more": [{"quote": "up", "occurrence": 1}] * 20}, "too_long"),
        ({"more": [{"quote": "x" * 5000, "occurrence": 1}]}, "too_long"),
        ({"anchor": "missing", "quote": "", "occurrence": None}, "quote_does_not_fit_anchor"),
    ],
)
def test_what_is_no_list_of_places_is_no_answer(wrong, code):
    with pytest.raises(WrongAnswer) as refused:
        read(error("gave", "up") | wrong)
    assert refused.value.code == code


def test_a_judge_that_was_not_asked_for_places_may_not_give_them():
    prompt = PromptText("spans/response", "v1", {}, schema([], words_of("spans")))
    with pytest.raises(WrongAnswer):
        judge_kind("spans").read(
            {"ticket": "7", "errors": [error("gave")]}, prompt, Material("?", TEXT, "English"), -1, "7"
        )


# --- What is asked ---------------------------------------------------------------------------------------

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_asks_for_them_in_every_language_and_of_standing_judges_as_before(project, language):
    kind = judge_kind("spans")
    asks = {"project": project, "kind": "spans", "instruction_language": language}
    before = kind.prompt_text(Judge(**asks, options={"granularity": "response"}))
    after = kind.prompt_text(Judge(**asks, options={"granularity": "response", "several_places": True}))
    material = Material("?", TEXT, "English")
    system = kind.messages(after, material, -1, "7")[0]["content"]
    assert shipped("spans", "v1", language)["several_places"] in system
    assert '"correction": "...", "more": []}]}' in system
    assert "more" not in kind.messages(before, material, -1, "7")[0]["content"]
    assert (before.name, after.name) == ("spans/response", "spans/response+several")
    assert "more" in after.schema["properties"]["errors"]["items"]["required"]


def test_a_prompt_of_the_projects_own_from_before_asks_for_them_too(project, provider, nour):
    parts = {name: text for name, text in english("spans").items() if name != "several_places"}
    own = add_prompt(project, "spans", parts, by=nour)  # as it was written before there was such a part
    assert "several_places" not in own.parts
    judge = add_judge(project, provider, "simulated-1", prompt=own, several_places=True)
    system = judge_kind("spans").messages(judge_kind("spans").prompt_text(judge), Material("?", TEXT, "en"), 0, "7")
    assert english("spans")["several_places"] in system[0]["content"]
    with pytest.raises(Invalid) as refused:
        add_prompt(project, "spans", {**parts, "several_places": "Name all places."}, by=nour)
    assert {problem.field for problem in refused.value.problems} == {"several_places"}


def test_a_published_prompt_has_no_place_for_them(project, provider):
    published = {"published": "{{response}}", "answer_form": "list"}
    own = project.judge_prompts.create(kind="spans", number=1, language="en", parts=published)
    with pytest.raises(Invalid) as refused:
        add_judge(project, provider, "simulated-1", prompt=own, several_places=True)
    assert [problem.field for problem in refused.value.problems] == ["several_places"]


# --- From the answer to the reviewer ---------------------------------------------------------------------


def test_a_run_stores_parts_which_everybody_sees_as_those_of_a_person(project, provider, nour):
    for number in range(12):
        add_response(project, f"r{number}", f"يوم العيد في مصر {number} كان جميلا جدا والناس فرحت", "ar-EG")
    run = run_through(add_judge(project, provider, "simulated-1", granularity="response", several_places=True))
    assert set(run.calls.values_list("state", flat=True)) == {"scored"}
    part = SpanPart.objects.select_related("span__response").first()
    assert part is not None, "the simulated judge names several places of one error in three"
    assert part.span.response.text[part.start : part.end] == part.quote
    html = signed_in(nour).get(f"/p/feasts/responses/{part.span.response.uuid}/").content.decode()
    assert f"{part.span.quote} … {part.quote}" in html
    html = signed_in(nour).get(f"/p/feasts/judges/runs/{run.uuid}/calls/").content.decode()
    assert f"{part.span.quote} … {part.quote}" in html


# --- Examples --------------------------------------------------------------------------------------------


def test_examples_show_all_places_of_settled_errors_to_judges_that_name_them(
    project,
    provider,
    shown,  # noqa: F811
    item,  # noqa: F811
):
    for span in Span.objects.all():
        start = span.response.text.rindex("العيد")
        SpanPart.objects.create(span=span, start=start, end=start + 5, quote="العيد")
    derive([response.pk for response in shown])
    assert all(each.more for each in GoldError.objects.all())
    told = {}
    for several in (True, False):
        judge = few(project, provider, several_places=several)
        [about] = plan(judge, of(item)).about.values()
        found = judge_kind("spans").subjects(set(about))
        told[several] = [error for name in about for error in json.loads(found[str(name)].errors)]
    assert [each["more"] for each in told[True]] == [[{"quote": "العيد", "occurrence": 2}]] * 2
    assert all("more" not in each for each in told[False])


# --- Where people mark several places and no judge may -----------------------------------------------------


def test_the_lead_is_told_that_several_places_tell_a_persons_mark(project, koshari, mona, nour, judge):
    def told() -> bool:
        return 'id="several-places"' in signed_in(nour).get("/p/feasts/judges/").content.decode()

    assert judge.kind == "spans"
    [span] = mark(koshari, rater_of(mona, project), "السحور")
    assert not told(), "nobody marks in several places"
    start = koshari.text.index("ال", span.end)
    SpanPart.objects.create(span=span, start=start, end=start + 2, quote="ال")
    assert told()
    page = signed_in(nour).get("/p/feasts/judges/").content.decode()
    assert "/p/feasts/judges/add/?kind=spans#id_several_places" in page
    assert 'id="id_several_places"' in signed_in(nour).get("/p/feasts/judges/add/?kind=spans").content.decode()
    Judge.objects.filter(project=project).update(options={"several_places": True})
    assert not told()
