"""What a lead enters: a quiz, how a stage checks, which items are checks, why a pause is lifted."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import get_language, get_language_info, gettext_lazy
from django.utils.translation import gettext as _

from formats.project_file.reading import MAX_BYTES
from projects.languages import names
from projects.models import LanguageVariety, Project, RaterKind
from screening.models import CheckSettings, Interview, InterviewResult, Quiz, RaterGroup
from workflow.models import Stage

TEXT = {"rows": 6, "dir": "auto"}


class QuizForm(forms.ModelForm):
    class Meta:
        model = Quiz
        fields = [
            "pass_mark",
            "attempts_allowed",
            "tolerance",
            "span_f1",
            "verdict_share",
            "introduction",
            "retraining",
        ]
        widgets = {"introduction": forms.Textarea(attrs=TEXT), "retraining": forms.Textarea(attrs=TEXT)}


class NewQuizForm(QuizForm):
    class Meta(QuizForm.Meta):
        fields = ["stage", "language", "step", *QuizForm.Meta.fields]

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stage"] = forms.ModelChoiceField(
            project.stages.all(), label=gettext_lazy("Stage"), empty_label=None
        )
        self.fields["language"] = forms.ChoiceField(
            label=gettext_lazy("Language of the people"),
            choices=[("", gettext_lazy("All that have no quiz of their own")), *languages_of(project)],
            required=False,
        )
        self.fields["step"].required = False  # left out it is the first

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        stage, language, step = cleaned.get("stage"), cleaned.get("language", ""), cleaned.get("step") or 1
        if stage and Quiz.objects.filter(stage=stage, language=language, step=step).exists():
            self.add_error("step", _("This stage has a quiz for this language already."))
        return cleaned


def languages_of(project: Project) -> list[tuple[str, str]]:
    """Codes and names of the languages of the project's people and responses."""
    mine = Q(raters__project=project) | Q(responses__project=project)
    codes = LanguageVariety.objects.filter(mine).order_by().values_list("language", flat=True).distinct()
    return sorted(((code, language_name(code)) for code in codes), key=lambda each: each[1])


def language_name(code: str) -> str:
    """In the reader's language."""
    if not code:
        return _("All languages")
    try:
        return str(get_language_info(code)["name_translated"])
    except KeyError:
        return names.name(code, get_language() or "en")


class QuizFileForm(forms.Form):
    """`file` of the cleaned data holds the bytes."""

    file = forms.FileField(label=gettext_lazy("File"), help_text=gettext_lazy("YAML, UTF-8, of at most 5 MB."))
    stage = forms.ModelChoiceField(Stage.objects.none(), label=gettext_lazy("Stage"), empty_label=None)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stage = self.fields["stage"]
        assert isinstance(stage, forms.ModelChoiceField)
        stage.queryset = project.stages.all()

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise forms.ValidationError(_("The file is larger than 5 MB."))
        return bytes(file.read())


class CheckSettingsForm(forms.ModelForm):
    class Meta:
        model = CheckSettings
        fields = ["share", "window", "least", "mark", "tolerance", "span_f1", "verdict_share", "retraining"]
        widgets = {"retraining": forms.Textarea(attrs=TEXT)}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        least, window = cleaned.get("least"), cleaned.get("window")
        if least and window and least > window:
            self.add_error("least", _("No more than the latest checks that count: %(n)d.") % {"n": window})
        return cleaned


class InterviewForm(forms.ModelForm):
    class Meta:
        model = Interview
        fields = ["stage", "language", "step"]

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stage"] = forms.ModelChoiceField(
            project.stages.all(), label=gettext_lazy("Stage"), empty_label=None
        )
        self.fields["language"] = forms.ChoiceField(
            label=gettext_lazy("Language of the people"),
            choices=[("", gettext_lazy("All that have no interview of their own")), *languages_of(project)],
            required=False,
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        place = {name: cleaned.get(name) for name in ("stage", "language", "step")}
        if None not in place.values() and Interview.objects.filter(**place).exists():
            self.add_error("step", _("This stage has an interview for this language and step already."))
        return cleaned


class InterviewResultForm(forms.ModelForm):
    class Meta:
        model = InterviewResult
        fields = ["rater", "is_passed", "held_on", "interviewer", "note", "note_is_shown"]
        widgets = {
            "held_on": forms.DateInput(attrs={"type": "date"}),
            "interviewer": forms.TextInput(attrs={"dir": "auto"}),
            "note": forms.Textarea(attrs=TEXT),
        }

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = project.raters.filter(kind=RaterKind.HUMAN, user__isnull=False).order_by("pseudonym")
        rater = forms.ModelChoiceField(people, label=gettext_lazy("Person"))
        rater.label_from_instance = lambda one: one.pseudonym  # type: ignore[assignment, method-assign]
        self.fields["rater"] = rater
        self.fields["is_passed"] = forms.TypedChoiceField(
            label=gettext_lazy("Result"),
            choices=[("yes", gettext_lazy("passed")), ("no", gettext_lazy("not passed"))],
            coerce=lambda value: value == "yes",
            widget=forms.RadioSelect,
        )
        self.fields["note"] = forms.CharField(
            label=gettext_lazy("Note"), required=False, max_length=4000, widget=forms.Textarea(attrs=TEXT)
        )

    def clean_held_on(self) -> date:
        held_on: date = self.cleaned_data["held_on"]
        if held_on > date.today() + timedelta(days=1):  # somewhere it is tomorrow already
            raise forms.ValidationError(_("This day is still to come."))
        return held_on

    def validate_unique(self) -> None:
        """Recorded again, a result takes the place of the one before."""


class GroupForm(forms.ModelForm):
    class Meta:
        model = RaterGroup
        fields = ["name"]
        widgets = {"name": forms.TextInput(attrs={"dir": "auto"})}


class LiftForm(forms.Form):
    note = forms.CharField(label=gettext_lazy("Note"), required=False, max_length=2000)
