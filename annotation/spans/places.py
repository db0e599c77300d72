"""Where a raw span lies in its text: its words, further parts, or what it is missing from. No database."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import AnchorKind
from annotation.spans.parts import Part, are_apart, in_order
from formats.kinds import FAR
from formats.limits import MAX_PARTS
from projects.anchors import check_anchor, locate, paragraphs
from projects.problems import Invalid, Problem

PART_FIELDS = frozenset({"start", "end", "quote"})


class Findings:
    """Collects the problems of one span, each with its field and the span's key."""

    def __init__(self, where: str, key: str | None = None) -> None:
        self.where = where
        self.key = key
        self.problems: list[Problem] = []

    def add(self, code: str, message: str, field: str = "") -> None:
        place = f"{self.where}.{field}" if self.where and field else self.where or field
        self.problems.append(Problem(code, str(message), place, span=self.key))

    def add_all(self, refused: Invalid) -> None:
        for problem in refused.problems:
            self.add(problem.code, problem.message, problem.field)


def _bounded(value: Any) -> Any:
    """A number of five thousand digits is past every end, and must not reach a message: printing it fails."""
    return max(-FAR, min(value, FAR)) if type(value) is int else value


def _words(text: str, raw: Mapping[str, Any], findings: Findings) -> tuple[int | None, int | None, str]:
    start, end, quote = _bounded(raw.get("start")), _bounded(raw.get("end")), raw.get("quote")
    if quote is not None and not isinstance(quote, str):
        findings.add("not_text", _("This must be text."), "quote")
        return None, None, ""
    occurrence = _bounded(raw.get("occurrence"))
    if occurrence is not None and type(occurrence) is not int:
        findings.add("not_whole_number", _("An occurrence must be a whole number."), "occurrence")
        return None, None, ""
    try:
        if start is None and end is None:
            start, end = locate(text, quote or "", occurrence)
        return start, end, check_anchor(text, start, end, quote)
    except Invalid as refused:
        findings.add_all(refused)
        return None, None, ""


def parts_of(text: str, raw: Mapping[str, Any], findings: Findings, fields: Iterable[str]) -> list[Part]:
    """Every part of the mark in reading order, its own words among them; empty where one of them is not good."""
    further = raw.get("more") or []
    if not isinstance(further, Sequence) or isinstance(further, str):
        findings.add("not_a_list", _("The parts must be a list."), "more")
        return []
    if len(further) >= MAX_PARTS:
        message = _("A mark can have %(limit)d parts at most; these are %(count)d.")
        findings.add("too_many", message % {"limit": MAX_PARTS, "count": len(further) + 1}, "more")
        return []
    allowed = PART_FIELDS | ({"occurrence"} & set(fields))
    parts = [_words(text, raw, findings)]
    for index, each in enumerate(further):
        of_part = Findings(f"{findings.where}.more[{index}]".lstrip("."), findings.key)
        if not isinstance(each, Mapping):
            of_part.add("not_an_object", _("A part must be an object."))
        else:
            for field in set(each) - allowed:
                of_part.add("unknown_field", _("There is no such field."), str(field)[:40])
            parts.append(_words(text, each, of_part))
        findings.problems += of_part.problems
    found = [Part(start, end, quote) for start, end, quote in parts if start is not None and end is not None]
    ordered = in_order(found)
    if not are_apart(ordered):
        findings.add("overlapping", _("Parts of one mark may neither overlap nor touch one another."), "more")
    return ordered if len(found) == len(further) + 1 else []


def omission_of(text: str, anchor: str, raw: Mapping[str, Any], findings: Findings) -> int | None:
    """The paragraph an omission is anchored to, None where it is anchored to the response."""
    for field in ("start", "end", "quote", "occurrence", "more"):
        if raw.get(field) not in (None, "", []):
            findings.add("not_with_anchor", _("Something that is missing has no words to point at."), field)
    paragraph = _bounded(raw.get("paragraph"))
    if anchor == AnchorKind.RESPONSE:
        if paragraph is not None:
            findings.add("not_with_anchor", _("This is anchored to the response as a whole."), "paragraph")
        return None
    if type(paragraph) is not int:
        findings.add("not_whole_number", _("A paragraph is given by its number, counted from 0."), "paragraph")
        return None
    count = len(paragraphs(text))
    if not 0 <= paragraph < count:
        message = _("There is no paragraph %(number)d; the response has %(count)d, counted from 0.")
        findings.add("past_end", message % {"number": paragraph, "count": count}, "paragraph")
        return None
    return paragraph
