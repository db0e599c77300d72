"""The rules of a stage as a person writes and reads them: the list that stands under `rules` in the project file."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.answer_rules import plain_rules
from formats.project_file.part import Findings
from formats.project_file.reading import read_yaml
from formats.project_file.writing import write_yaml
from formats.records import compiled
from projects.problems import Invalid, Problem
from projects.stored_text import unbroken
from workflow.answer_rules import rules_of
from workflow.models import Assignment, Stage, StageRules, Status
from workflow.project_parts import StageRecord, refuse_rules
from workflow.task_types import task_type

KEY = "rules"


def as_text(rules: list[dict[str, Any]]) -> str:
    """A rule a line; empty where there is none."""
    return write_yaml({KEY: rules}).decode().partition("\n")[2] if rules else ""


def read_rules(stage: Stage, text: str) -> list[dict[str, Any]]:
    """The rules that the text says, held against the project's words. Raises Invalid with every problem."""
    if text.strip() in ("", "[]"):
        return []
    data, lines = read_yaml(f"{KEY}:\n{text}".encode("utf-8", "surrogatepass"))
    if not isinstance(data, dict) or set(data) != {KEY}:
        raise Invalid(Problem("not_list", _("A list is expected, each entry behind a hyphen.")))
    return checked_rules(stage, data[KEY], Findings(lines))


def checked_rules(stage: Stage, rules: Any, findings: Findings) -> list[dict[str, Any]]:
    """The rules, held against the project's words. Raises Invalid with every problem."""
    entry = {"name": stage.name, "kind": stage.kind, KEY: rules}
    if compiled(StageRecord).check(entry, 0, findings):
        refuse_rules(stage.project, [entry], findings)
    if findings.total:
        raise Invalid(
            [Problem(each.code, each.message, each.field.removeprefix("stages[0].")) for each in findings.shown]
        )
    return plain_rules(rules or [])


class StageRulesForm(forms.Form):
    """The rules of a stage as they stand in the project file; `rules` of the cleaned data is their list."""

    text = forms.CharField(
        label=gettext_lazy("Rules"),
        required=False,
        strip=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 10, "dir": "ltr", "spellcheck": "false"}),
        help_text=gettext_lazy(
            "A rule a line, such as {needs: explanation, criticality: [high]} or {most: 5, warns: true}."
        ),
    )

    def __init__(self, data: Mapping[str, str] | None = None, *, stage: Stage) -> None:
        super().__init__(data)
        self.stage = stage
        self.fields["text"].initial = as_text(rules_of(stage))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        try:
            cleaned["rules"] = read_rules(self.stage, unbroken(cleaned.get("text") or ""))
        except Invalid as refused:
            for problem in refused.problems:
                self.add_error("text", f"{problem.field}: {problem.message}" if problem.field else str(problem.message))
        return cleaned


@dataclass(frozen=True, slots=True)
class WrittenVersion:
    number: int
    made_at: datetime | None
    text: str
    answers: int


def versions_of(stage: Stage) -> list[WrittenVersion]:
    """Every version, the newest first, with how many of the answers that stand were handed in under it."""
    made: list[tuple[int, datetime | None, list[dict[str, Any]]]] = [
        (version.number, version.made_at, plain_rules(version.rules))
        for version in StageRules.objects.filter(stage=stage).order_by("number")
    ]
    if not made or made[0][0] > 1:
        made.insert(0, (1, None, plain_rules(task_type(stage.kind).default_rules or ())))
    handed_in = Assignment.objects.filter(stage=stage, status=Status.SUBMITTED)
    found = []
    until = None
    for number, made_at, rules in reversed(made):
        under = handed_in
        if made_at is not None and number > 1:
            under = under.filter(submitted_at__gte=made_at)
        if until is not None:
            under = under.filter(submitted_at__lt=until)
        found.append(WrittenVersion(number, made_at, as_text(rules), under.count()))
        until = made_at
    return found
