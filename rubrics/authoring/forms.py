"""How a project writes its rubrics: the rules, and the bands of weights."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import transaction
from django.forms import BaseInlineFormSet, inlineformset_factory
from django.utils.translation import gettext_lazy as _

from formats.limits import MAX_WEIGHT
from projects.models import Project
from projects.slugs import free_slug
from rubrics.authoring.settings import graded_by_people
from rubrics.models import RubricSettings, WeightBand

EMPTY_ROWS = 2


class RubricSettingsForm(forms.ModelForm):
    class Meta:
        model = RubricSettings
        fields = ["needs_difficulty_check", "needs_review", "judges_alone"]

    def clean_judges_alone(self) -> bool:
        alone = bool(self.cleaned_data["judges_alone"])
        if alone and (problem := graded_by_people(self.instance.project)):
            raise forms.ValidationError(problem)
        return alone


class WeightBandForm(forms.ModelForm):
    class Meta:
        model = WeightBand
        fields = ["name", "lowest", "highest"]
        widgets = {"name": forms.TextInput(attrs={"dir": "auto"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("lowest", "highest"):
            self.fields[name].validators += [MinValueValidator(1), MaxValueValidator(MAX_WEIGHT)]
            self.fields[name].widget.attrs |= {"min": 1, "max": MAX_WEIGHT}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        lowest, highest = cleaned.get("lowest"), cleaned.get("highest")
        if lowest and highest and highest < lowest:
            self.add_error("highest", _("The highest weight is below the lowest."))
        return cleaned


class WeightBandFormSet(BaseInlineFormSet):
    """The bands in their order, with empty rows behind them for new ones."""

    def clean(self) -> None:
        super().clean()
        for form in self.deleted_forms:
            if form.instance.pk and form.instance.criteria.exists():
                message = _("Criteria of frozen rubrics stand in the band “%(name)s”, so it stays.")
                raise forms.ValidationError(message, params={"name": form.instance.label})

    @transaction.atomic
    def save(self, commit: bool = True) -> list[WeightBand]:
        saved = super().save(commit=False)
        for band in self.deleted_objects:
            band.delete()
        taken = set(self.instance.weight_bands.values_list("slug", flat=True))
        for position, form in enumerate(self.forms, start=1):
            band = form.instance
            if band not in saved and band.pk is None:
                continue
            if not band.slug:
                band.slug = free_slug(band.name, taken, "band")
                taken.add(band.slug)
            band.position = position
            if band not in self.deleted_objects:
                band.save()
        return saved


BandFormSet = inlineformset_factory(
    Project,
    WeightBand,
    form=WeightBandForm,
    formset=WeightBandFormSet,
    extra=EMPTY_ROWS,
    can_delete=True,
    can_delete_extra=False,
)
