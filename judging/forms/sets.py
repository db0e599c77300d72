"""What several judges are to be asked together: which of them, about what, how often, and for how much."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judging.engine.choice import Choice, choices_of
from judging.engine.run_sets import MAX_REPLICATES
from judging.forms.judges import purpose_field
from judging.kinds import judge_kind
from judging.models import Judge, RunSet
from projects.models import LanguageVariety, Project, Split
from projects.problems import Invalid
from providers.prices import in_billionths, in_dollars

MAX_DOLLARS = 1_000_000
LEFT_TO_RIGHT = {"dir": "ltr"}


class LimitsForm(forms.Form):
    """What a run set may spend. Limits are held to before each call: none is sent that might go beyond."""

    money = forms.DecimalField(
        label=_("Limit in US dollars"),
        required=False,
        min_value=Decimal("0.01"),
        max_value=MAX_DOLLARS,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"step": "0.01", "inputmode": "decimal", **LEFT_TO_RIGHT}),
        help_text=_("Left empty, none. No call is sent whose worst case goes beyond it."),
    )
    tokens = forms.IntegerField(
        label=_("Limit in tokens"),
        required=False,
        min_value=1,
        max_value=10**15,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", **LEFT_TO_RIGHT}),
        help_text=_("Read and written, together. Left empty, none."),
    )

    @property
    def limits(self) -> dict[str, int | None]:
        """In billionths of a US dollar and in tokens, as run sets take them; the form must be valid."""
        money = self.cleaned_data["money"]
        limit = None if money is None else in_billionths(money)
        return {"money_limit": limit, "token_limit": self.cleaned_data["tokens"]}

    @classmethod
    def of(cls, run_set: RunSet) -> "LimitsForm":
        money = None if run_set.money_limit is None else in_dollars(run_set.money_limit).quantize(Decimal("0.01"))
        return cls(initial={"money": money, "tokens": run_set.token_limit})


FIELDS = {"money_limit": "money", "token_limit": "tokens"}


def show(invalid: Invalid, form: forms.Form) -> None:
    """What is wrong beside the fields that it is about, as far as the form has them."""
    for problem in invalid.problems:
        field = FIELDS.get(problem.field, problem.field)
        form.add_error(field if field in form.fields else None, problem.message)


class JudgesField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, obj: Judge) -> str:
        return f"{obj.rater.name} · {judge_kind(obj.kind).name}"


class SetForm(LimitsForm):
    judges = JudgesField(
        label=_("Judges"),
        queryset=Judge.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one judge.")},
    )
    varieties = forms.MultipleChoiceField(
        label=_("Only these varieties"), required=False, widget=forms.CheckboxSelectMultiple
    )
    target_models = forms.MultipleChoiceField(
        label=_("Only responses of these models"), required=False, widget=forms.CheckboxSelectMultiple
    )
    domains = forms.MultipleChoiceField(
        label=_("Only these domains"), required=False, widget=forms.CheckboxSelectMultiple
    )
    split = forms.ChoiceField(
        label=_("Only this side of the split"), required=False, choices=[("", _("All")), *Split.choices]
    )
    search = forms.CharField(
        label=_("Only responses whose key contains"), required=False, max_length=100, widget=forms.TextInput()
    )
    sample = forms.IntegerField(
        label=_("A sample of so many responses"),
        required=False,
        min_value=1,
        max_value=10_000_000,
        help_text=_("Drawn by lot; left empty, all."),
    )
    seed = forms.IntegerField(
        label=_("Seed of the sample"),
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("The same seed draws the same responses again."),
    )
    replicates = forms.IntegerField(
        label=_("Replicates"),
        required=False,
        min_value=1,
        max_value=MAX_REPLICATES,
        initial=1,
        help_text=_("How often each question is asked; each time is a round of its own."),
    )
    first_round = forms.IntegerField(
        label=_("First round"),
        required=False,
        min_value=1,
        max_value=100,
        initial=1,
        help_text=_("Another round asks everything once more, beside what was answered."),
    )
    purpose = purpose_field()
    field_order = (
        "judges",
        "varieties",
        "target_models",
        "domains",
        "split",
        "search",
        "sample",
        "seed",
        "replicates",
        "first_round",
        "purpose",
        "money",
        "tokens",
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        judges = self.fields["judges"]
        assert isinstance(judges, JudgesField)
        in_use = Judge.objects.filter(project=project, is_active=True)
        judges.queryset = in_use.select_related("rater", "project", "provider__laboratory").order_by("rater__name")
        named = {
            variety.tag: variety.local_name for variety in LanguageVariety.objects.filter(responses__project=project)
        }
        for name, values in choices_of(project).items():
            if len(values) < 2:  # nothing to choose between
                del self.fields[name]
                continue
            field = self.fields[name]
            assert isinstance(field, forms.MultipleChoiceField)
            field.choices = [(value, named.get(value, value) if name == "varieties" else value) for value in values]

    def clean_replicates(self) -> int:
        return self.cleaned_data["replicates"] or 1

    def clean_first_round(self) -> int:
        return self.cleaned_data["first_round"] or 1

    @property
    def choice_is_narrowed(self) -> bool:
        """Something narrows the responses, or was to and is wrong."""
        narrowing = ("varieties", "target_models", "domains", "split", "search", "sample", "seed")
        return any(self.data.get(name) for name in narrowing) or any(name in self.errors for name in narrowing)

    @property
    def choice(self) -> Choice:
        """Which responses; the form must be valid."""
        values = self.cleaned_data
        return Choice(
            varieties=tuple(values.get("varieties", ())),
            target_models=tuple(values.get("target_models", ())),
            domains=tuple(values.get("domains", ())),
            split=values["split"],
            search=values["search"],
            sample=values["sample"],
            seed=values["seed"] or 0,
        )

    @property
    def arguments(self) -> dict[str, Any]:
        """What plans and makes the set, by name; the form must be valid."""
        return {
            "judges": list(self.cleaned_data["judges"]),
            "choice": self.choice,
            "replicates": self.cleaned_data["replicates"],
            "first_round": self.cleaned_data["first_round"],
            "purpose": self.cleaned_data["purpose"],
            **self.limits,
        }
