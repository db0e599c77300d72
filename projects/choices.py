"""Choosing some of many: check boxes with a field to find them by, and languages by their names in both languages."""

from django import forms

from projects.models import LanguageVariety


class SearchableChoices(forms.CheckboxSelectMultiple):
    """Check boxes that the page lets people search; without scripts, a list that scrolls."""


class VarietiesField(forms.ModelMultipleChoiceField):
    """Languages as written in a place, each by its name, its own name and its tag, so that any of these finds it."""

    widget = SearchableChoices

    def label_from_instance(self, obj: LanguageVariety) -> str:
        own = f" · \u2068{obj.native_name}\u2069" if obj.native_name and obj.native_name != obj.name else ""
        return f"{obj.name}{own} · \u2068{obj.tag}\u2069"
