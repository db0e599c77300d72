"""Files with other column names than ours, as data sets on the Hugging Face Hub have them."""

import json
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from formats.benchmark_question import MAX_OPTIONS, BenchmarkQuestion
from formats.reading import Record
from formats.records import fields_of
from projects.problems import Invalid, Problem


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
        options = fields.get("options")
        if isinstance(options, list) and 0 < len(options) <= MAX_OPTIONS and all(type(text) is str for text in options):
            # A list of texts is lettered; anything else stays as it is.
            letters = zip(string.ascii_uppercase, options, strict=False)
            fields["options"] = [{"label": label, "text": text} for label, text in letters]

    def rename_fields(self, record: Record) -> None:
        """Give the record's fields our names."""
        fields = record.fields
        if self.ours:
            renamed = {self.ours.get(name, name): value for name, value in fields.items()}
            fields.clear()
            fields.update((name, value) for name, value in renamed.items() if name is not None)


def read_columns(text: str, declared: Any = BenchmarkQuestion) -> Columns:
    """A JSON object of their names and ours, null for a column that is left out; `declared` is the record type whose
    fields ours are. Raises Invalid."""
    try:
        stated = json.loads(text)
    except ValueError as error:
        raise Invalid(Problem("not_json", _("The column map is not JSON: %(reason)s.") % {"reason": error})) from None
    if not isinstance(stated, dict):
        raise Invalid(Problem("not_object", _("The column map is a JSON object: their names and ours.")))
    known = fields_of(declared)
    message = _("One of these is expected: %(values)s.") % {"values": ", ".join(known)}
    problems = [
        Problem("not_a_choice", message, name)
        for name, ours in stated.items()
        if ours is not None and ours not in known
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
