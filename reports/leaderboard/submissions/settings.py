"""The lead's settings of submissions: whether a board takes them, and what those of a month may cost."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judging.forms.sets import MAX_DOLLARS
from providers.prices import in_billionths, in_dollars


class SubmissionSettings(forms.Form):
    """Fields of the board's form, under the names of its columns; money is shown in dollars."""

    takes_submissions = forms.BooleanField(
        label=_("Verified laboratories may submit models"),
        required=False,
        help_text=_("To a board that everybody may read: an account and a laboratory each once a calendar month."),
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )
    submission_money = forms.DecimalField(
        label=_("What a month's submissions may cost, in US dollars"),
        required=False,
        min_value=Decimal(0),
        max_value=MAX_DOLLARS,
        decimal_places=2,
        help_text=_("Asking the models and judging their answers, together: spent, both stop. Left empty, no limit."),
        widget=forms.NumberInput(attrs={"step": "0.01", "inputmode": "decimal", "dir": "ltr", "class": "form-control"}),
    )
    submission_tokens = forms.IntegerField(
        label=_("What a month's submissions may use, in tokens"),
        required=False,
        min_value=0,
        max_value=10**15,
        help_text=_("Read and written, together. Left empty, no limit."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "dir": "ltr", "class": "form-control"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        stored = self.initial.get("submission_money")
        if stored is not None:
            self.initial["submission_money"] = in_dollars(stored).quantize(Decimal("0.01"))

    def clean_submission_money(self) -> int | None:
        dollars = self.cleaned_data["submission_money"]
        return None if dollars is None else in_billionths(dollars)
