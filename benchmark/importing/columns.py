"""Files with other column names than ours, as data sets on the Hugging Face Hub have them."""

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from agreement.answers.options import options_in, spelled
from formats.benchmark_question import MAX_OPTIONS, BenchmarkQuestion
from formats.reading import Record, parse_json
from formats.records import fields_of
from projects.problems import Invalid, Problem

#: An option behind its own label: "A. Irbid", "(ب) إربد", "① 서울".
LABELLED = re.compile(r"\s*[(\[（]?(?P<label>\w|[①-⑳ⓐ-ⓩ])[)\]）.:、．：\-–]*+\s*(?P<text>.*\S)\s*", re.DOTALL)


@dataclass(frozen=True)
class Columns:
    """Their names to ours; None leaves a column out. What is not named keeps its name."""

    ours: Mapping[str, str | None] = field(default_factory=dict)

    def rename(self, record: Record) -> None:
        """Give a question's fields our names, and spell what the paper's files spell otherwise as we do."""
        self.rename_fields(record)
        fields = record.fields
        spelling = fields.get("format")
        if isinstance(spelling, str):
            fields["format"] = "-".join(spelling.lower().split())
        options = options_of(fields.get("options"))
        if options is None:
            return
        fields["options"] = options
        place = fields.get("output")
        if type(place) is int:
            labels = [option["label"] for option in options]
            fields["output"] = (
                str(place) if str(place) in labels else labels[place] if 0 <= place < len(labels) else place
            )

    def rename_fields(self, record: Record) -> None:
        """Give the record's fields our names."""
        fields = record.fields
        if self.ours:
            renamed = {self.ours.get(name, name): value for name, value in fields.items()}
            fields.clear()
            fields.update((name, value) for name, value in renamed.items() if name is not None)


def options_of(stated: object) -> list[dict[str, str]] | None:
    """Labels and texts of options as data sets on the Hub have them, None where they are as ours or nobody's: a list of
    texts, labelled among themselves or lettered here; lists of texts and labels beside each other; texts by label."""
    if isinstance(stated, Mapping):
        texts, labels = stated.get("text"), stated.get("label")
        if isinstance(texts, list) and isinstance(labels, list) and len(texts) == len(labels):
            return options_from(labels, texts)
        return options_from(list(stated), list(stated.values()))
    if not isinstance(stated, list):
        return None
    return options_from(*(own_labels(stated) or (list(string.ascii_uppercase[: len(stated)]), stated)))


def options_from(labels: Sequence[object], texts: Sequence[object]) -> list[dict[str, str]] | None:
    """None where there are no texts, too many, or what is none."""
    if not 0 < len(texts) == len(labels) <= MAX_OPTIONS or not all(type(each) is str for each in (*labels, *texts)):
        return None
    return [{"label": str(label), "text": str(text)} for label, text in zip(labels, texts, strict=True)]


def own_labels(texts: Sequence[object]) -> tuple[list[str], list[str]] | None:
    """Labels and texts apart, where every text begins with its label and the labels count on in one series."""
    if not all(type(text) is str for text in texts):
        return None
    found = options_in("\n".join(map(str, texts)))
    matches = [LABELLED.fullmatch(str(text)) for text in texts]
    if found is None or len(found) != len(texts):
        return None
    labels, alone = [], []
    for match, option in zip(matches, found.options, strict=True):
        if match is None or spelled(match["label"]).strip(" )").upper() != option.label:
            return None
        labels.append(match["label"])
        alone.append(match["text"])
    return labels, alone


def read_columns(text: str, declared: Any = BenchmarkQuestion) -> Columns:
    """A JSON object of their names and ours, null for a column that is left out; `declared` is the record type whose
    fields ours are. Raises Invalid."""
    try:
        stated = parse_json(text.encode())
    except Invalid as refused:
        reason = refused.problems[0].message.rstrip(".")
        raise Invalid(Problem("not_json", _("The column map is not JSON: %(reason)s.") % {"reason": reason})) from None
    if not isinstance(stated, dict):
        raise Invalid(Problem("not_object", _("The column map is a JSON object: their names and ours.")))
    known = fields_of(declared)
    message = _("One of these is expected: %(values)s.") % {"values": ", ".join(known)}
    problems = [
        Problem("not_a_choice", message, name)
        for name, ours in stated.items()
        if ours is not None and not (isinstance(ours, str) and ours in known)
    ]
    named = [ours for ours in stated.values() if ours is not None]
    problems += [
        Problem("named_twice", _("Two columns are given this name."), name)
        for name, ours in stated.items()
        if ours is not None and named.count(ours) > 1
    ]
    if problems:
        raise Invalid(problems)
    return Columns(stated)
