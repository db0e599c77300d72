"""Forms of the pages of providers and of the models they serve."""

import re
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.core.validators import URLValidator
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext_lazy as _

from projects.models import Laboratory
from providers.capabilities import FLAGS
from providers.client.keys import is_set
from providers.laboratories import laboratory_row
from providers.model_names import NAMES, canonical
from providers.models import ModelMapping, Provider, ServedModel
from providers.presets import Preset

MODEL_NAME = {"dir": "ltr", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
# What an environment can hold under a name. Keys of several providers are written like one (hf_..., gsk_..., 32 letters
# and digits), but no name has a word as long as theirs: a key that is pasted here would be stored and shown.
KEY_NAME, LONGEST_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*"), 20
# Secrets of the installation itself. Named as a provider's key, they would be sent to that provider.
NOT_A_PROVIDERS = frozenset({"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "PATH", "HOME"})


def laboratory_choices() -> list[tuple[str, str]]:
    """Every laboratory that is known by name or has a row, once, whatever its row's spelling."""
    rows = Laboratory.objects.values_list("slug", "name")
    known = NAMES | {canonical(slug): name for slug, name in rows}
    return [("", "–"), *sorted(known.items(), key=lambda entry: entry[1].casefold())]


class LaboratoryForm(forms.ModelForm):
    """Of a row that names a laboratory: one of those known, or one that is written in."""

    chosen_laboratory = forms.ChoiceField(label=_("Laboratory"), choices=laboratory_choices, required=False)
    other_laboratory = forms.CharField(
        label=_("Another laboratory"),
        max_length=60,
        required=False,
        help_text=_("Only where it is not in the list: its short name in Latin letters."),
    )
    is_needed = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.laboratory_id:
            self.initial.setdefault("chosen_laboratory", canonical(self.instance.laboratory.slug))

    def clean_other_laboratory(self) -> str:
        written = self.cleaned_data["other_laboratory"].strip()
        slug = slugify(written)
        if written and not slug:
            raise forms.ValidationError(_("Write its short name in Latin letters, such as delta-lab."))
        return slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.is_needed and not self.laboratory_slug and not self.has_error("other_laboratory"):
            self.add_error("chosen_laboratory", forms.ValidationError(_("This is needed."), code="required"))
        return cleaned

    @property
    def laboratory_slug(self) -> str:
        values = self.cleaned_data
        return canonical(values.get("other_laboratory") or values.get("chosen_laboratory") or "")

    def save(self, commit: bool = True) -> Any:
        slug = self.laboratory_slug
        self.instance.laboratory = laboratory_row(slug) if slug else None
        return super().save(commit)


class ProviderForm(LaboratoryForm):
    """An endpoint. The key itself is never asked for: only the name under which the server finds it."""

    base_url = forms.URLField(
        label=_("Address"),
        max_length=300,
        assume_scheme="https",
        validators=[URLValidator(schemes=["http", "https"])],
        help_text=_("Of the OpenAI-compatible interface; it mostly ends in /v1."),
        widget=forms.URLInput(attrs={"dir": "ltr"}),
    )
    deadline_seconds = forms.IntegerField(
        label=_("Seconds until a call is given up"),
        min_value=1,
        max_value=86_400,
        required=False,
        help_text=_("With all its attempts and the waiting between them."),
    )

    class Meta:
        model = Provider
        fields = [
            "name",
            "base_url",
            "key_name",
            "structured_output",
            "concurrency",
            "requests_per_minute",
            "tokens_per_minute",
            "timeout_seconds",
            "deadline_seconds",
        ]
        labels = {
            "name": _("Name"),
            "key_name": _("Name of the key"),
            "structured_output": _("How the form of an answer is asked for"),
            "concurrency": _("Calls at once, over all workers"),
            "requests_per_minute": _("Requests per minute"),
            "tokens_per_minute": _("Tokens per minute"),
            "timeout_seconds": _("Seconds until an attempt is given up"),
        }
        help_texts = {
            "name": _("Short, without spaces; tables and the command line call it so."),
            "key_name": _(
                "The key stands under this name in the workers' environment or in the secrets file. "
                "It is never stored here. Left empty where the endpoint needs none."
            ),
            "structured_output": _("Of models of which nothing else is known."),
            "requests_per_minute": _("Over all workers. Left empty where there is no limit."),
            "tokens_per_minute": _("What is asked and answered together. Left empty where there is no limit."),
        }

    field_order = ["name", "base_url", "key_name", "chosen_laboratory", "other_laboratory"]

    def __init__(self, *args: Any, preset: Preset | None = None, **kwargs: Any) -> None:
        if preset is not None:
            kwargs["initial"] = initial_of(preset)
        super().__init__(*args, **kwargs)
        laboratory = self.fields["chosen_laboratory"]
        laboratory.label = _("Laboratory behind all its models")
        laboratory.help_text = _("Left empty for gateways and clouds that serve models of several.")
        for name in ("name", "key_name"):
            self.fields[name].widget.attrs |= MODEL_NAME

    def clean_key_name(self) -> str:
        name = self.cleaned_data["key_name"].strip()
        if name and (not KEY_NAME.fullmatch(name) or max(map(len, name.split("_"))) > LONGEST_WORD):
            raise forms.ValidationError(_("This is to be the key's name, such as OPENAI_API_KEY, not the key itself."))
        if name.upper() in NOT_A_PROVIDERS:
            raise forms.ValidationError(_("This is a secret of the installation itself; no provider may be sent it."))
        return name

    def clean_base_url(self) -> str:
        """The address before `/chat/completions`, which is often copied along. A key in it would be stored."""
        address = self.cleaned_data["base_url"].strip().rstrip("/").removesuffix("/chat/completions")
        parts = urlsplit(address)
        if parts.username or parts.password or parts.query or parts.fragment:
            raise forms.ValidationError(_("Leave out what stands before @ or after ? and #. No key belongs here."))
        return address

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        timeout = cleaned.get("timeout_seconds") or 0
        if cleaned.get("deadline_seconds") is None:
            default = Provider._meta.get_field("deadline_seconds").default
            cleaned["deadline_seconds"] = max(default, timeout)
        elif cleaned["deadline_seconds"] < timeout:
            self.add_error("deadline_seconds", _("A call cannot end before its first attempt may."))
        for name in ("concurrency", "requests_per_minute", "tokens_per_minute", "timeout_seconds"):
            if cleaned.get(name) == 0:
                self.add_error(name, _("At least 1."))
        return cleaned

    @property
    def key_is_missing(self) -> bool:
        return bool(self.instance.pk) and not is_set(self.instance.key_name)

    @property
    def address_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.field_order] + [self["structured_output"]]

    @property
    def limit_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.Meta.fields if name.endswith(("_seconds", "_minute", "concurrency"))]


def initial_of(preset: Preset) -> dict[str, Any]:
    same = {name: getattr(preset, name) for name in ProviderForm.Meta.fields}
    return {**same, "chosen_laboratory": preset.laboratory}


class MappingForm(LaboratoryForm):
    is_needed = True

    class Meta:
        model = ModelMapping
        fields = ["pattern"]
        labels = {"pattern": _("Start of the model's name")}
        help_texts = {"pattern": _("With or without the gateway in front.")}
        widgets = {"pattern": forms.TextInput(attrs=MODEL_NAME)}

    field_order = ["pattern", "chosen_laboratory", "other_laboratory"]

    def clean_pattern(self) -> str:
        return self.cleaned_data["pattern"].strip().casefold()


class ServedModelForm(LaboratoryForm):
    """A model as its provider serves it: its name there, what it takes and gives, and what it costs."""

    class Meta:
        model = ServedModel
        fields = ["name", "input_price", "output_price", *FLAGS, "token_limit"]
        labels = {
            "name": _("Model"),
            "input_price": _("Price of a million tokens in"),
            "output_price": _("Price of a million tokens out"),
            "token_limit": _("How it is told the length of an answer"),
        }
        help_texts = {
            "name": _("The model's name exactly as the provider writes it."),
            "input_price": _("In US dollars. Without prices, nothing that the model does has a cost."),
            "output_price": _("In US dollars. What a model thinks is mostly counted as out."),
        }
        widgets = {"name": forms.TextInput(attrs=MODEL_NAME)}

    field_order = ["name", "chosen_laboratory", "other_laboratory"]

    def __init__(self, *args: Any, provider: Provider, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.provider = provider
        for name in ("input_price", "output_price"):
            price = getattr(self.instance, name)
            self.initial[name] = None if price is None else f"{price.normalize():f}"
        self.fields["chosen_laboratory"].help_text = _(
            "Who trained the model, where its name does not tell: of models that you serve yourself, say. What stands "
            "here decides, whatever the name says."
        )
        for name in FLAGS:
            field = self.fields[name]
            field.label = capfirst(str(field.label or ""))

    def clean_name(self) -> str:
        name = self.cleaned_data["name"].strip()
        others = ServedModel.objects.filter(provider=self.instance.provider, name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(_("This provider has a model of this name already."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        prices = {name: cleaned.get(name) for name in ("input_price", "output_price")}
        for name, price in prices.items():
            if price is not None and price < 0:
                self.add_error(name, _("A price is not below 0."))
            elif price is None and not self.has_error(name) and any(other is not None for other in prices.values()):
                self.add_error(name, _("Give both prices, or neither: half a price would make a wrong cost."))
        return cleaned

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in (*self.field_order, "input_price", "output_price")]

    @property
    def capability_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in (*FLAGS, "token_limit")]
