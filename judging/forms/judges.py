from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from judging.engine.choice import Choice
from judging.kinds import judge_kind, judge_kinds
from judging.kinds.explained import EXPLAINED
from judging.kinds.options import SENT, Option
from judging.models import JudgePrompt, Purpose
from judging.prompts.own import OWN, language_name
from judging.prompts.shipped import ENGLISH, FIRST, LANGUAGES, WITH_SLOT, version_name
from projects import explanations
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
    provider = forms.ModelChoiceField(label=_("Provider"), queryset=Provider.objects.filter(is_submitted=False))
    model = forms.CharField(
        label=_("Model"),
        max_length=200,
        help_text=_("The model's name exactly as the provider writes it."),
        widget=forms.TextInput(
            attrs={"dir": "ltr", "spellcheck": "false", "autocapitalize": "off", "list": "served-models"}
        ),
    )
    asks_by = forms.ChoiceField(
        label=_("Prompt"),
        required=False,
        help_text=_(
            "A shipped prompt in the language that the judge is instructed in, or one of the project's own. It stays "
            "with the judge: to ask by another prompt, add another judge."
        ),
    )
    name = forms.CharField(
        label=_("Name"),
        max_length=120,
        required=False,
        help_text=_("Stands in tables and charts. Left empty, it is made of the model and the settings."),
    )

    def __init__(self, *args: Any, project: Project | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.options = options_of_kinds()
        for option in (*self.options, *SENT):
            field = option.form_field()
            if project is None or option.offer(field, project):
                self.fields[option.field_name] = field
        own = JudgePrompt.objects.filter(project=project) if project else JudgePrompt.objects.none()
        explained = self.fields[EXPLAINED.field_name]
        assert isinstance(explained, forms.ChoiceField)
        said = explanations.in_words(project.explanation_language or ENGLISH) if project else ""
        named = str(self.initial.get("asks_by", ""))
        if named.partition("-")[0] == WITH_SLOT:  # whoever comes from the page of that prompt
            self.initial["asks_by"] = named.replace(WITH_SLOT, FIRST, 1)
            self.initial.setdefault(EXPLAINED.name, explanations.OF_RESPONSE)
        explained.choices = explanations.choices(project, _("As the project says: %(language)s") % {"language": said})
        self.prompts = {f"{prompt.kind}/{OWN}{prompt.number}": prompt for prompt in own}
        asks_by = self.fields["asks_by"]
        assert isinstance(asks_by, forms.ChoiceField)
        asks_by.choices = [
            *((version_name(FIRST, language), language_name(language)) for language in LANGUAGES),
            *((key, own_label(prompt)) for key, prompt in self.prompts.items()),
        ]

    def clean_kind(self) -> str:
        return self.cleaned_data["kind"] or "spans"

    def clean(self) -> dict[str, Any]:
        """The arguments of `judges.add_judge`: of the options those of the chosen kind."""
        entered = super().clean() or {}
        kind = judge_kinds().get(entered.get("kind", ""))
        chosen = {
            option.name: option.from_form(entered.get(option.field_name))
            for option in (*(kind.options if kind else ()), *SENT)
            if option.field_name not in self.errors
        }
        for option in (*self.options, *SENT):
            entered.pop(option.field_name, None)
        if not chosen.get(EXPLAINED.name):
            chosen.pop(EXPLAINED.name, None)  # the project's
        asks_by = entered.pop("asks_by", "") or FIRST
        entered["prompt"] = self.prompts.get(asks_by)
        shipped = {version_name(FIRST, language): language for language in LANGUAGES}
        entered["instruction_language"] = shipped.get(asks_by, ENGLISH)
        return {**entered, **chosen}

    @property
    def kinds_settings(self) -> list[tuple[str, forms.BoundField]]:
        """The fields of what kinds can be set up with, each with the kinds that have it, apart by spaces."""
        of_option: dict[str, list[str]] = {}
        for name, kind in judge_kinds().items():
            for option in kind.options:
                of_option.setdefault(option.name, []).append(name)
        return [
            (" ".join(of_option[option.name]), self[option.field_name])
            for option in self.options
            if option.field_name in self.fields
        ]

    @property
    def more_settings(self) -> list[forms.BoundField]:
        """What is sent beside the prompt; mostly left as it is."""
        return [self[option.field_name] for option in SENT]

    @property
    def has_more_settings(self) -> bool:
        return any(field.errors or field.value() not in (None, "", False) for field in self.more_settings)


def options_of_kinds() -> list[Option]:
    """What judges of any kind can be set up with, each once."""
    options = (option for kind in judge_kinds().values() for option in kind.options)
    return list({option.name: option for option in reversed(list(options))}.values())[::-1]


def own_label(prompt: JudgePrompt) -> str:
    """A prompt of the project's own, with the kind that it is for."""
    note = f": {prompt.note}" if prompt.note else ""
    return f"{judge_kind(prompt.kind).name}, {OWN}{prompt.number} ({language_name(prompt.language)}){note}"


def purpose_field() -> forms.ChoiceField:
    """What the answers of a run, or of the runs of a set, are for."""
    return forms.ChoiceField(
        label=_("What the answers are for"),
        required=False,
        choices=[("", _("As is usual for each kind of judge")), *Purpose.choices],
        help_text=_(
            "For the gold: people review what a judge finds, and what they keep is gold. For evaluation: nothing goes "
            "to people or into the gold, and the answers stand in the judge's figures alone. Usual are the gold for "
            "error spans, and evaluation for ratings and rubrics."
        ),
    )


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
    purpose = purpose_field()

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
