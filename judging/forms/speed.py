"""A pass that measures speed: which configurations, how many calls, on what."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmark.models import SpeedMeasurement
from judging.speed.measuring import CALLS, MAX_CALLS, MAX_WARM_UP, WARM_UP, How, Target

NUMBER = {"inputmode": "numeric", "dir": "ltr"}


class SpeedForm(forms.Form):
    configurations = forms.MultipleChoiceField(label=_("Configurations"), widget=forms.CheckboxSelectMultiple)
    calls = forms.IntegerField(
        label=_("Calls"),
        min_value=1,
        max_value=MAX_CALLS,
        initial=CALLS,
        widget=forms.NumberInput(attrs=NUMBER),
        help_text=_("Of each configuration, to the same public questions; never more than there are questions."),
    )
    warm_up = forms.IntegerField(
        label=_("Calls for warming up"),
        min_value=0,
        max_value=MAX_WARM_UP,
        initial=WARM_UP,
        widget=forms.NumberInput(attrs=NUMBER),
        help_text=_("Made before, and not counted."),
    )
    is_local = forms.BooleanField(
        label=_("The model runs on hardware of our own"),
        required=False,
        help_text=_("Measurements by API and on local hardware are never put into one ranking."),
    )
    hardware = forms.CharField(
        label=_("Hardware"),
        max_length=SpeedMeasurement._meta.get_field("hardware").max_length,
        required=False,
        help_text=_("Needed for hardware of your own: the processor or graphics card, and how many."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )

    def __init__(self, targets: list[Target], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        names = [(target.configuration.slug, target.configuration.name) for target in targets]
        choices: Any = self.fields["configurations"]
        choices.choices = names
        choices.initial = [slug for slug, _name in names]

    @property
    def how(self) -> How:
        """The form must be valid."""
        values = self.cleaned_data
        return How(values["calls"], values["warm_up"], values["is_local"], values["hardware"])
