"""Files as the tools themselves write them: small ones, made with each tool's own code and pinned here in its layout.

Potato 2.12 (`UserState.save`, its exporter of Web Annotations), the converter of Label Studio (JSON-MIN), FastChat
(`play_a_match_pair`), AlpacaEval 0.6 (`annotate_head2head`), Argilla 2.8 (`Record.to_dict`). Those of marks have emoji,
Arabic and marks that overlap.
"""

import io
import json
import zipfile
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Marking, Span
from formats.foreign.documents import Answer, Document, Mark
from formats.foreign.registry import FOREIGN
from projects.models import Response
from projects.problems import Problem
from tests.formats.test_foreign_formats import CAIRO, CAIRO16, TEXT, fields, read
from tests.people import add_response

PHRASE = (7, 15)
assert TEXT[slice(*PHRASE)] == "in Cairo"


def marks_of(line: dict) -> list[tuple[int, int, str]]:
    return [(each["start"], each["end"], each["category"]) for each in line["spans"]]


# --- Potato 2 ---


def said(start: int, end: int, name: str, **more) -> list:
    span = {"schema": "errors", "name": name, "title": name, "start": start, "end": end, "id": f"span_{start}{end}"}
    return [{**span, **more}, "true"]


PARTS = [{"start": 19, "end": 24, "text": "today"}]
STATE = {
    "user_id": "mona",
    "instance_id_ordering": [],
    "instance_id_to_behavioral_data": {},
    "instance_id_to_label_to_value": {
        "r1": [[{"schema": "ok", "name": "4"}, "4"]],
        "r2": [[{"schema": "ok", "name": "5"}, "5"]],
    },
    "instance_id_to_span_to_value": {
        "r1": [said(*CAIRO, "place"), said(*PHRASE, "phrase"), said(2, 6, "food", additional_parts=PARTS)],
        "r3": [],
    },
}


def folder(**states: dict) -> bytes:
    """`annotation_output`, with the history that Potato keeps beside each state."""
    content = io.BytesIO()
    history = {"action_id": "1", "timestamp": "2026-01-02T00:00:00", "instance_id": "r1", "action_type": "add_span"}
    with zipfile.ZipFile(content, "w") as archive:
        for name, state in states.items():
            archive.writestr(f"annotation_output/{name}/annotation_history.jsonl", json.dumps(history) + "\n")
            archive.writestr(f"annotation_output/{name}/user_state.json", json.dumps(state, indent=2))
    return content.getvalue()


@pytest.mark.parametrize("content", [json.dumps(STATE, indent=2).encode(), folder(mona=STATE)], ids=["file", "folder"])
def test_the_state_of_an_annotator_of_potato_is_her_answers(content):
    first, second = fields("potato", content, "answers")
    assert (first["item"], first["rater"], first["metadata"]) == ("r1", "mona", {"potato": {"ok": {"4": "4"}}})
    assert marks_of(first) == [(*CAIRO, "place"), (*PHRASE, "phrase"), (2, 6, "food")]
    assert first["spans"][2]["more"] == [{"start": 19, "end": 24}]
    assert (second["item"], second["no_errors"]) == ("r2", True), "answered without a span, by one who marks spans"


def test_who_was_asked_for_no_spans_does_not_say_that_there_are_no_errors():
    assert fields("potato", json.dumps({**STATE, "instance_id_to_span_to_value": {"r1": []}}).encode(), "answers") == []
    [problem] = read("potato", json.dumps(STATE, indent=2).encode(), "items")
    assert isinstance(problem, Problem), "the texts are in the data file of the study"


def web_annotation(number: int, start: int, end: int, label: str) -> dict:
    quote: dict[str, Any] = {
        "type": "TextQuoteSelector",
        "exact": TEXT[start:end],
        "prefix": TEXT[:start],
        "suffix": TEXT[end:],
    }
    quote["refinedBy"] = {"type": "TextPositionSelector", "start": start, "end": end}
    target = {"type": "SpecificResource", "source": "urn:potato:Koshari-study:r1", "selector": quote}
    return {
        "id": f"urn:potato:Koshari-study:annotation:{number}",
        "type": "Annotation",
        "motivation": "tagging",
        "creator": {"id": "urn:potato:Koshari-study:user:mona", "type": "Person", "nickname": "mona"},
        "body": {"type": "TextualBody", "purpose": "tagging", "value": label},
        "target": target,
    }


RATED = {
    **web_annotation(1, 0, 1, "x"),
    "creator": {"nickname": "karim"},
    "target": "urn:potato:Koshari-study:r1",
    "body": {"type": "TextualBody", "purpose": "classifying", "value": "5"},
}
COLLECTION: dict[str, Any] = {
    "@context": ["http://www.w3.org/ns/anno.jsonld", {"potato": "https://potatoannotator.com/ns#"}],
    "id": "urn:potato:Koshari-study:collection",
    "type": "AnnotationCollection",
    "total": 3,
    "first": {
        "type": "AnnotationPage",
        "startIndex": 0,
        "items": [RATED, web_annotation(2, *CAIRO, "place"), web_annotation(3, *PHRASE, "phrase")],
    },
}


@pytest.mark.parametrize("content", [COLLECTION, COLLECTION["first"], COLLECTION["first"]["items"]])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_collection_of_web_annotations_points_at_texts_elsewhere(content, indent):
    """What karim says of the text as a whole is no mark, and does not say that he found no errors."""
    [line] = fields("web-annotation", json.dumps(content, indent=indent).encode(), "answers")
    assert (line["item"], line["rater"]) == ("urn:potato:Koshari-study:r1", "mona")
    assert marks_of(line) == [(*CAIRO, "place"), (*PHRASE, "phrase")]
    assert [each["quote"] for each in line["spans"]] == ["Cairo", "in Cairo"]
    assert all(isinstance(each, Problem) for each in read("web-annotation", json.dumps(content).encode(), "items"))


@pytest.mark.django_db
def test_marks_of_a_file_without_texts_are_held_against_the_response(project, tmp_path):
    """The mapping that the documentation names; the same offsets in another text are a problem, and nothing is kept."""
    add_response(project, "r1", TEXT, "ar-EG")
    path, mapping = tmp_path / "web_annotations.jsonld", tmp_path / "answers.yaml"
    path.write_text(json.dumps(COLLECTION, indent=1))
    mapping.write_text(
        "kind: answers\nread: {format: web-annotation}\nkeep: true\ncreate: [categories]\n"
        'split: {item: {pattern: "urn:potato:[^:]+:(?P<key>.+)"}}\n'
        'fields: {kind: spans, item: "{key}"}\n'
    )
    call_command("import_answers", project.slug, str(path), mapping=str(mapping), quiet=True)
    assert sorted(Span.objects.values_list("quote", "category__slug")) == [("Cairo", "place"), ("in Cairo", "phrase")]
    add_response(project, "r9", "Another text, as long as that one.", "ar-EG")
    path.write_text(json.dumps(COLLECTION, indent=1).replace("Koshari-study:r1", "Koshari-study:r9"))
    with pytest.raises(CommandError):
        call_command("import_answers", project.slug, str(path), mapping=str(mapping), quiet=True)
    assert Span.objects.count() == 2


def test_a_collection_whose_page_lies_elsewhere_is_a_problem():
    content = json.dumps({**COLLECTION, "first": "http://example.org/page1"}).encode()
    assert [type(each) for each in read("web-annotation", content, "answers")] == [Problem]


def test_web_annotations_have_what_the_standard_demands():
    """Each has an IRI of its own, also of keys that are none; no list of bodies is empty."""
    texts = [
        Document(key, TEXT, {}, [Answer("منى", [Mark("a b", *CAIRO)]), Answer("Karim", [])]) for key in ("r1", "r 2/é")
    ]
    content = b"".join(FOREIGN["web-annotation"].written(texts))
    written = json.loads(content)
    assert len({each["id"] for each in written}) == 4
    for each in written:
        for iri in (each["id"], each["target"]["source"]["id"]):
            assert iri.startswith("urn:mizan:")
            assert iri.isascii()
            assert " " not in iri
        assert each.get("body") != []
    lines = fields("web-annotation", content, "answers")
    assert [(line["item"], line["rater"]) for line in lines] == [
        (key, rater) for key in ("r1", "r 2/é") for rater in ("منى", "Karim")
    ]
    assert lines[0]["spans"][0]["id"] == "a b"


# --- Label Studio ---


def test_json_min_of_label_studio_is_an_annotation_a_row():
    value = {"start": CAIRO16[0], "end": CAIRO16[1], "text": "Cairo", "labels": ["place"]}
    other = {"start": 8, "end": 16, "text": "in Cairo", "labels": ["phrase"]}
    common = {"id": 1, "text": TEXT, "prompt": "أين؟", "rating": 4, "annotation_id": "", "created_at": ""}
    rows = [
        {**common, "label": [value, other], "annotator": "mona@example.org", "lead_time": 4.5},
        {**common, "annotator": "karim@example.org"},
    ]
    content = json.dumps(rows, ensure_ascii=False, indent=2).encode()
    first, second = fields("label-studio", content, "answers")
    assert (first["item"], first["rater"]) == ("1", "mona@example.org")
    assert marks_of(first) == [(*CAIRO, "place"), (*PHRASE, "phrase")]
    assert (second["rater"], second["no_errors"]) == ("karim@example.org", True)
    assert fields("label-studio", content, "items") == [{"id": "1", "response": TEXT, "prompt": "أين؟"}]


# --- Judgments ---


def test_a_match_of_fastchat_with_a_verdict_that_could_not_be_read():
    match = {
        "question_id": 81,
        "model_1": "Nile-7B",
        "model_2": "org/Other",
        "g1_winner": "error",
        "g2_winner": "model_1",
        "judge": ["gpt-4", "pair-v2-multi-turn"],
        "g1_user_prompt": "أين؟",
        "g1_judgment": "no verdict 🙂",
        "g2_user_prompt": "أين؟",
        "g2_judgment": "[[B]]",
        "turn": 2,
        "tstamp": 1795723906.9789758,
    }
    first, second = fields("mt-bench", json.dumps(match).encode(), "answers")
    assert (first["unparseable"], first["swapped"], first["comment"]) == (True, False, "no verdict 🙂")
    assert (second["preference"], second["swapped"], second["pair"]) == ("first", True, "81/Nile-7B/org/Other/2")


def test_an_annotation_of_alpaca_eval_has_its_reason_under_the_name_of_its_column():
    """As `annotate_head2head` of 0.6 returns it; what could not be read has no preference."""
    row = {
        "instruction": "أين؟",
        "output_1": TEXT,
        "generator_1": "Nile-7B",
        "dataset": "food",
        "output_2": "Giza 🙂",
        "generator_2": "Other",
        "annotator": "judge",
        "preference": 1.0,
        "preference_price_per_example": 0.0,
        "preference_version": "alpaca_eval==0.6.6",
        "preference_raw_completion": "Output (a) 🙂",
        "preference_time_per_example": 1.0,
        "preference_date": "2026-01-02T00:00:00",
    }
    unread = {**row, "preference": None, "preference_raw_completion": None}
    first, second = fields("alpaca-eval", json.dumps([row, unread], indent=2).encode(), "answers")
    assert (first["preference"], first["comment"], first["model"]) == ("first", "Output (a) 🙂", "judge")
    assert (second["unparseable"], "comment" in second) == (True, False)
    reasons = {"concise_explanation": "It is in Egypt.", "ordered_models": []}
    [other] = fields("alpaca-eval", json.dumps([{**row, "preference_raw_completion": reasons}]).encode(), "answers")
    assert other["comment"] == "It is in Egypt."


# --- Argilla ---

MONA, KARIM = (f"00000000-0000-0000-0000-00000000000{n}" for n in (1, 2))


def test_records_of_argilla_with_answers_of_two_and_a_suggestion():
    record = {
        "id": "r1",
        "fields": {"prompt": "أين؟", "text": TEXT},
        "metadata": {"model": "Nile"},
        "suggestions": {
            "span": {"value": [{"start": 2, "end": 6, "label": "food"}], "score": [0.5], "agent": "gpt-4"},
        },
        "responses": {
            "span": [
                {"value": [{"start": 10, "end": 15, "label": "place"}, {"start": 7, "end": 15, "label": "phrase"}]}
                | {"user_id": MONA},
                {"value": [], "user_id": KARIM},
            ],
            "quality": [{"value": 4, "user_id": MONA}],
            "note": [{"value": "x", "user_id": KARIM}],
        },
        "vectors": {},
        "status": "pending",
        "_server_id": None,
    }
    plain = {**record, "id": "r2", "fields": {"text": "plain"}, "responses": {}, "suggestions": {}}
    content = json.dumps([record, plain]).encode()
    mona, karim, judge, rating = fields("argilla", content, "answers")
    assert (mona["rater"], marks_of(mona)) == (MONA, [(*CAIRO, "place"), (*PHRASE, "phrase")])
    assert (karim["no_errors"], karim["metadata"]) == (True, {"argilla": {"note": "x"}})
    assert (judge["model"], marks_of(judge)) == ("gpt-4", [(2, 6, "food")])
    assert (rating["question"], rating["grade"], rating["rater"]) == ("quality", 4, MONA)
    assert [each["id"] for each in fields("argilla", content, "items")] == ["r1", "r2"]


def test_argilla_takes_whole_scores_as_whole_numbers():
    written = json.loads(
        b"".join(FOREIGN["argilla"].written([Document("r1", TEXT, {}, [Answer("Mona", [], score=87.0)])]))
    )
    assert json.dumps(written[0]["responses"]["score"][0]["value"]) == "87"


# --- Several people on one text ---


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["prodigy", "potato", "argilla", "uima", "web-annotation", "mqm", "label-studio"])
def test_two_people_who_marked_the_same_text_come_in_together(project, tmp_path, name):
    """Most tools number the marks of each person from 1; in a response every mark has an id of its own."""
    both = [
        Answer(rater, [Mark(f"{rater}{n}", *place, "place") for n, place in enumerate((CAIRO, PHRASE))])
        for rater in "ab"
    ]
    given = Document("r1", TEXT, {"prompt": "Where?", "model": "Nile-7B"}, both)
    path = tmp_path / "file"
    path.write_bytes(b"".join(FOREIGN[name].written([given])))
    said = {
        "items": "prompt: Where?, variety: ar-EG, model: Nile-7B, laboratory: Delta",
        "answers": "rater_kind: human",
    }
    for kind, more in said.items():
        mapping = tmp_path / f"{kind}.yaml"
        create = "create: [categories]\n" if kind == "answers" else ""
        mapping.write_text(f"kind: {kind}\nread: {{format: {name}}}\nkeep: true\nfields: {{{more}}}\n{create}")
        call_command(f"import_{kind}", project.slug, str(path), mapping=str(mapping), quiet=True)
    assert Response.objects.get().text == TEXT
    assert sorted(Marking.objects.values_list("rater__name", flat=True)) == ["a", "b"]
    assert Span.objects.count() == 4
