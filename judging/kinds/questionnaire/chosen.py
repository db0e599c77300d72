"""Which questionnaires of its project a judge answers: those that its options name, or all.

They are named, not numbered: names are what a project file and another installation know. Where a lead renames one,
its judges follow (`workflow.renaming`).
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.kinds.options import Option
from judging.models import Judge
from projects.models import Project
from projects.problems import Invalid, Problem
from workflow.layouts import stages_with_parts
from workflow.models import Stage

if TYPE_CHECKING:
    from rest_framework import serializers

MOST = 100
LONGEST = Stage._meta.get_field("name").max_length or 0
#: Of names of questionnaires in a judge's own name, in characters: what is longer is cut, and told apart by a hash.
MAX_IN_NAME = 40


@dataclass(frozen=True, kw_only=True)
class Chosen(Option):
    """Names of stages, each once, in the order of their letters; none of them means all. `words` and `in_name` have one
    form under "", with %(names)s."""

    default: tuple[str, ...] = ()

    def tidied(self, value: Any) -> list[str] | tuple[()]:
        return sorted(value) or ()

    def fault(self, value: Any) -> str:
        is_list = isinstance(value, list | tuple)
        if not is_list or any(type(name) is not str or not 0 < len(name) <= LONGEST for name in value):
            return _("A list of names is expected.")
        if len(value) > MOST:
            return _("There are more than %(limit)d of these.") % {"limit": MOST}
        if len(set(value)) < len(value):
            return _("The same one stands twice.")
        return ""

    def fault_in(self, project: Project, value: Any) -> str:
        if not value:
            return ""
        there = {stage.name for stage in questionnaires(project.pk)}
        missing = next((name for name in value if name not in there), None)
        return _("The project has no questionnaire “%(name)s”.") % {"name": missing} if missing is not None else ""

    def form_field(self) -> forms.Field:
        return forms.MultipleChoiceField(
            label=self.label, help_text=self.help_text, widget=forms.CheckboxSelectMultiple, required=False
        )

    def offer(self, field: forms.Field, project: Project) -> bool:
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(stage.name, stage.label) for stage in questionnaires(project.pk)]
        return bool(field.choices)

    def from_form(self, cleaned: Any) -> Any:
        return list(cleaned) if cleaned else self.default

    def api_field(self) -> serializers.Field:
        from rest_framework import serializers

        return serializers.ListField(
            child=serializers.CharField(max_length=LONGEST, trim_whitespace=False),
            max_length=MOST,
            help_text="names of the questionnaires it answers; empty, all",
        )

    def add_flag(self, parser: CommandParser) -> None:
        parser.add_argument(self.flag, action="append", metavar="NAME", help=f"{self.label}; may be given again")

    def in_words(self, value: Any) -> str:
        return str(self.words[""]) % {"names": ", ".join(value)} if value else ""

    def named(self, value: Any) -> str:
        return self.in_name[""] % {"names": _shortened(", ".join(value))} if value else ""


def _shortened(names: str) -> str:
    if len(names) <= MAX_IN_NAME:
        return names
    return f"{names[: MAX_IN_NAME - 6]}… {sha256(names.encode()).hexdigest()[:4]}"


CHOSEN = Chosen(
    name="questionnaires",
    label=gettext_lazy("Questionnaires it answers"),
    help_text=gettext_lazy("None chosen means all, also those that come later."),
    words={"": gettext_lazy("answers: %(names)s")},
    in_name={"": ", only %(names)s"},
    is_kept=False,
)


def questionnaires(project: int) -> list[Stage]:
    """Those of the project that ask anything, in their order. One statement."""
    return stages_with_parts(project)


def asked_by(judge: Judge) -> list[Stage]:
    """Those that the judge answers."""
    names = CHOSEN.of(judge)
    return [stage for stage in questionnaires(judge.project_id) if not names or stage.name in names]


def ready(judge: Judge) -> list[Stage]:
    """The same. Raises Invalid where there is none, or one that the judge is to answer is gone."""
    stages, names = asked_by(judge), CHOSEN.of(judge)
    if missing := sorted(set(names) - {stage.name for stage in stages}):
        message = _("This judge answers the questionnaire “%(name)s”, which is no longer there. Add another judge.")
        raise Invalid(Problem("questionnaire_gone", message % {"name": missing[0]}))
    if not stages:
        raise Invalid(Problem("no_questionnaire", _("The project has no questionnaire that asks anything.")))
    return stages


def follow(project: int, before: str, after: str) -> None:
    """Judges that answer a questionnaire by its former name answer it by the new one."""
    judges = Judge.objects.filter(project=project, kind="questionnaire").order_by("pk")
    changed = []
    for judge in judges:
        names = judge.options.get(CHOSEN.name, ())
        if before in names:
            judge.options[CHOSEN.name] = sorted(after if name == before else name for name in names)
            changed.append(judge)
    Judge.objects.bulk_update(changed, ["options"])
