"""Label Studio: tasks with annotations by people and predictions by models.

Layout: https://labelstud.io/guide/task_format. Offsets in texts are counted by the browser, in UTF-16 code units.
Regions of text (`labels`, `hypertextlabels`) become marks; choices, ratings and texts stay in the answer's metadata.
JSON-MIN, an annotation a row with its data beside it, is read as the task that it was made of.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.foreign.documents import UTF16, Answer, Document, Mark, code_points, unique_keys, wrong
from formats.reading import Record
from projects.anchors import to_utf16
from projects.problems import Invalid

READS = "json"
HOLDS = frozenset({"categories", "raters"})
#: Under which of a task's data the text stands, where no region says it: the first that there is.
TEXT_FIELDS = ("response", "answer", "output", "text", "target")
REGIONS = ("labels", "hypertextlabels", "paragraphlabels")
#: What JSON-MIN says of an annotation, beside the data of its task and the answers to each question.
OF_ROW = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")


def document_of(record: Record) -> Document:
    """One task. Raises Invalid where it has no text or a mark that is not in it."""
    task, line = unfolded(record.fields), record.line
    data = task.get("data")
    if not isinstance(data, dict):
        raise wrong(_("A task of Label Studio has its texts under “data”."), line, "data")
    name = text_field(task, data)
    if name is None:
        raise wrong(_("The task has no text: %(names)s.") % {"names": ", ".join(TEXT_FIELDS)}, line, "data")
    text = data[name]
    facts = {each: data[each] for each in ("prompt", "model", "laboratory", "variety", "prompt_id") if data.get(each)}
    document = Document(str(data.get("id") or task.get("id") or line), text, facts, line=line)
    for given in task.get("annotations") or task.get("completions") or ():
        if not given.get("was_cancelled"):
            document.answers.append(_answer(given, rater_of(given), "", name, data, line))
    for number, given in enumerate(task.get("predictions") or (), start=1):
        model = str(given.get("model_version") or f"model {number}")
        document.answers.append(_answer(given, model, model, name, data, line))
    unique_keys(document.answers)
    return document


def unfolded(row: dict[str, Any]) -> dict[str, Any]:
    """A row of JSON-MIN as a task with one annotation; what is a task already as it stands."""
    if "data" in row or not row.keys() & {"annotator", "annotation_id"}:
        return row
    result: list[dict[str, Any]] = []
    data: dict[str, Any] = {}
    for name, given in row.items():
        values = given if isinstance(given, list) and given and all(isinstance(each, dict) for each in given) else []
        kinds = [next((kind for kind in REGIONS if kind in value), "") for value in values]
        if values and all(kinds):
            regions = zip(values, kinds, strict=True)
            result += ({"from_name": name, "type": kind, "value": value} for value, kind in regions)
        elif name not in OF_ROW:
            data[name] = given
    whose = {"completed_by": row.get("annotator"), "result": result}
    return {"id": row.get("id"), "data": {**data, "id": row.get("id")}, "annotations": [whose]}


def text_field(task: dict, data: dict) -> str | None:
    """Which of a task's data is the text. A region says to which tag of the project's layout it belongs, which is often
    called as the data are; where it is not, the text is the one that has the region's words at its place."""
    regions = [
        region
        for given in [*(task.get("annotations") or ()), *(task.get("predictions") or ())]
        for region in given.get("result") or ()
        if region.get("type") in REGIONS
    ]
    for region in regions:
        if isinstance(data.get(region.get("to_name")), str):
            return str(region["to_name"])
    texts = [name for name in data if isinstance(data[name], str)]
    likely = [*(name for name in TEXT_FIELDS if name in texts), *(name for name in texts if name not in TEXT_FIELDS)]
    for region in regions:
        if found := next((name for name in likely if has_words(data[name], region)), None):
            return found
    return next((name for name in TEXT_FIELDS if name in texts), None)


def has_words(text: str, region: dict) -> bool:
    """Whether the region says what words it marks, and the text has them there."""
    value = region.get("value") or {}
    if not isinstance(value.get("text"), str):
        return False
    try:
        place_of(value, text, 0)
    except Invalid:
        return False
    return True


def place_of(value: dict, text: str, line: int) -> tuple[int, int]:
    # Of plain text both ends are numbers; `globalOffsets` has them of text that is shown as HTML.
    place = value.get("globalOffsets") or value
    return code_points(text, place.get("start"), place.get("end"), value.get("text"), UTF16, line)


def is_of_another_text(region: dict, name: str, data: dict) -> bool:
    """A tag that is called as no data are may be that of any text: of another only where that has its words."""
    tag = region.get("to_name", name)
    if tag == name or isinstance(data.get(tag), str):
        return bool(tag != name)
    others = (text for other, text in data.items() if other != name and isinstance(text, str))
    return not has_words(data[name], region) and any(has_words(text, region) for text in others)


def rater_of(given: dict) -> str:
    who = given.get("completed_by")
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    return str(who) if isinstance(who, str) else f"annotator {who or 1}"


def _answer(given: dict, rater: str, model: str, name: str, data: dict, line: int) -> Answer:
    marks: list[Mark] = []
    other: list[dict] = []
    for number, region in enumerate(given.get("result") or (), start=1):
        value = region.get("value") or {}
        if region.get("type") not in REGIONS or is_of_another_text(region, name, data):
            other.append({"name": region.get("from_name"), "type": region.get("type"), "value": value})
            continue
        start, end = place_of(value, data[name], line)
        labels = [str(each) for each in value.get(region["type"]) or ()]
        more = {"metadata": {"labels": labels}} if len(labels) > 1 else {}
        marks.append(Mark(str(region.get("id") or number)[:60], start, end, labels[0] if labels else "", more))
    return Answer(rater, marks, model, {"metadata": {"label_studio": other}} if other else {})


def written(documents: Iterable[Document]) -> Iterator[bytes]:
    """One JSON list of tasks, as Label Studio imports them."""
    yield b"["
    for number, document in enumerate(documents, start=1):
        people = [each for each in document.answers if not each.model]
        judges = [each for each in document.answers if each.model]
        task = {
            "id": number,
            "data": {"id": document.key, "text": document.text, **document.facts},
            "annotations": [
                {"completed_by": {"email": each.rater}, "result": _regions(each, document.text)} for each in people
            ],
            "predictions": [{"model_version": each.model, "result": _regions(each, document.text)} for each in judges],
        }
        yield (b",\n" if number > 1 else b"\n") + orjson.dumps(task)
    yield b"\n]\n"


def _regions(answer: Answer, text: str) -> list[dict[str, Any]]:
    return [
        {
            "id": mark.key,
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {
                "start": to_utf16(text, mark.start),
                "end": to_utf16(text, mark.end),
                "text": text[mark.start : mark.end],
                "labels": [mark.category] if mark.category else [],
            },
        }
        for mark in answer.marks
    ]
