"""What whoever submits a model says of it, and of how it is to be run: one form for the page and for programs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.models import Access
from projects.problems import Invalid, problems_of_form
from projects.public_addresses import MAX_ADDRESS, address_fault
from projects.stored_text import UNSTORABLE, name_fault

MAX_NAME, MAX_SHORT, MAX_TEXT, MAX_LINK = 200, 120, 4000, 500
MAX_BILLIONS, MAX_TOKENS = 1_000_000, 10_000_000
LATIN = {"dir": "ltr", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}


class How(models.TextChoices):
    ENDPOINT = "endpoint", gettext_lazy("At an address of ours, over the network")
    WEIGHTS = "weights", gettext_lazy("The weights are open: run it yourselves")


@dataclass(frozen=True, slots=True)
class Submitted:
    """A model as it is submitted: `card` has columns of ModelCard, `run` is how it is to be run."""

    name: str
    card: dict[str, Any]
    run: dict[str, Any]


def line(label: Any, limit: int = MAX_SHORT, help_text: Any = "", **options: Any) -> forms.CharField:
    options.setdefault("required", False)
    widget = forms.TextInput(attrs=LATIN)
    return forms.CharField(label=label, max_length=limit, help_text=help_text, widget=widget, **options)


def text(label: Any, help_text: Any = "", limit: int = MAX_TEXT) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 3, "dir": "auto"})
    return forms.CharField(label=label, max_length=limit, required=False, help_text=help_text, widget=widget)


def number(label: Any, low: float, high: float, help_text: Any = "") -> forms.FloatField:
    widget = forms.NumberInput(attrs={"step": "any", "inputmode": "decimal", "dir": "ltr"})
    return forms.FloatField(
        label=label, min_value=low, max_value=high, required=False, help_text=help_text, widget=widget
    )


def whole(label: Any, low: int, high: int, help_text: Any = "") -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "dir": "ltr"})
    return forms.IntegerField(
        label=label, min_value=low, max_value=high, required=False, help_text=help_text, widget=widget
    )


CARD_FIELDS = (
    *("access", "parameters_total", "parameters_active", "licence", "context_tokens", "link", "declared_overlap"),
)
RUN_FIELDS = ("how", "address", "model", "needs_key", "revision", "precision", "instructions", "system_prompt")
SAMPLING = ("temperature", "top_p", "seed")


class LinkField(forms.URLField):
    """To a page, and so with one word about what is none."""

    default_validators = [URLValidator(schemes=["http", "https"])]


class SubmissionForm(forms.Form):
    """`cleaned_data` of a valid form is what `submitted` puts in order."""

    name = forms.CharField(
        label=gettext_lazy("Name of the model"),
        max_length=MAX_NAME,
        help_text=gettext_lazy("Everybody reads it in the list of submissions, and on the board once it is done."),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    access = forms.ChoiceField(
        label=gettext_lazy("Who has the weights"), choices=Access.choices, widget=forms.RadioSelect
    )
    parameters_total = number(
        gettext_lazy("Parameters in all, in billions"),
        1e-6,
        MAX_BILLIONS,
        gettext_lazy("Left empty, the model is in the class of undisclosed sizes."),
    )
    parameters_active = number(gettext_lazy("Parameters active at once, in billions"), 1e-6, MAX_BILLIONS)
    licence = line(gettext_lazy("Licence"))
    context_tokens = whole(gettext_lazy("Longest context, in tokens"), 1, MAX_TOKENS * 100)
    link = LinkField(
        label=gettext_lazy("Page of the model"),
        max_length=MAX_LINK,
        required=False,
        assume_scheme="https",
        widget=forms.URLInput(attrs=LATIN),
    )
    declared_overlap = text(
        gettext_lazy("Texts of these questions that the model was trained on"),
        gettext_lazy("What you know of. Saying so never costs more than silence. Left empty, you say nothing of it."),
    )
    how = forms.ChoiceField(label=gettext_lazy("How the model is asked"), choices=How.choices, widget=forms.RadioSelect)
    address = line(
        gettext_lazy("Address"),
        MAX_ADDRESS,
        gettext_lazy(
            "Needed where the model is asked at an address of yours: of its OpenAI-compatible interface, in the open "
            "network; it mostly ends in /v1. It is called only after a moderator accepted."
        ),
    )
    model = line(gettext_lazy("The model's name at this address"), MAX_NAME, gettext_lazy("Needed with an address."))
    needs_key = forms.BooleanField(
        label=gettext_lazy("The address asks for a key"),
        required=False,
        help_text=gettext_lazy(
            "Do not write the key anywhere here. Whoever runs this installation tells you how to hand it over; it is "
            "kept outside the database and shown to nobody."
        ),
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )
    instructions = text(
        gettext_lazy("How the weights are run"),
        gettext_lazy("Of open weights: where they lie, with which software and template."),
    )
    revision = line(gettext_lazy("Revision"))
    precision = line(gettext_lazy("Precision"), 40)
    system_prompt = text(gettext_lazy("System prompt"), gettext_lazy("Left empty, none is sent."))
    temperature = number(gettext_lazy("Temperature"), 0, 10)
    top_p = number("top_p", 0, 1)
    seed = whole(gettext_lazy("Seed"), 0, 2**31 - 1)
    thinking_effort = line(gettext_lazy("Effort of thinking"), 40)
    token_limit = whole(gettext_lazy("Longest answer, in tokens"), 1, MAX_TOKENS)

    def clean_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split(" "))
        if fault := name_fault(name, MAX_NAME):
            raise forms.ValidationError(fault[1], fault[0])
        if not any(letter.isalnum() for letter in name):
            raise forms.ValidationError(_("A name has a letter or a digit."), "unstorable")
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for field, value in list(cleaned.items()):
            if isinstance(value, str) and UNSTORABLE.search(value):
                self.add_error(field, forms.ValidationError(_("This holds a character that cannot be stored.")))
        total, active = cleaned.get("parameters_total"), cleaned.get("parameters_active")
        if total is not None and active is not None and active > total:
            self.add_error("parameters_active", _("A model has no more active parameters than it has in all."))
        if cleaned.get("how") == How.ENDPOINT:
            self.check_endpoint(cleaned)
        elif cleaned.get("how") == How.WEIGHTS:
            if cleaned.get("access") == Access.API:
                self.add_error("how", _("Only open weights can be run by others."))
            if not cleaned.get("instructions") and not cleaned.get("link"):
                self.add_error("instructions", _("Say where the weights lie, here or by the page of the model."))
        return cleaned

    def check_endpoint(self, cleaned: dict[str, Any]) -> None:
        """The address as it is called: without what is often copied along."""
        address = (cleaned.get("address") or "").rstrip("/").removesuffix("/chat/completions")
        cleaned["address"] = address
        if "address" not in self.errors and (fault := address_fault(address) if address else _("This is needed.")):
            self.add_error("address", forms.ValidationError(fault, "address"))
        model = cleaned.get("model") or ""
        if "model" not in self.errors and (wrong := name_fault(model, MAX_NAME)):
            self.add_error("model", forms.ValidationError(wrong[1], wrong[0]))

    @property
    def submitted(self) -> Submitted:
        """What a valid form says."""
        values = self.cleaned_data
        run = {field: values[field] for field in (*RUN_FIELDS, "thinking_effort", "token_limit")}
        if run["how"] != How.ENDPOINT:
            run |= {"address": "", "model": "", "needs_key": False}
        run["sampling"] = {field: values[field] for field in SAMPLING if values[field] is not None}
        return Submitted(values["name"], {field: values[field] for field in CARD_FIELDS}, run)


def read_values(values: Mapping[str, Any]) -> Submitted:
    """What a program or a page handed in. Raises Invalid with a problem for each field that is wrong."""
    form = SubmissionForm(values)
    if form.is_valid():
        return form.submitted
    raise Invalid(problems_of_form(form))
