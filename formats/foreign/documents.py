"""A text with what raters marked in it: what files of annotation tools have in common, and our records of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.reading import Record
from projects.anchors import from_utf16
from projects.problems import Invalid, Problem

CODE_POINTS, UTF16 = "codepoint", "utf16"


#: What may stand for a severity of MQM or ESA in projects that do not have it as a word, the nearest first; the
#: importer of answers looks there.
SEVERITIES = {"critical": ("high", "major"), "major": ("high",), "minor": ("low",), "neutral": ("low",)}
#: How these formats call the criticality of a project that has other words.
AS_SEVERITY = {"high": "major", "medium": "major", "low": "minor"}


class Loss(models.TextChoices):
    """What a format may not hold, as results of jobs name it, and in words. What is counted stands before it."""

    RATERS = "names of those who marked", gettext_lazy("names of those who marked")
    SCORES = "scores", gettext_lazy("scores")
    OMISSIONS = "marks that point at no words", gettext_lazy("marks that point at no words")
    TYPES = "types", gettext_lazy("types")
    CATEGORIES = "categories", gettext_lazy("categories")
    CRITICALITY = "criticality", gettext_lazy("criticality")
    EXPLANATIONS = "explanations", gettext_lazy("explanations")
    CORRECTIONS = "corrections", gettext_lazy("corrections")
    TIES = "ties between the parts of a mark", gettext_lazy("ties between the parts of a mark")
    OVERLAPS = (
        "marks on words of other marks, or on no word",
        gettext_lazy("marks on words of other marks, or on no word"),
    )
    LINE_ENDS = "texts with their line ends", gettext_lazy("texts with their line ends")
    ANSWERS = "answers", gettext_lazy("answers")


def told(lost: Mapping[str, int]) -> str:
    """What was left out and how often, in the reader's language: “2 scores, 3 answers”."""
    return ", ".join(f"{count} {Loss(what).label}" for what, count in lost.items())


@dataclass(slots=True)
class Mark:
    """Words of a text, as half-open code-point offsets, and what was said of them. `key` is unique in its text."""

    key: str
    start: int
    end: int
    category: str = ""
    # Places elsewhere in the text that are the same mark, where the format knows such.
    more: list[tuple[int, int]] = field(default_factory=list, kw_only=True)
    words: str = field(default="", kw_only=True)  # where a file has them and not their text
    said: dict[str, Any] = field(default_factory=dict)  # other fields of a span: criticality, explanation, metadata


@dataclass(slots=True)
class Answer:
    """All that one rater marked; nothing where `marks` is empty. A judge has a `model`; who graded the text as a whole
    on a scale to 100 has a `score`."""

    rater: str
    marks: list[Mark]
    model: str = ""
    said: dict[str, Any] = field(default_factory=dict)
    score: float | None = None


@dataclass(slots=True)
class Document:
    """A text of a model, known by its key. `facts` are fields of an item that the file says beside it."""

    key: str
    text: str
    facts: dict[str, Any] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    line: int = 0


def records_of(document: Document, kind: str) -> Iterator[Record]:
    """The document as lines of an items file, or its answers as those of an answers file."""
    if kind == "items":
        yield Record(document.line, {"id": document.key, "response": document.text, **document.facts})
        return
    for answer in document.answers:
        spans = [span_of(mark, document.text) for mark in answer.marks]
        for span in spans:
            if span["id"].isdecimal():  # a file that numbers the marks of each rater, in whose response ids are unique
                span["id"] = f"{answer.rater}-{span['id']}"[-64:]
        judge = {"rater_kind": "judge", "model": answer.model} if answer.model else {"rater_kind": "human"}
        line = {"kind": "spans", "item": document.key, "rater": answer.rater, **judge, **answer.said}
        yield Record(document.line, said_none({**line, "spans": spans}))


def said_none(line: dict[str, Any]) -> dict[str, Any]:
    """The line of an answer; one without marks says that there are none."""
    return line if line["spans"] else {**line, "no_errors": True}


def span_of(mark: Mark, text: str) -> dict[str, Any]:
    category = {"category": mark.category} if mark.category else {}
    if mark.said.get("anchor", "words") != "words":
        return {"id": mark.key, **category, **mark.said}
    place = {"id": mark.key, **place_in(text, mark.start, mark.end, mark.words)}
    more = [place_in(text, start, end) for start, end in mark.more]
    return {**place, **({"more": more} if more else {}), **category, **mark.said}


def place_in(text: str, start: int, end: int, words: str = "") -> dict[str, Any]:
    """Of a file without its texts, what it says: the offsets, which are held against the text of the project."""
    quote = text[start:end] or words
    return {"start": start, "end": end, **({"quote": quote} if quote else {})}


def whole(score: float) -> float:
    """87.0, as tables of scores write it, is 87: people give whole scores."""
    return int(score) if float(score).is_integer() else score


def code_points(text: str, start: Any, end: Any, quote: str | None, unit: str, line: int) -> tuple[int, int]:
    """Offsets as code points. Where the file has the words too they must be those at the offsets, counted in its own
    unit or, as some of its writers do, in the other. In a file without its texts they are as they stand. Raises
    Invalid."""
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        message = _("The offsets of a mark are two whole numbers, the first smaller.")
        raise Invalid(Problem("not_offsets", message, "start", line))
    if not text:
        return start, end
    for each in (unit, CODE_POINTS if unit == UTF16 else UTF16):
        try:
            first, last = (from_utf16(text, start), from_utf16(text, end)) if each == UTF16 else (start, end)
        except Invalid:
            continue
        if last <= len(text) and (quote is None or text[first:last] == quote):
            return first, last
    message = _("The words of a mark are not those at its offsets in the text.")
    raise Invalid(Problem("other_words", message, "start", line))


def unique_keys(answers: Iterable[Answer]) -> None:
    """Give marks whose key another mark of the document has a number behind it."""
    seen: dict[str, int] = {}
    for answer in answers:
        for mark in answer.marks:
            seen[mark.key] = seen.get(mark.key, 0) + 1
            if seen[mark.key] > 1:
                mark.key = f"{mark.key}-{seen[mark.key]}"


def wrong(message: str, line: int, name: str = "") -> Invalid:
    return Invalid(Problem("not_of_the_format", message, name, line))
