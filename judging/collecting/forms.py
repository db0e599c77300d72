"""Forms of the pages of target models."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judging.collecting.by_hand import CONTROLS
from judging.collecting.system_prompts import MAX_CHARACTERS as MAX_SYSTEM
from judging.collecting.system_prompts import OTHERS
from judging.forms.sets import LimitsForm
from judging.models import MAX_REPLICATES, DifficultyModel
from projects.models import Laboratory, LanguageVariety
from projects.stored_text import unbroken
from providers.models import Provider

MODEL_NAME = {"dir": "ltr", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
OTHERS_FIELD = "others"
BY_PROVIDER, BY_HAND = "provider", "hand"


def replicates_field(*, required: bool) -> forms.IntegerField:
    label, most = _("Responses to each prompt"), MAX_REPLICATES
    return forms.IntegerField(label=label, min_value=1, max_value=most, initial=1, required=required)


class ReplicatesForm(forms.Form):
    """How often each prompt is put to a target model."""

    replicates = replicates_field(required=True)


class SystemPromptsForm(forms.Form):
    """The system prompt of a project, and those of language varieties that have their own."""

    def __init__(self, varieties: Sequence[LanguageVariety], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for variety in (None, *varieties):
            self.fields[variety.tag if variety else OTHERS_FIELD] = forms.CharField(
                label=variety.local_name if variety else _("All other languages"),
                required=False,
                strip=False,
                max_length=MAX_SYSTEM,
                widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
            )

    @property
    def texts(self) -> dict[str, str]:
        return {OTHERS if tag == OTHERS_FIELD else tag: unbroken(text) for tag, text in self.cleaned_data.items()}


class TargetForm(forms.Form):
    """A target model: where its responses come from, and what is sent beside the prompt."""

    source = forms.ChoiceField(
        label=_("Where its responses come from"),
        choices=[
            (BY_PROVIDER, _("It is asked through a provider")),
            (BY_HAND, _("It has no API: people ask it elsewhere and paste its responses")),
        ],
        widget=forms.RadioSelect,
        initial=BY_PROVIDER,
    )
    provider = forms.ModelChoiceField(label=_("Provider"), queryset=Provider.objects.filter(is_submitted=False))
    model = forms.CharField(
        label=_("Model"),
        max_length=200,
        help_text=_("The model's name exactly as the provider writes it."),
        widget=forms.TextInput(attrs=MODEL_NAME),
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=200,
        required=False,
        help_text=_(
            "How tables and charts call it. With a provider it may be left empty: it is the model's name there."
        ),
    )
    replicates = replicates_field(required=False)
    laboratory = forms.ModelChoiceField(
        label=_("Laboratory"),
        queryset=Laboratory.objects.all(),
        required=False,
        help_text=_("Only where the name does not tell it."),
    )
    system = forms.CharField(
        label=_("System prompt"),
        max_length=8000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text=_("Left empty, the project's own is sent, or none. {language} and {variety} stand for the prompt's."),
    )
    temperature = forms.FloatField(label=_("Temperature"), min_value=0, max_value=2, required=False)
    top_p = forms.FloatField(label=_("Top p"), min_value=0, max_value=1, required=False)
    max_tokens = forms.IntegerField(label=_("Most tokens of an answer"), min_value=1, max_value=200_000, required=False)
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        help_text=_("Of several responses to a prompt each is asked with the next one."),
    )
    reasoning_effort = forms.ChoiceField(
        label=_("Reasoning effort"),
        choices=[
            ("", _("As the provider sets it")),
            ("minimal", _("Minimal")),
            ("low", _("Low")),
            ("medium", _("Medium")),
            ("high", _("High")),
        ],
        required=False,
    )

    PARAMETERS = ("system", "temperature", "top_p", "max_tokens", "seed", "reasoning_effort")

    def clean_system(self) -> str:
        """A browser sends a line's end as two characters; what was typed has one."""
        return unbroken(self.cleaned_data["system"])

    # What the other choice of source needs is hidden; a browser would hold the form back for it without a word.
    use_required_attribute = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_hand = self["source"].value() == BY_HAND
        self.fields["provider"].required = self.fields["model"].required = not by_hand
        self.fields["name"].required = by_hand

    @property
    def parameters(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.PARAMETERS}

    def parameter_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.PARAMETERS]

    @property
    def has_parameters(self) -> bool:
        """Whether the parameters stand open: something of them was filled in."""
        return any(self[name].value() not in (None, "") for name in self.PARAMETERS)


class CollectForm(LimitsForm):
    """Within what budget a target model is asked, and whether everything is asked anew."""

    takes_over = forms.BooleanField(
        label=_("Take over responses to the same"),
        required=False,
        help_text=_(
            "Where the very same was put to this model at this provider before, in this project or another, its "
            "response is taken over: nothing is asked, and the response says so."
        ),
    )


class PasteForm(forms.Form):
    """The first response of a model, as it was, and how one came by it."""

    text = forms.CharField(
        label=_("Its first response"),
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "dir": "auto", "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("Paste it whole. It is stored to the last character: nothing is trimmed, corrected or normalised."),
    )
    controls = forms.MultipleChoiceField(
        label=_("How I came by it"), choices=list(CONTROLS.items()), widget=forms.CheckboxSelectMultiple
    )

    def clean_text(self) -> str:
        """A text field holds each line's end as one character, and the browser sends two; this is undone."""
        return unbroken(self.cleaned_data["text"])


class DifficultyModelForm(forms.ModelForm):
    """The model on which authors try their prompts; without a provider they try them elsewhere, by hand."""

    provider = forms.ModelChoiceField(
        label=_("Provider"),
        queryset=Provider.objects.filter(is_submitted=False),
        required=False,
        empty_label=_("None: authors ask a model elsewhere"),
    )
    model = forms.CharField(
        label=_("Model"),
        max_length=200,
        required=False,
        help_text=_("The model's name exactly as the provider writes it."),
        widget=forms.TextInput(attrs=MODEL_NAME),
    )

    class Meta:
        model = DifficultyModel
        fields = ["provider", "model"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("provider") and not cleaned.get("model"):
            self.add_error("model", forms.ValidationError(_("This is needed."), code="required"))
        return cleaned
