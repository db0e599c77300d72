"""Choosing some of many: check boxes with a field to find them by, and languages by their names."""

from django import forms
from django.db.models import QuerySet

from projects.models import LanguageVariety


class SearchableChoices(forms.CheckboxSelectMultiple):
    """Check boxes that the page lets people search; without scripts, a list that scrolls."""


class VarietiesField(forms.ModelMultipleChoiceField):
    """Languages as written in a place, each by its name, its own name and its tag, so that any of these finds it."""

    widget = SearchableChoices

    def offer(self, varieties: QuerySet[LanguageVariety]) -> None:
        """These and no others, by their names in the reader's language."""
        self.queryset = varieties
        labelled = [(variety.pk, self.label_from_instance(variety)) for variety in varieties]
        # By the name alone: what is said in brackets comes after the language without them.
        self.choices = sorted(labelled, key=lambda choice: str(choice[1]).split(" · ")[0].casefold())

    def label_from_instance(self, obj: LanguageVariety) -> str:
        called = dict.fromkeys([obj.local_name, obj.name, obj.native_name])
        first, *others = filter(None, called)
        return " · ".join([first, *(f"\u2068{each}\u2069" for each in [*others, obj.tag])])
