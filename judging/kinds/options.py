"""How a judge can be set up, stated once: an option is a field of the form, a key of the programming interface, a flag
of the command, and knows its default and its words.

A kind names its own in `options`; `SENT` are those of every kind, which say what goes into each request.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.management.base import CommandParser
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judging.models import Effort, Granularity, Judge, Orders, Shots, Target
from projects.problems import Problem

# Loaded by `api_field` alone: every process begins with the kinds, and only what answers programs needs it.
if TYPE_CHECKING:
    from rest_framework import serializers

    from projects.models import Project

MAX_SEED = 2**31 - 1
DEFAULT_TOKENS = 4000


@dataclass(frozen=True, kw_only=True)
class Option(ABC):
    """One way in which judges differ.

    name        its key in `Judge.options` and in the programming interface.
    label, help_text   of the form's field and, in English, of the command's flag; lazy translations.
    words       value to what lists of judges say of it, of a choice within its `phrase`; of a value that is not
                among them they say nothing.
    in_name     value to what it adds to the name that a judge gets by itself.
    is_kept     False where a value that is the default is not stored: judges that were set up before have none.
    needs       name and value of the option without which this one says nothing.
    """

    name: str
    label: Any
    default: Any
    help_text: Any = ""
    words: Mapping[Any, Any] = field(default_factory=dict)
    in_name: Mapping[Any, str] = field(default_factory=dict)
    is_kept: bool = True
    needs: tuple[str, Any] | None = None

    @property
    def field_name(self) -> str:
        return self.name

    def tidied(self, value: Any) -> Any:
        """A value without fault as it is stored."""
        return value

    @property
    def flag(self) -> str:
        return "--" + self.field_name.replace("_", "-")

    def of(self, judge: Judge) -> Any:
        """What the judge is set up with."""
        return judge.options.get(self.name, self.default)

    @abstractmethod
    def fault(self, value: Any) -> str:
        """Why the value is none of this option's; empty where it is one."""

    def fault_in(self, project: Project, value: Any) -> str:
        """Why a value without fault is none in this project; empty where it is one."""
        return ""

    @abstractmethod
    def form_field(self) -> forms.Field:
        """Its field on the page."""

    def offer(self, field: forms.Field, project: Project) -> bool:
        """Give the field what can be chosen in this project. False where nothing can, and the page has no field."""
        return True

    def from_form(self, cleaned: Any) -> Any:
        """The value that a form's or a command's field stands for."""
        return self.default if cleaned in (None, "") else cleaned

    @abstractmethod
    def api_field(self) -> serializers.Field:
        """Its field in the programming interface."""

    @abstractmethod
    def add_flag(self, parser: CommandParser) -> None:
        """Add its flag to a command."""

    def in_words(self, value: Any) -> str:
        return str(self.words.get(value, ""))

    def named(self, value: Any) -> str:
        """What the value adds to a judge's own name."""
        return self.in_name.get(value, "")


@dataclass(frozen=True, kw_only=True)
class Choice(Option):
    """One of a few values."""

    choices: type[TextChoices]
    phrase: Any = "%(value)s"

    def fault(self, value: Any) -> str:
        if value in self.choices.values:
            return ""
        return _("One of these is expected: %(values)s.") % {"values": ", ".join(self.choices.values)}

    def form_field(self) -> forms.Field:
        few = len(self.choices) <= 3
        return forms.ChoiceField(
            label=self.label,
            help_text=self.help_text,
            choices=self.choices.choices,
            widget=forms.RadioSelect if few else forms.Select,
            initial=str(self.default),
            required=False,
        )

    def api_field(self) -> serializers.Field:
        from rest_framework import serializers

        return serializers.ChoiceField(
            choices=self.choices.choices, default=str(self.default), help_text=str(self.label), allow_blank=True
        )

    def add_flag(self, parser: CommandParser) -> None:
        parser.add_argument(self.flag, choices=[*filter(None, self.choices.values)], help=str(self.label))

    def in_words(self, value: Any) -> str:
        return str(self.phrase) % {"value": self.words[value]} if value in self.words else ""


@dataclass(frozen=True, kw_only=True)
class Flag(Option):
    """Yes or no. One that is on by default is asked for as its opposite: `label` is then of the opposite."""

    default: bool = False

    @property
    def field_name(self) -> str:
        return f"without_{self.name}" if self.default else self.name

    def fault(self, value: Any) -> str:
        return "" if isinstance(value, bool) else _("true or false is expected.")

    def form_field(self) -> forms.Field:
        return forms.BooleanField(label=self.label, help_text=self.help_text, required=False)

    def from_form(self, cleaned: Any) -> bool:
        return bool(cleaned) is not self.default

    def api_field(self) -> serializers.Field:
        from rest_framework import serializers

        return serializers.BooleanField(default=self.default, help_text=self.name.replace("_", " "))

    def add_flag(self, parser: CommandParser) -> None:
        parser.add_argument(self.flag, action="store_true", help=str(self.label))


@dataclass(frozen=True, kw_only=True)
class Number(Option):
    """A whole number, or none where that is the default. `words` and `in_name` have one form under "", with %(n)d."""

    lowest: int
    highest: int
    default: int | None = None

    def fault(self, value: Any) -> str:
        if value is None and self.default is None:
            return ""
        if type(value) is int and self.lowest <= value <= self.highest:
            return ""
        return _("A number from %(low)d to %(high)d is expected.") % {"low": self.lowest, "high": self.highest}

    def form_field(self) -> forms.Field:
        return forms.IntegerField(
            label=self.label,
            help_text=self.help_text,
            min_value=self.lowest,
            max_value=self.highest,
            required=False,
        )

    def api_field(self) -> serializers.Field:
        from rest_framework import serializers

        return serializers.IntegerField(
            min_value=self.lowest,
            max_value=self.highest,
            default=self.default,
            allow_null=self.default is None,
            help_text=str(self.label),
        )

    def add_flag(self, parser: CommandParser) -> None:
        parser.add_argument(self.flag, type=int, help=str(self.label))

    def in_words(self, value: Any) -> str:
        return str(self.words[""]) % {"n": value} if value is not None and "" in self.words else ""

    def named(self, value: Any) -> str:
        return self.in_name[""] % {"n": value} if value is not None and "" in self.in_name else ""


GRANULARITY = Choice(
    name="granularity",
    label=gettext_lazy("What is asked at once"),
    choices=Granularity,
    default=Granularity.PARAGRAPH,
    words=dict(Granularity.choices),
    in_name={Granularity.PARAGRAPH: "paragraph", Granularity.RESPONSE: "whole"},
)
TAXONOMY = Flag(
    name="with_taxonomy",
    label=gettext_lazy("The project's categories stand in the prompt"),
    words={True: gettext_lazy("with the categories")},
    in_name={True: " + taxonomy"},
)
TARGET = Choice(
    name="target",
    label=gettext_lazy("The model that wrote the response"),
    help_text=gettext_lazy("A judge that knows whom it grades may grade the name."),
    choices=Target,
    default=Target.MASKED,
    words={Target.SHOWN: gettext_lazy("told which model wrote the response")},
    in_name={Target.SHOWN: ", model named"},
)
SHOTS = Choice(
    name="shots",
    label=gettext_lazy("Examples"),
    help_text=gettext_lazy(
        "Examples are responses that people graded, or whose errors they settled, drawn from the training split "
        "and never from the template of the response that is asked about. Where there are none, a response is not "
        "asked about."
    ),
    choices=Shots,
    default=Shots.ZERO,
    words=dict(Shots.choices),
    in_name={Shots.ZERO: ", zero-shot", Shots.FEW: ", few-shot"},
)
SHOTS_OF_SPANS = replace(SHOTS, in_name={Shots.FEW: " + few-shot"}, is_kept=False)
SHOTS_OF_CATEGORIES = replace(
    SHOTS,
    in_name={Shots.FEW: ", few-shot"},
    words={Shots.FEW: gettext_lazy("two coded errors of each category")},
    is_kept=False,
)
SHOTS_OF_QUESTIONNAIRES = replace(SHOTS, in_name={Shots.FEW: ", few-shot"}, is_kept=False)
# Without a seed nothing is kept of it, so that judges that were set up before draw what they drew.
EXAMPLES_SEED = Number(
    name="examples_seed",
    label=gettext_lazy("Seed of the examples"),
    help_text=gettext_lazy("A number: another one draws other examples, the same one the same. It may be left empty."),
    lowest=0,
    highest=MAX_SEED,
    words={"": gettext_lazy("seed of the examples: %(n)d")},
    in_name={"": ", examples seed %(n)d"},
    is_kept=False,
    needs=(SHOTS.name, Shots.FEW),
)
BALANCED = Flag(
    name="balanced",
    label=gettext_lazy("As many examples without errors as with"),
    help_text=gettext_lazy("Four examples in place of three: two with errors, two without."),
    words={True: gettext_lazy("as many examples without errors as with")},
    in_name={True: ", balanced"},
    is_kept=False,
    needs=(SHOTS.name, Shots.FEW),
)
SEVERAL_PLACES = Flag(
    name="several_places",
    label=gettext_lazy("An error may lie in several places"),
    help_text=gettext_lazy(
        "Best where people mark words elsewhere as the same error too: else several places tell a reviewer that a "
        "person marked."
    ),
    words={True: gettext_lazy("errors in several places")},
    in_name={True: " + several places"},
    is_kept=False,
)
RUBRIC = Flag(
    name="rubric",
    default=True,
    label=gettext_lazy("Without the rubric"),
    help_text=gettext_lazy("The judge sees the labels of the grades alone, not what earns each."),
    words={True: gettext_lazy("with the rubric"), False: gettext_lazy("without the rubric")},
    in_name={True: ", rubric"},
)
ORDERS = Choice(
    name="orders",
    label=gettext_lazy("Order of the two responses"),
    help_text=gettext_lazy(
        "Both orders show whether the judge favours what it reads first. They cost two calls for a pair."
    ),
    choices=Orders,
    default=Orders.BOTH,
    words=dict(Orders.choices),
    in_name={Orders.ONE: ", one order"},
)

OWN_TEMPERATURE = Flag(
    name="own_temperature",
    label=gettext_lazy("Ask without a temperature"),
    help_text=gettext_lazy(
        "Judges are asked at temperature 0. Models that are known to refuse that are asked without one anyway; "
        "tick this for another that does."
    ),
)
SEED = Number(
    name="seed",
    label=gettext_lazy("Seed"),
    help_text=gettext_lazy("Models that take one answer the same question more often alike; none promises it."),
    lowest=0,
    highest=MAX_SEED,
    words={"": gettext_lazy("seed %(n)s")},
    in_name={"": ", seed %(n)d"},
    is_kept=False,
)
REASONING = Choice(
    name="reasoning",
    label=gettext_lazy("Reasoning effort"),
    choices=Effort,
    default=Effort.AS_PROVIDED,
    words={effort: effort.label for effort in Effort if effort},
    phrase=gettext_lazy("reasoning effort: %(value)s"),
    in_name={str(effort): f", {effort} reasoning" for effort in Effort if effort},
    is_kept=False,
)
MAX_OUTPUT_TOKENS = Number(
    name="max_output_tokens",
    label=gettext_lazy("Most tokens of an answer"),
    help_text=gettext_lazy("What a model thinks counts as well. Left empty: 4000. An answer cut short counts nowhere."),
    lowest=1,
    highest=200_000,
    default=DEFAULT_TOKENS,
    words={"": gettext_lazy("at most %(n)s tokens")},
)
#: What every judge can be set up with: said of its requests, whatever they ask.
SENT: tuple[Option, ...] = (OWN_TEMPERATURE, SEED, REASONING, MAX_OUTPUT_TOKENS)


def checked(options: Iterable[Option], given: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The value of each option, by name, and what is wrong with what was given."""
    known = {option.name: option for option in options}
    problems = [
        Problem("unknown_option", _("Judges of this kind have no such option."), name)
        for name in given
        if name not in known
    ]
    values = {}
    for name, option in known.items():
        value = given.get(name, option.default)
        if fault := option.fault(value):
            problems.append(Problem("unknown_value", fault, option.field_name))
            values[name] = value
            continue
        # Of a choice the plain string: the value is stored as JSON.
        values[name] = str(value) if isinstance(value, TextChoices) else option.tidied(value)
    return values, problems


def problems_in(project: Project, options: Iterable[Option], values: Mapping[str, Any]) -> list[Problem]:
    """What of values without fault is wrong in this project."""
    faults = {option.field_name: option.fault_in(project, values[option.name]) for option in options}
    return [Problem("unknown_value", fault, name) for name, fault in faults.items() if fault]


def storable_options(options: Iterable[Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """What of the values is stored in `Judge.options`."""
    stored = {}
    for option in options:
        value = values[option.name]
        says_something = option.needs is None or values.get(option.needs[0]) == option.needs[1]
        if says_something and (option.is_kept or value != option.default):
            stored[option.name] = value
    return stored


def name_of(begins: str, options: Iterable[Option], stored: Mapping[str, Any]) -> str:
    """How a judge that is set up so is called beside its model."""
    return begins + "".join(option.named(stored[option.name]) for option in options if option.name in stored)


def in_words(options: Iterable[Option], stored: Mapping[str, Any]) -> list[str]:
    """What lists of judges say of what is stored."""
    words_of_options = (option.in_words(stored[option.name]) for option in options if option.name in stored)
    return [words for words in words_of_options if words]
