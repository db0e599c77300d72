"""Forms of model cards and configurations. What is wrong is said by `benchmark/card_rules.py`, as everywhere."""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.card_rules import RUN
from benchmark.models import Access, Configuration, ModelCard, Standing
from benchmark.sending import Collector
from projects.models import Project
from projects.problems import Invalid
from projects.stored_text import unbroken

LATIN = {"dir": "ltr", "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
AUTO = {"dir": "auto"}
# Parts of sampling that have a field of their own.
SAMPLED = ("temperature", "top_p", "seed")


def line(
    label: Any, help_text: Any = "", *, is_needed: bool = False, limit: int = 200, attributes: Mapping[str, str] = AUTO
) -> forms.Field:
    widget = forms.TextInput(attrs=dict(attributes))
    return forms.CharField(label=label, help_text=help_text, required=is_needed, max_length=limit, widget=widget)


def area(label: Any, help_text: Any, rows: int = 3, attributes: Mapping[str, str] = AUTO) -> forms.Field:
    widget = forms.Textarea(attrs={"rows": rows, **attributes})
    return forms.CharField(label=label, help_text=help_text, required=False, strip=False, widget=widget)


class RuledForm(forms.Form):
    """`seen` is the fingerprint of what the page showed, so that two who write at once are told."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    use_required_attribute = False

    def add_problems(self, refused: Invalid) -> None:
        """Say each problem at its field, or above all."""
        for problem in refused.problems:
            self.add_error(problem.field if problem.field in self.fields else None, problem.message)

    def show_fingerprint(self, fingerprint: str) -> None:
        """Of what stands now: whoever has been told of another's change, and sends again, means it."""
        self.initial["seen"] = fingerprint
        if self.is_bound:
            self.data = {**self.data.dict(), "seen": fingerprint}  # type: ignore[attr-defined]


class CardForm(RuledForm):
    name = line(gettext_lazy("Name of the model"), gettext_lazy("As its makers write it."), is_needed=True)
    slug = line(
        gettext_lazy("Short name"),
        gettext_lazy(
            "Latin letters, digits and hyphens. It stands in addresses and files and never changes. Left "
            "empty, it is made of the name."
        ),
        limit=80,
        attributes=LATIN,
    )
    laboratory = line(
        gettext_lazy("Laboratory"),
        gettext_lazy("Who trained it, in Latin letters. No judge of the same laboratory counts for it."),
        is_needed=True,
        limit=120,
    )
    access = forms.ChoiceField(
        label=gettext_lazy("How one comes by it"), choices=Access.choices, widget=forms.RadioSelect
    )
    parameters_total = forms.FloatField(
        label=gettext_lazy("Parameters, in billions"),
        help_text=gettext_lazy(
            "All of them, also those of experts that rest. They decide its size class. Left empty where "
            "its makers do not say: then its size is undisclosed."
        ),
        required=False,
    )
    parameters_active = forms.FloatField(
        label=gettext_lazy("Active parameters, in billions"),
        help_text=gettext_lazy("Those that work on one token, of a mixture of experts. Otherwise left empty."),
        required=False,
    )
    licence = line(gettext_lazy("Licence"), gettext_lazy("Such as Apache-2.0; left empty where there is none."))
    context_tokens = forms.IntegerField(
        label=gettext_lazy("Context, in tokens"),
        help_text=gettext_lazy("How much it can read and write at most in one call."),
        required=False,
    )
    link = line(
        gettext_lazy("Link"),
        gettext_lazy("Where its makers describe it; https://…"),
        limit=500,
        attributes={**LATIN, "inputmode": "url"},
    )
    declared_overlap = area(
        gettext_lazy("Declared overlap"),
        gettext_lazy(
            "What its makers say of texts of the questions that it was trained on. To say it never costs "
            "more than silence. Left empty: they say nothing."
        ),
    )
    thinking_tags = area(
        gettext_lazy("Tags around thinking"),
        gettext_lazy(
            "Only where it marks its thinking otherwise than <think> or <thinking>: the opening and the "
            "closing tag with a space between, one pair a line. They can no longer change once there are "
            "answers."
        ),
        rows=2,
        attributes=LATIN,
    )

    def __init__(self, *args: Any, card: ModelCard | None = None, **kwargs: Any) -> None:
        if card is not None:
            kwargs["initial"] = initial_of_card(card)
        super().__init__(*args, **kwargs)
        if card is not None:
            del self.fields["slug"]

    def clean_thinking_tags(self) -> list[list[str]]:
        return [entry.split() for entry in self.cleaned_data["thinking_tags"].splitlines() if entry.strip()]

    def clean_declared_overlap(self) -> str:
        return unbroken(self.cleaned_data["declared_overlap"])

    @property
    def values(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if name != "seen"}


class ConfigurationForm(RuledForm):
    """`collectors` are target models of the project that no configuration has yet."""

    card = forms.ModelChoiceField(
        label=gettext_lazy("Model card"), queryset=ModelCard.objects.none(), to_field_name="slug", empty_label=None
    )
    name = line(
        gettext_lazy("Name on the board"),
        gettext_lazy("Tells it from other runs of the same model, such as “Nile 7B, thinking”."),
        is_needed=True,
    )
    slug = line(
        gettext_lazy("Short name"),
        gettext_lazy(
            "Latin letters, digits and hyphens. It stands in addresses and files and never changes. Left "
            "empty, it is made of the name."
        ),
        limit=80,
        attributes=LATIN,
    )
    target_model = forms.ChoiceField(
        label=gettext_lazy("Where its answers come from"),
        help_text=gettext_lazy("A target model is what is asked: a provider's address and the model's name there."),
        required=False,
    )
    provider = line(
        gettext_lazy("Provider"), gettext_lazy("Who serves it: a cloud by its name, or your own machine."), limit=120
    )
    revision = line(
        gettext_lazy("Revision"),
        gettext_lazy("The exact version: of open weights the commit, of an API the dated name."),
        limit=120,
        attributes=LATIN,
    )
    precision = line(
        gettext_lazy("Precision"),
        gettext_lazy("Of the weights as they were run: bf16, fp8, q4_K_M."),
        limit=40,
        attributes=LATIN,
    )
    template_sha256 = line(
        gettext_lazy("Hash of the chat template"),
        gettext_lazy(
            "SHA-256 of the template by which the server makes text of messages: 64 characters. The guide "
            "on models says how to compute it. Left empty where nobody can see it."
        ),
        limit=64,
        attributes=LATIN,
    )
    system_prompt = area(
        gettext_lazy("System prompt"),
        gettext_lazy("Sent before every question. Left empty, the question is all that is sent."),
    )
    temperature = forms.FloatField(
        label=gettext_lazy("Temperature"),
        help_text=gettext_lazy("Left empty, it is not sent, and the server decides."),
        required=False,
    )
    top_p = forms.FloatField(label=gettext_lazy("Top p"), required=False)
    seed = forms.IntegerField(label=gettext_lazy("Seed"), required=False)
    sampling = area(
        gettext_lazy("Other sampling"),
        format_lazy(
            gettext_lazy("What else is sent, as JSON, such as {example}."), example='\u2066{"top_k": 20}\u2069'
        ),
        rows=2,
        attributes=LATIN,
    )
    thinking_effort = line(
        gettext_lazy("Thinking effort"),
        gettext_lazy("Sent as reasoning_effort, such as low, medium or high."),
        limit=40,
        attributes=LATIN,
    )
    token_limit = forms.IntegerField(
        label=gettext_lazy("Most tokens of an answer"),
        help_text=gettext_lazy(
            "An answer that is longer is cut off, and a cut answer scores 0. Left empty: no limit is sent."
        ),
        required=False,
    )
    standing = forms.ChoiceField(
        label=gettext_lazy("Standing"),
        choices=[(value, label) for value, label in Standing.choices if value != Standing.WITHDRAWN],
        help_text=gettext_lazy("What waits for a decision is listed without a rank."),
        initial=Standing.RANKED,
        required=False,
    )

    def __init__(
        self,
        *args: Any,
        project: Project,
        collectors: list[Collector],
        configuration: Configuration | None = None,
        is_run: bool = False,
        **kwargs: Any,
    ) -> None:
        """`is_run`: there are answers, so that nothing but the name can change."""
        if configuration is not None:
            kwargs["initial"] = initial_of_run(configuration)
        super().__init__(*args, **kwargs)
        self.fields["target_model"].choices = target_choices(collectors, configuration)  # type: ignore[attr-defined]
        if configuration is None:
            self.fields["card"].queryset = project.model_cards.order_by("name")  # type: ignore[attr-defined]
            return
        for name in ("card", "slug", "standing"):
            del self.fields[name]
        for name in (*RUN, *SAMPLED) if is_run else ():
            self.fields[name].disabled = True

    def clean_sampling(self) -> dict[str, Any]:
        written = self.cleaned_data["sampling"].strip()
        try:
            said = json.loads(written) if written else {}
        except (ValueError, RecursionError):
            said = None
        if not isinstance(said, dict):
            message = _("Names and values as JSON are expected, such as %(example)s.")
            raise forms.ValidationError(message % {"example": '{"top_k": 20}'})
        if named := sorted(set(said) & set(SAMPLED)):
            raise forms.ValidationError(_("“%(name)s” has a field of its own.") % {"name": named[0]})
        return said

    def clean_system_prompt(self) -> str:
        return unbroken(self.cleaned_data["system_prompt"])

    @property
    def values(self) -> dict[str, Any]:
        """As the verbs take them; without what stays as it is."""
        said = self.cleaned_data
        own = {name: said[name] for name in SAMPLED if said.get(name) is not None}
        kept = {
            name: value
            for name, value in said.items()
            if name not in ("seen", "card", *SAMPLED) and not self.fields[name].disabled
        }
        return {**kept, "sampling": {**own, **kept["sampling"]}} if "sampling" in kept else kept


class StandingForm(forms.Form):
    standing = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[
            (Standing.RANKED.value, gettext_lazy("It is ranked")),
            (Standing.WITHDRAWN.value, gettext_lazy("It stays out: listed, without a score on the board")),
            (Standing.PENDING.value, gettext_lazy("It waits for a decision")),
        ],
        widget=forms.RadioSelect,
    )
    reason = area(gettext_lazy("Reason"), gettext_lazy("Whoever asks why later reads it, also in the audit log."))

    def add_problems(self, refused: Invalid) -> None:
        for problem in refused.problems:
            self.add_error(problem.field if problem.field in self.fields else None, problem.message)


def initial_of_card(card: ModelCard) -> dict[str, Any]:
    said = {name: getattr(card, name) for name in CardForm.base_fields if name not in ("seen", "slug")}
    tags = "\n".join(" ".join(pair) for pair in card.thinking_tags)
    return {**said, "laboratory": card.laboratory.name, "thinking_tags": tags}


def initial_of_run(configuration: Configuration) -> dict[str, Any]:
    said = {name: getattr(configuration, name) for name in ("name", *RUN)}
    return {**said, **sampled(configuration.sampling), "target_model": configuration.target_model.name}


def sampled(sampling: dict[str, Any]) -> dict[str, Any]:
    """Sampling as the fields of the form have it."""
    others = {name: value for name, value in sampling.items() if name not in SAMPLED}
    own = {name: sampling.get(name) for name in SAMPLED}
    return {**own, "sampling": json.dumps(others, ensure_ascii=False) if others else ""}


def initial_of_collector(collector: Collector) -> dict[str, Any]:
    """A configuration that says what the target model is asked with already."""
    sent = dict(collector.parameters)
    names = {"system_prompt": "system", "token_limit": "max_tokens", "thinking_effort": "reasoning_effort"}
    said = {field: sent.pop(name, None) for field, name in names.items()}
    name = collector.target_model.name
    return {**said, **sampled(sent), "name": name, "target_model": name}


def target_choices(collectors: list[Collector], configuration: Configuration | None) -> list[tuple[str, str]]:
    known = [
        (each.target_model.name, f"{each.target_model.name} ({each.through or _('pasted by hand')})")
        for each in collectors
    ]
    own = configuration.target_model.name if configuration else None
    if own is not None and own not in dict(known):
        known.insert(0, (own, own))
    nothing = _("Nothing yet: a file brings them, or a target model is set up after this")
    return known if configuration else [("", nothing), *known]
