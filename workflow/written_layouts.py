"""The layout of a stage as a person writes and reads it: `show` and `ask` as they stand in the project file."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.layout import Shown, Type, asked_of, marks_of, plain_parts
from formats.project_file.part import Findings
from formats.project_file.reading import Lines, read_yaml
from formats.project_file.writing import write_yaml
from formats.records import compiled
from projects.problems import Invalid, Problem
from projects.stored_text import unbroken
from workflow.layouts import refuse_layouts, shown_by
from workflow.models import Stage
from workflow.project_parts import StageRecord
from workflow.task_types import task_type

FIELDS = ("show", "ask")
MAX_TEXT = 100_000
#: What a new stage begins with, to be rewritten.
FIRST: dict[str, list[Any]] = {
    "show": ["prompt", "response"],
    "ask": [
        {"choice": "Is the response right?", "of": ["Yes", "Partly", "No"], "ordered": True},
        {"text": "What is wrong with it?", "optional": True},
    ],
}
FIRST_WITH_MARKS = {**FIRST, "ask": [{"spans": "Mark every error."}, *FIRST["ask"]]}


def as_text(stage: Stage) -> str:
    """The lines of the layout; of a stage that has none those of an example."""
    first = FIRST_WITH_MARKS if task_type(stage.kind).has_marks else FIRST
    layout = {"show": stage.show, "ask": plain_parts(stage.ask)} if stage.show or stage.ask else first
    return write_yaml(layout).decode()


def read_layout(stage: Stage, text: str) -> dict[str, list[Any]]:
    """What is shown and asked by this text, held against what was answered. Raises Invalid with every problem."""
    data, lines = read_yaml(text.encode("utf-8", "surrogatepass"))
    has_marks = task_type(stage.kind).has_marks
    if not isinstance(data, dict) or not data.get("ask") or not (data.get("show") or has_marks):
        message = _("Two lists are expected: what is shown under “show”, what is asked under “ask”.")
        raise Invalid(Problem("not_a_layout", message))
    if unknown := [name for name in data if name not in FIELDS]:
        raise Invalid(
            Problem("unknown_field", _("There is no such field."), str(unknown[0])[:120], lines.get(unknown[0]))
        )
    entry = {"name": stage.name, "kind": stage.kind, **data}
    findings = Findings(_within(lines))
    if compiled(StageRecord).check(entry, 0, findings):
        refuse_layouts(stage.project, [entry], findings)
    if findings.total:
        raise Invalid(
            [Problem(one.code, one.message, one.field.removeprefix("stages[0]."), one.line) for one in findings.shown]
        )
    return {"show": shown_by(stage.kind, data.get("show"), data["ask"]), "ask": plain_parts(data["ask"])}


def _within(lines: Lines) -> Lines:
    """The lines by place, also as the file of a project would name the place."""
    return {**lines, **{f"stages[0].{place}": line for place, line in lines.items()}}


class LayoutForm(forms.Form):
    """The layout of a stage; `layout` of the cleaned data holds `show` and `ask`."""

    text = forms.CharField(
        label=gettext_lazy("Layout"),
        strip=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 14, "dir": "ltr", "spellcheck": "false"}),
    )

    def __init__(self, data: Mapping[str, str] | None = None, *, stage: Stage) -> None:
        super().__init__(data)
        self.stage = stage
        self.fields["text"].initial = as_text(stage)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "text" in self.errors:
            return cleaned
        try:
            cleaned["layout"] = read_layout(self.stage, unbroken(cleaned.get("text") or ""))
        except Invalid as refused:
            for problem in refused.problems:
                self.add_error("text", _told(problem))
        return cleaned


def _told(problem: Problem) -> str:
    place = _("line %(line)d") % {"line": problem.line} if problem.line else ""
    return ": ".join(str(part) for part in (place, problem.field, problem.message) if part)


def previewed(show: Sequence[str], ask: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Context of the page: the parts in words, and all that there are."""
    return {
        "shown": [Shown(part).label for part in show],
        "marks": marks_of(ask),
        "marks_name": Type.SPANS.label,
        "parts": [
            {
                "key": part.key,
                "question": part.question,
                "type_name": Type(part.type).label,
                "options": part.options,
                "is_optional": part.is_optional,
                "gold": part.gold,
                "bounds": " – ".join("" if end is None else f"{end:g}" for end in (part.lowest, part.highest))
                if (part.lowest, part.highest) != (None, None)
                else "",
            }
            for part in asked_of(ask)
        ],
        "all_shown": list(Shown.values),
        "all_types": Type.choices,
    }
