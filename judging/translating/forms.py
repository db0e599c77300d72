from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from judging.models import TargetEndpoint
from judging.translating.beginning import translators, varieties_of
from projects.models import LanguageVariety, Project

DOLLAR = 1_000_000_000


class DraftsForm(forms.Form):
    """Which model drafts into which languages, and what that may cost."""

    model = forms.ChoiceField(label=_("Model"))
    varieties = forms.MultipleChoiceField(label=_("Languages"), widget=forms.CheckboxSelectMultiple)
    money = forms.DecimalField(
        label=_("Most money, in US dollars"), required=False, min_value=0, max_value=1_000_000, decimal_places=9
    )
    tokens = forms.IntegerField(label=_("Most tokens"), required=False, min_value=1, max_value=10**12)

    def __init__(self, project: Project, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.endpoints = {endpoint.target_model.name: endpoint for endpoint in translators(project)}
        self.known = {variety.tag: variety for variety in varieties_of(project)}
        cast(forms.ChoiceField, self.fields["model"]).choices = [(name, name) for name in self.endpoints]
        varieties = cast(forms.MultipleChoiceField, self.fields["varieties"])
        varieties.choices = [(tag, project.calls(variety)) for tag, variety in self.known.items()]
        varieties.initial = list(self.known)

    @property
    def endpoint(self) -> TargetEndpoint:
        return self.endpoints[self.cleaned_data["model"]]

    @property
    def chosen(self) -> list[LanguageVariety]:
        return [self.known[tag] for tag in self.cleaned_data["varieties"]]

    @property
    def money_limit(self) -> int | None:
        money = self.cleaned_data["money"]
        return None if money is None else int(money * DOLLAR)
