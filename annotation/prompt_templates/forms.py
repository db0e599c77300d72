"""The forms of prompt templates: one template, what the list is narrowed by, the draw of splits."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from formats.kinds import name as on_one_line
from projects.localising import MAX_KEY, MAX_TEXT
from projects.models import Project, PromptTemplate, QuestionType, Split
from projects.splits import SHARES, is_used

MAX_SEED = 2**31 - 1
UNDRAWN, UNLOCALISED = "none", "open"


class QuestionChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return f"{obj.dimension.label}: {obj.label}"


class TemplateForm(forms.ModelForm):
    """A template. Once a speaker has localised it only its split is left to change, until that was used; so of one that
    was made of a prompt, whose text it is."""

    question = QuestionChoice(QuestionType.objects.none(), label=_("Question type"))

    class Meta:
        model = PromptTemplate
        fields = ["key", "question", "text", "split"]
        widgets = {
            "key": forms.TextInput(attrs={"dir": "auto", "maxlength": MAX_KEY}),
            "text": forms.Textarea(attrs={"rows": 6, "dir": "auto", "maxlength": MAX_TEXT}),
        }
        help_texts = {
            "key": _("Unique in the project; prompts made of the template are called after it."),
            "text": _("Placeholders are small Latin letters in square brackets, such as [locale_country]."),
            "split": _(
                "Whether judges are trained or tested on its prompts. Left open, it can be drawn with the others."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        question = cast(forms.ModelChoiceField, self.fields["question"])
        question.queryset = QuestionType.objects.filter(project=self.instance.project).select_related("dimension")
        if self.instance.pk is None:
            return
        question.required = self.instance.question_id is not None
        if self.instance.variety_id is not None or self.instance.localisations.exists():
            for name in ("key", "question", "text"):
                self.fields[name].disabled = True
        if is_used(self.instance):
            self.fields["split"].disabled = True

    @property
    def may_save(self) -> bool:
        return not all(field.disabled for field in self.fields.values())

    def clean_key(self) -> str:
        key = self.cleaned_data["key"]
        if fault := on_one_line(MAX_KEY).check(key):
            raise forms.ValidationError(fault[1], code=fault[0])
        others = PromptTemplate.objects.filter(project=self.instance.project, key=key).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(_("There is a template with this id already."))
        return key

    def clean_text(self) -> str:
        text = self.cleaned_data["text"]
        if len(text) > MAX_TEXT:
            message = _("The text has %(length)d characters; at most %(limit)d fit.")
            raise forms.ValidationError(message, params={"length": len(text), "limit": MAX_TEXT})
        return text


class TemplateFilterForm(forms.Form):
    """Only what stands here can be filtered by."""

    dimension = forms.ChoiceField(label=_("Dimension"), required=False)
    question = forms.ChoiceField(label=_("Question type"), required=False)
    split = forms.ChoiceField(label=_("Split"), required=False)

    def __init__(self, data: Any, *, project: Project) -> None:
        super().__init__(data, auto_id="filter_%s")
        dimensions = [(each.slug, each.label) for each in project.dimensions.all()]
        questions = [(each.slug, each.label) for each in project.question_types.all()]
        for field, choices in (
            ("dimension", dimensions),
            ("question", questions),
            ("split", [*Split.choices, (UNDRAWN, _("Not drawn yet"))]),
        ):
            cast(forms.ChoiceField, self.fields[field]).choices = [("", _("All")), *choices]
            self.fields[field].widget.attrs["class"] = "form-select form-select-sm"

    @property
    def chosen(self) -> dict[str, Any]:
        """The filters that are set, as conditions on templates."""
        self.full_clean()
        paths = {"dimension": "question__dimension__slug", "question": "question__slug", "split": "split"}
        given = {paths[name]: value for name, value in self.cleaned_data.items() if value}
        return given | {"split": ""} if given.get("split") == UNDRAWN else given


class SplitsForm(forms.Form):
    seed = forms.IntegerField(
        label=_("Seed"),
        initial=1,
        min_value=0,
        max_value=MAX_SEED,
        help_text=_("The same templates, shares and seed give the same splits again."),
    )
    train = forms.IntegerField(label=_("Training, in percent"), min_value=0, max_value=100)
    validation = forms.IntegerField(label=_("Validation, in percent"), min_value=0, max_value=100)
    test = forms.IntegerField(label=_("Test, in percent"), min_value=0, max_value=100)
    anew = forms.BooleanField(
        label=_("Draw those again, too, that no model has answered yet"),
        required=False,
        help_text=_("Otherwise templates that have a split keep it. One whose prompts were answered keeps it always."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for split, share in SHARES.items():
            self.fields[split].initial = share

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and sum(cleaned[split] for split in SHARES) != 100:
            raise forms.ValidationError(_("The three shares add up to 100 percent."))
        return cleaned

    @property
    def shares(self) -> dict[str, int]:
        return {split: self.cleaned_data[split] for split in SHARES}
