"""The form of a page's filters: it offers what a scope declares, and its choices are the allow list."""

from collections.abc import Sequence
from typing import Any

from django import forms

from projects.models import Project
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.scope import Declaration, Scope


class NarrowingForm(forms.Form):
    """A form of the address line: every field may be empty, and what is not a choice is not applied.

    names  the fields of the scope that it offers; all of them where there are none.
    """

    def __init__(self, scope: type[Scope], project: Project, data: Any, names: Sequence[str] = ()):
        super().__init__(data, auto_id="filter_%s")
        state = revisions(project)
        for name, declaration in scope.declarations().items():
            if not names or name in names:
                offered = [("", declaration.nothing), *declaration.choices(project, state)]
                self.fields[name] = number(declaration) if declaration.bounds else select(declaration, offered)

    @property
    def chosen(self) -> dict[str, Any]:
        """The filters that are set and allowed."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}

    @property
    def refused(self) -> list[str]:
        """Labels of the filters whose value is not among the choices."""
        return [str(self.fields[name].label) for name in self.errors]


def select(declaration: Declaration, offered: Sequence[tuple[str, Any]]) -> forms.ChoiceField:
    widget = forms.Select(attrs={"class": "form-select form-select-sm"})
    return forms.ChoiceField(label=declaration.label, required=False, widget=widget, choices=offered)


def number(declaration: Declaration) -> forms.FloatField:
    lowest, highest, step = declaration.bounds or (None, None, None)
    shown = {"class": "form-control form-control-sm", "step": str(step), "placeholder": str(declaration.default)}
    return forms.FloatField(
        label=declaration.label,
        required=False,
        min_value=lowest,
        max_value=highest,
        widget=forms.NumberInput(attrs=shown),
    )
