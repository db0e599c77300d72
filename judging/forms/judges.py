from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from judging.engine.choice import Choice
from judging.kinds import judge_kind, judge_kinds
from judging.models import Effort, Granularity, JudgePrompt, Orders, Shots, Target
from judging.prompts.own import OWN, VERSION, language_name
from judging.prompts.shipped import ENGLISH, LANGUAGES, version_name
from projects.models import LanguageVariety, Project, Response
from providers.models import Provider


def kind_choices() -> list[tuple[str, Any]]:
    return [(name, kind.name) for name, kind in judge_kinds().items()]


class JudgeForm(forms.Form):
    """Add a judge. What laboratory its model resolves to is said beside the field as one types."""

    kind = forms.ChoiceField(
        label=_("What it is asked for"),
        choices=kind_choices,
        widget=forms.RadioSelect,
        initial="spans",
        required=False,
        help_text=_(
            "Errors and grades count like a person's. Groups and categories are proposals: each waits for a person, "
            "and none counts before."
        ),
    )
    provider = forms.ModelChoiceField(label=_("Provider"), queryset=Provider.objects.all())
    model = forms.CharField(
        label=_("Model"),
        max_length=200,
        help_text=_("The model's name exactly as the provider writes it."),
        widget=forms.TextInput(
            attrs={"dir": "ltr", "spellcheck": "false", "autocapitalize": "off", "list": "served-models"}
        ),
    )
    granularity = forms.ChoiceField(
        label=_("What is asked at once"),
        choices=Granularity.choices,
        widget=forms.RadioSelect,
        initial="paragraph",
        required=False,
    )
    with_taxonomy = forms.BooleanField(label=_("The project's categories stand in the prompt"), required=False)
    target = forms.ChoiceField(
        label=_("The model that wrote the response"),
        choices=Target.choices,
        widget=forms.RadioSelect,
        initial="masked",
        required=False,
        help_text=_("A judge that knows whom it grades may grade the name."),
    )
    shots = forms.ChoiceField(
        label=_("Examples"),
        choices=Shots.choices,
        widget=forms.RadioSelect,
        initial="zero",
        required=False,
        help_text=_(
            "Examples are responses that people graded, or whose errors they settled, drawn from the training split "
            "and never from the template of the response that is asked about. Where there are none, a response is not "
            "asked about."
        ),
    )
    examples_seed = forms.IntegerField(
        label=_("Seed of the examples"),
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("A number: another one draws other examples, the same one the same. It may be left empty."),
    )
    without_rubric = forms.BooleanField(
        label=_("Without the rubric"),
        required=False,
        help_text=_("The judge sees the labels of the grades alone, not what earns each."),
    )
    orders = forms.ChoiceField(
        label=_("Order of the two responses"),
        choices=Orders.choices,
        widget=forms.RadioSelect,
        initial="both",
        required=False,
        help_text=_("Both orders show whether the judge favours what it reads first. They cost two calls for a pair."),
    )
    asks_by = forms.ChoiceField(
        label=_("Prompt"),
        required=False,
        help_text=_(
            "A shipped prompt in the language that the judge is instructed in, or one of the project's own. It stays "
            "with the judge: to ask by another prompt, add another judge."
        ),
    )
    own_temperature = forms.BooleanField(
        label=_("Ask without a temperature"),
        required=False,
        help_text=_(
            "Judges are asked at temperature 0. Models that are known to refuse that are asked without one anyway; "
            "tick this for another that does."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        required=False,
        help_text=_("Models that take one answer the same question more often alike; none promises it."),
    )
    reasoning = forms.ChoiceField(label=_("Reasoning effort"), choices=Effort.choices, required=False)
    max_output_tokens = forms.IntegerField(
        label=_("Most tokens of an answer"),
        min_value=1,
        max_value=200_000,
        required=False,
        help_text=_("What a model thinks counts as well. Left empty: 4000. An answer cut short counts nowhere."),
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        required=False,
        help_text=_("Stands in tables and charts. Left empty, it is made of the model and the settings."),
    )

    def __init__(self, *args: Any, project: Project | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = JudgePrompt.objects.filter(project=project) if project else JudgePrompt.objects.none()
        self.prompts = {f"{prompt.kind}/{OWN}{prompt.number}": prompt for prompt in own}
        asks_by = self.fields["asks_by"]
        assert isinstance(asks_by, forms.ChoiceField)
        asks_by.choices = [
            *(
                (version_name(VERSION, each), f"{language_name(each)} ({version_name(VERSION, each)})")
                for each in LANGUAGES
            ),
            *((key, own_label(prompt)) for key, prompt in self.prompts.items()),
        ]

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or "spans"

    def clean_granularity(self) -> str:
        return self.cleaned_data["granularity"] or Granularity.PARAGRAPH

    def clean_target(self) -> str:
        return self.cleaned_data["target"] or Target.MASKED

    def clean_shots(self) -> str:
        return self.cleaned_data["shots"] or Shots.ZERO

    def clean_orders(self) -> str:
        return self.cleaned_data["orders"] or Orders.BOTH

    def clean(self) -> dict[str, Any]:
        told = super().clean() or {}
        told["with_rubric"] = not told.pop("without_rubric", False)
        if told.get("max_output_tokens") is None:
            told.pop("max_output_tokens", None)
        asks_by = told.pop("asks_by", "") or VERSION
        told["prompt"] = self.prompts.get(asks_by)
        shipped = {version_name(VERSION, language): language for language in LANGUAGES}
        told["instruction_language"] = shipped.get(asks_by, ENGLISH)
        return told

    @property
    def more_settings(self) -> list[forms.BoundField]:
        """What is sent beside the prompt; mostly left as it is."""
        return [self[name] for name in ("own_temperature", "seed", "reasoning", "max_output_tokens")]

    @property
    def has_more_settings(self) -> bool:
        return any(field.errors or field.value() not in (None, "", False) for field in self.more_settings)


def own_label(prompt: JudgePrompt) -> str:
    """A prompt of the project's own, with the kind that it is for."""
    note = f": {prompt.note}" if prompt.note else ""
    return f"{judge_kind(prompt.kind).name}, {OWN}{prompt.number} ({language_name(prompt.language)}){note}"


class RunForm(forms.Form):
    """What a run covers: all responses, or those of some varieties."""

    varieties = forms.ModelMultipleChoiceField(
        label=_("Only these varieties"),
        queryset=LanguageVariety.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen means all."),
    )
    round = forms.IntegerField(
        label=_("Round"),
        min_value=1,
        max_value=100,
        initial=1,
        help_text=_("Another round asks everything once more, beside what was answered."),
    )

    def __init__(self, project: Project, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        varieties = self.fields["varieties"]
        assert isinstance(varieties, forms.ModelMultipleChoiceField)
        varieties.queryset = LanguageVariety.objects.filter(responses__project=project).distinct()

    def choice(self) -> Choice:
        """What the run covers; the form must be valid."""
        return Choice(varieties=tuple(variety.tag for variety in self.cleaned_data["varieties"]))

    def responses(self, project: Project) -> QuerySet[Response]:
        return self.choice().responses(project)
