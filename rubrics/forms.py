"""What a lead sets in this room."""

from django import forms
from django.utils.translation import gettext_lazy as _

from rubrics.scoring.studies import MAX_SEED


class CalibrationForm(forms.Form):
    responses_per_community = forms.IntegerField(
        label=_("Responses of each community"),
        help_text=_("How many responses to prompts in each variety are graded. Every community grades all of them."),
        min_value=1,
        max_value=1000,
        initial=20,
    )
    graders_per_community = forms.IntegerField(
        label=_("Graders of each community"),
        help_text=_("How many people of each variety grade each response, each with errors of their own."),
        min_value=1,
        max_value=20,
        initial=2,
    )
    seed = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=MAX_SEED)
