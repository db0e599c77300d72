"""What a lead sets: a stage with its survey, and which items of it to look at."""

import secrets
from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from projects.models import LanguageVariety, Project, Rater
from projects.problems import Invalid
from workflow.correcting_time import MOST_MINUTES, MOST_TEXT
from workflow.due_forms import DueFields
from workflow.models import FeedbackRules, OwnLimits, Stage, Status, Survey, TimeRules
from workflow.task_types import task_type, task_types

MAX_RATERS = 50
MAX_MINUTES = 14 * 24 * 60
MORE_THAN_OVERLAP = _("This must be more than the raters per item.")


class QuestionChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.label)


class StageForm(DueFields, forms.ModelForm):
    class Meta:
        model = Stage
        fields = [
            "name",
            "overlap",
            "most_when_unsure",
            "lease_minutes",
            "policy",
            "verdict_first",
            "scored_on",
            "layout",
        ]
        field_classes = {"scored_on": QuestionChoice}
        help_texts = {
            "overlap": _("How many people answer each item, each without seeing the others."),
            "most_when_unsure": _("Once per item, when an answer says that its rater is unsure. Empty: never."),
            "lease_minutes": _("Every save begins this time anew; after it, an item goes to someone else."),
            "policy": _("Which marks count in the end, where this stage validates those of others."),
            "scored_on": _("Whoever marks a response also scores all of it. Fixed once the stage has items."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, most in (("overlap", MAX_RATERS), ("most_when_unsure", MAX_RATERS), ("lease_minutes", MAX_MINUTES)):
            self.fields[name].validators.append(MaxValueValidator(most))
            self.fields[name].widget.attrs.update({"min": 1, "max": most})
        kind = task_type(self.instance.kind) if self.instance.kind else None
        if kind and not kind.has_policy:
            del self.fields["policy"], self.fields["verdict_first"]
        self.fields["layout"].required = False
        if not (kind and kind.has_layout):
            del self.fields["layout"]
        if kind and kind.takes_score:
            scored_on = self.fields["scored_on"]
            assert isinstance(scored_on, QuestionChoice)
            scored_on.queryset = self.instance.project.question_types.exclude(lowest=None)
            scored_on.disabled = self.instance.items.exists()
        else:
            del self.fields["scored_on"]

    def clean_layout(self) -> str:
        return self.cleaned_data["layout"] or self.instance.layout

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if (cleaned.get("most_when_unsure") or MAX_RATERS + 1) <= (cleaned.get("overlap") or 0):
            self.add_error("most_when_unsure", MORE_THAN_OVERLAP)
        self.clean_due()
        return cleaned

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        others = Stage.objects.filter(project=self.instance.project, name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(_("There is a stage of this name already."))
        return name


def kind_choices() -> list[tuple[str, Any]]:
    return [(kind.kind, kind.name) for kind in task_types().values() if kind.is_added_by_form]


class KindSelect(forms.RadioSelect):
    """Marks the kinds of work that ask for no policy: beside those the style sheet shows no field for it."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        if (kind := task_types().get(str(value))) and not kind.has_policy:
            option["attrs"]["data-no-policy"] = True
        return option


class NewStageForm(StageForm):
    kind = forms.ChoiceField(label=_("Kind of work"), choices=kind_choices, widget=KindSelect)

    class Meta(StageForm.Meta):
        fields = ["kind", *StageForm.Meta.fields]


class ItemFilterForm(forms.Form):
    """Only what stands here can be filtered by."""

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        varieties = LanguageVariety.objects.filter(pk__in=stage.items.order_by().values("variety").distinct())
        states = [("", _("Any")), ("open", _("Still open")), *Status.choices, ("unsure", _("unsure"))]
        raters = Rater.objects.filter(project=stage.project, user__isnull=False).order_by("pseudonym")
        names = [("", _("Any")), *((rater.pseudonym, rater.pseudonym) for rater in raters)]
        self.fields["variety"] = forms.ModelChoiceField(
            varieties, required=False, label=_("Language"), empty_label=_("Any")
        )
        self.fields["status"] = forms.ChoiceField(choices=states, required=False, label=_("State"))
        self.fields["rater"] = forms.ChoiceField(choices=names, required=False, label=_("Rater"))
        for field in self.fields.values():
            field.widget.attrs["class"] = "form-select form-select-sm"


class ReassignForm(forms.Form):
    def __init__(self, *args: Any, raters: QuerySet[Rater], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rater"] = forms.ModelChoiceField(raters, to_field_name="pseudonym")


class SurveyForm(forms.ModelForm):
    class Meta:
        model = Survey
        fields = ["batch_size", "is_open"]
        labels = {"is_open": _("Raters are asked")}
        help_texts = {"batch_size": _("After so many items a rater is asked once; they may pass.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["batch_size"].validators.append(MinValueValidator(1))


KINDS = [("scale", _("Number from 1 to 5")), ("choice", _("One of several answers")), ("text", _("Free text"))]


class SurveyQuestionForm(forms.Form):
    """One question of a survey. An empty text takes it out."""

    key = forms.SlugField(max_length=40, required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("Question"), max_length=300, required=False, widget=forms.TextInput(attrs={"dir": "auto"})
    )
    kind = forms.ChoiceField(label=_("Answered by"), choices=KINDS, required=False)
    choices = forms.CharField(
        label=_("Answers to choose from"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text=_("One a line."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        initial = kwargs.get("initial") or {}
        if isinstance(initial.get("choices"), list):
            kwargs["initial"] = {**initial, "choices": "\n".join(initial["choices"])}
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        cleaned["choices"] = [line.strip() for line in cleaned.get("choices", "").splitlines() if line.strip()]
        if cleaned.get("text") and cleaned.get("kind") == "choice" and len(set(cleaned["choices"])) < 2:
            self.add_error("choices", _("Give at least two answers to choose from."))
        return cleaned


class SurveyQuestions(forms.BaseFormSet):
    def as_questions(self) -> list[dict[str, Any]]:
        """The questions as they are stored; a new one gets a key of its own, by which its answers are kept."""
        asked = [form.cleaned_data for form in self.forms if form.cleaned_data.get("text")]
        return [
            {
                "key": row["key"] or secrets.token_hex(6),
                "text": row["text"],
                "kind": row["kind"] or "scale",
                "choices": row["choices"] if row["kind"] == "choice" else [],
            }
            for row in asked
        ]


SurveyQuestionFormSet = forms.formset_factory(SurveyQuestionForm, formset=SurveyQuestions, extra=2, max_num=12)


def survey_questions(sent: Any, asked: list[dict[str, Any]]) -> SurveyQuestions:
    """The form of all questions of a survey: as sent, else as they are asked now."""
    made = SurveyQuestionFormSet(sent, initial=[] if sent else asked, prefix="question")
    assert isinstance(made, SurveyQuestions)
    return made


TIME_RULES = ("idle_seconds", "most_minutes_per_item", "hourly_rate", "currency", "items_per_day", "minutes_per_day")


class TimeRulesForm(forms.ModelForm):
    """How working time is counted, and what an hour is paid with."""

    leaves_out_begun = forms.BooleanField(label=_("items that were begun and given back do not count"), required=False)
    field_order = ("idle_seconds", "most_minutes_per_item", "leaves_out_begun", "counts_quizzes", "counts_guidelines")

    class Meta:
        model = TimeRules
        fields = [*TIME_RULES, "counts_quizzes", "counts_guidelines"]
        widgets = {"currency": forms.TextInput({"dir": "ltr", "autocapitalize": "characters"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["leaves_out_begun"] = not self.instance.counts_begun

    def save(self, commit: bool = True) -> Any:
        self.instance.counts_begun = not self.cleaned_data["leaves_out_begun"]
        return super().save(commit)

    def clean_currency(self) -> str:
        code = self.cleaned_data["currency"].strip().upper()
        if code and not (len(code) == 3 and code.isascii() and code.isalpha()):
            raise forms.ValidationError(_("Three Latin letters, such as EGP or BDT."))
        return code

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "currency" in cleaned and "hourly_rate" in cleaned:
            if cleaned["hourly_rate"] is not None and not cleaned["currency"]:
                self.add_error("currency", _("Say in which currency."))
            elif cleaned["hourly_rate"] is None and cleaned["currency"]:
                self.add_error("hourly_rate", _("Say how much, or leave the currency empty too."))
        return cleaned


class OwnLimitsForm(forms.ModelForm):
    """The most of a day that a person sets for themselves."""

    class Meta:
        model = OwnLimits
        fields = ["items_per_day", "minutes_per_day"]


class UnwantedNotesForm(forms.Form):
    """What a person does not want to read, among the content notes of a project."""

    unwanted = forms.MultipleChoiceField(
        label=_("Content notes"), required=False, widget=forms.CheckboxSelectMultiple, choices=[]
    )

    def __init__(self, *args: Any, choices: Sequence[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["unwanted"].choices = choices  # type: ignore[attr-defined]


class FeedbackRulesForm(forms.ModelForm):
    """What people are told about their own answers."""

    class Meta:
        model = FeedbackRules
        fields = ["shows_outcomes", "shows_words", "explains_checks", "case_book", "shares_notes"]

    def __init__(self, *args: Any, has_cases: bool, **kwargs: Any) -> None:
        """`has_cases`: an area of the project declares what is settled in its answers."""
        super().__init__(*args, **kwargs)
        if not has_cases:
            del self.fields["case_book"]
        else:
            self.fields["case_book"].required = False  # what a form does not say stays as it is

    def clean_case_book(self) -> str:
        return self.cleaned_data["case_book"] or self.instance.case_book


def day_field(**more: Any) -> forms.DateField:
    return forms.DateField(label=_("Day"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"), **more)


class AskAboutTimeForm(forms.Form):
    """A person says that the time of a day is wrong."""

    day = day_field()
    request = forms.CharField(
        label=_("What is wrong"), max_length=MOST_TEXT, widget=forms.Textarea({"rows": 3, "dir": "auto"})
    )

    def __init__(self, *args: Any, latest: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.latest = latest
        self.fields["day"].widget.attrs["max"] = latest.isoformat()

    def clean_day(self) -> date:
        day = self.cleaned_data["day"]
        if day > self.latest:
            raise forms.ValidationError(_("This day is still to come."))
        return day

    def add_problems(self, invalid: Invalid) -> None:
        for problem in invalid.problems:
            self.add_error(problem.field, problem.message)


class DecideTimeForm(forms.Form):
    """A lead's answer: minutes more or fewer, or 0, and why."""

    minutes = forms.IntegerField(
        label=_("Minutes to add"),
        min_value=-MOST_MINUTES,
        max_value=MOST_MINUTES,
        help_text=_("Less than 0 takes time away; 0 leaves it as it is."),
    )
    reason = forms.CharField(label=_("Reason"), max_length=MOST_TEXT, widget=forms.Textarea({"rows": 2, "dir": "auto"}))


class PseudonymField(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.pseudonym)


class CorrectTimeForm(DecideTimeForm):
    """A day of somebody's that nobody asked about."""

    rater = PseudonymField(label=_("Person"), queryset=Rater.objects.none())
    day = day_field()
    field_order = ["rater", "day", "minutes", "reason"]

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = project.raters.filter(kind="human", user__isnull=False).order_by("pseudonym")
        self.fields["rater"].queryset = people  # type: ignore[attr-defined]
