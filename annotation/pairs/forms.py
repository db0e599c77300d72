"""The form by which a lead says how pairs are formed."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import DesignKind, PairDesign
from annotation.pairs.forming import MAX_PER_PROMPT, MAX_SEED, models_of
from projects.models import Project


class PairsForm(forms.Form):
    design = forms.ChoiceField(label=_("Which models meet"), choices=DesignKind.choices, widget=forms.RadioSelect)
    baseline = forms.ChoiceField(
        label=_("The model that each other one meets"), required=False, help_text=_("Only where every model meets one.")
    )
    per_prompt = forms.IntegerField(
        label=_("Pairs to a prompt"),
        min_value=1,
        max_value=MAX_PER_PROMPT,
        required=False,
        help_text=_("Only of a balanced design."),
    )
    among = forms.MultipleChoiceField(
        label=_("Models"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Where none is chosen, it is all of them."),
    )
    seed = forms.IntegerField(
        label=_("Seed"), min_value=0, max_value=MAX_SEED, help_text=_("The sides are drawn from it.")
    )

    def __init__(self, project: Project, design: PairDesign, data: Any = None) -> None:
        fields = ("design", "baseline", "per_prompt", "among", "seed")
        super().__init__(data, initial={name: getattr(design, name) for name in fields})
        self.wanted = design
        names = [(model.name, model.name) for model in models_of(project)]
        self.fields["baseline"].choices = [("", "–"), *names]  # type: ignore[attr-defined]
        self.fields["among"].choices = names  # type: ignore[attr-defined]

    def chosen(self) -> PairDesign:
        """The design as it was filled in; it is not stored."""
        for name, value in self.cleaned_data.items():
            setattr(self.wanted, name, value if value is not None else 1)
        return self.wanted
