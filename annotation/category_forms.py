"""What a lead writes to change categories of errors: other words, several as one, one as several."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.category_changes import STATED, Part
from annotation.models import ErrorCategory
from projects.models import Project

TEXT = forms.Textarea(attrs={"rows": 3, "dir": "auto"})
REASON = gettext_lazy("Reason, for the record")


def reason() -> forms.CharField:
    return forms.CharField(label=REASON, required=False, max_length=300, widget=forms.TextInput(attrs={"dir": "auto"}))


class OfferedCategory(forms.ModelChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.label)


class OfferedCategories(forms.ModelMultipleChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        return str(obj.label)


class RenameForm(forms.ModelForm):
    reason = reason()

    class Meta:
        model = ErrorCategory
        fields = STATED
        labels = {
            "name": gettext_lazy("Name"),
            "definition": gettext_lazy("Definition"),
            "example": gettext_lazy("Example"),
        }
        widgets = {"name": forms.TextInput(attrs={"dir": "auto"}), "definition": TEXT, "example": TEXT}


class MergeForm(forms.Form):
    categories = OfferedCategories(
        queryset=ErrorCategory.objects.none(),
        label=gettext_lazy("Merge these"),
        widget=forms.CheckboxSelectMultiple,
    )
    into = OfferedCategory(queryset=ErrorCategory.objects.none(), label=gettext_lazy("into"))
    reason = reason()

    def __init__(self, data: Any, project: Project) -> None:
        super().__init__(data, prefix="merge")
        for name in ("categories", "into"):
            self.fields[name].queryset = project.error_categories.offered()  # type: ignore[attr-defined]


class SplitForm(forms.Form):
    parts = forms.CharField(
        label=gettext_lazy("Split into"),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
        help_text=gettext_lazy("One on a line, its definition behind a colon: Register: too formal or too familiar"),
    )
    reason = reason()

    def __init__(self, data: Any) -> None:
        super().__init__(data, prefix="split")

    def clean_parts(self) -> list[Part]:
        lines = [line.partition(":") for line in self.cleaned_data["parts"].splitlines() if line.strip()]
        parts = [Part(name.strip(), definition.strip()) for name, _colon, definition in lines]
        if len(parts) < 2:
            raise forms.ValidationError(_("Name at least two categories, one on a line."))
        return parts
