"""The forms of question types. A question type's levels follow its scale: one for each grade, no more and no less."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import RatingSettings
from annotation.questions.changing import WORDS, is_rated
from projects.models import Dimension, Level, QuestionType

LOWEST, HIGHEST = -100, 100
MAX_GRADES = 101
#: Of a longer scale its ends and quarters are asked about, and may be left without a meaning.
EACH_GRADE = 11


class DimensionForm(forms.ModelForm):
    class Meta:
        model = Dimension
        fields = ["name", "definition"]
        widgets = {
            "name": forms.TextInput(attrs={"dir": "auto"}),
            "definition": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        }


class DimensionChoice(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.label)


class QuestionTypeForm(forms.ModelForm):
    dimension = DimensionChoice(Dimension.objects.none(), label=_("Dimension"))

    class Meta:
        model = QuestionType
        fields = ["dimension", "name", "definition", "lowest", "highest", "is_nominal"]
        widgets = {
            "name": forms.TextInput(attrs={"dir": "auto"}),
            "definition": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        }
        help_texts = {
            "lowest": _("Whole grades. Leave both empty to ask for a preference alone."),
            "is_nominal": _(
                "Each grade is the name of a class, such as a dialect. Nothing is averaged then, and no grade is "
                "nearer to the right one than another."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dimension = self.fields["dimension"]
        assert isinstance(dimension, forms.ModelChoiceField)
        dimension.queryset = Dimension.objects.filter(project=self.instance.project)
        for name in ("lowest", "highest"):
            self.fields[name].widget.attrs |= {"min": LOWEST, "max": HIGHEST}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "lowest" in self.errors or "highest" in self.errors:
            return cleaned
        lowest, highest = cleaned.get("lowest"), cleaned.get("highest")
        if (lowest is None) != (highest is None):
            self.add_error("highest", _("A scale has a lowest and a highest grade; without a scale both are empty."))
        elif lowest is not None and highest is not None:
            if not LOWEST <= lowest < highest <= HIGHEST:
                self.add_error("highest", _("The highest grade lies above the lowest, both between -100 and 100."))
            elif highest - lowest >= MAX_GRADES:
                self.add_error("highest", _("A scale has %(most)d grades at most.") % {"most": MAX_GRADES})
        if cleaned.get("is_nominal") and lowest is None:
            self.add_error("is_nominal", _("Grades without an order need a scale: a lowest and a highest grade."))
        if (
            {"lowest", "highest", "is_nominal"} & set(self.changed_data)
            and self.instance.pk
            and is_rated(self.instance)
        ):
            message = _(
                "Responses have been rated on this scale, so it stays as it is. You can change the wording of its "
                "levels, or add another question type with the scale you want."
            )
            self.add_error("lowest", message)
        return cleaned


class LevelForm(forms.ModelForm):
    class Meta:
        model = Level
        fields = ["label", "summary", "detail"]
        widgets = {
            "label": forms.TextInput(attrs={"dir": "auto"}),
            "summary": forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
            "detail": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        }

    def __init__(self, *args: Any, is_optional: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if is_optional:
            self.fields["summary"].required = False

    @property
    def says_nothing(self) -> bool:
        """Whether it leaves its grade without a meaning."""
        return not any(self.cleaned_data.get(word) for word in WORDS)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("summary") and not self.says_nothing:
            self.add_error("summary", _("This is needed."))
        return cleaned

    def clean_summary(self) -> str:
        """On one line, though the field shows two so that all of it is seen on a phone."""
        return " ".join(self.cleaned_data["summary"].split())


class RatingSettingsForm(forms.ModelForm):
    class Meta:
        model = RatingSettings
        fields = ["asks_preference", "asks_comment", "gold_rule", "unparseable"]
        help_texts = {
            "gold_rule": _(
                "How the grades of several people become one, where no expert has graded the response. Dawid-Skene "
                "and MACE weigh people by how they agree with each other; where they share no responses, the majority "
                "decides."
            ),
            "unparseable": _("What counts where a judge answered and no verdict could be read from it."),
        }


def level_forms(form: QuestionTypeForm, data: Mapping[str, str] | None) -> list[LevelForm]:
    """A form for each grade of the scale that `form` was given, or that the question type has.

    Grades that the page did not show yet have an empty form, which is not valid: the page comes back with it. Of a
    scale of more than EACH_GRADE grades there are forms for its ends, its quarters and what has a level, none needed.
    """
    question = form.instance
    levels = {level.grade: level for level in question.levels.all()} if question.pk else {}
    made = []
    scale = _scale(form)
    if len(scale) > EACH_GRADE:
        quarters = {scale[round((len(scale) - 1) * quarter / 4)] for quarter in range(5)}
        shown = {grade for grade in scale if data is not None and f"level-{grade}-summary" in data}
        return [
            LevelForm(data, instance=levels.get(grade) or Level(grade=grade), prefix=f"level-{grade}", is_optional=True)
            for grade in (sorted(shown) if data is not None else sorted(quarters | set(levels) & set(scale)))
        ]
    for grade in scale:
        prefix = f"level-{grade}"
        is_shown = data is not None and f"{prefix}-summary" in data
        level = levels.get(grade) or Level(grade=grade)
        made.append(LevelForm(data if is_shown else None, instance=level, prefix=prefix))
    return made


def _scale(form: QuestionTypeForm) -> range:
    """The scale that was asked for where it can be one, else the one there was."""
    asked = form.initial
    if form.is_bound and not {"lowest", "highest"} & set(form.errors):
        asked = form.cleaned_data
    return QuestionType(lowest=asked.get("lowest"), highest=asked.get("highest")).scale
