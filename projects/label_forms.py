"""The words of a project as forms: a formset for each vocabulary, with an empty one behind them for a new word."""

from typing import Any, cast

from django import forms
from django.db import transaction
from django.forms import BaseModelFormSet, modelformset_factory
from django.utils.translation import gettext as _

from projects.models import Label, Project, Vocabulary
from projects.slugs import free_slug
from projects.vocabularies import has_begun

EMPTY_FORMS = 1
FIELDS = {
    Vocabulary.ERROR_TYPE: ["name", "definition", "is_retired"],
    Vocabulary.CRITICALITY: ["name", "definition", "points", "is_retired"],
    Vocabulary.FAILURE_TYPE: ["name", "definition", "is_missing", "is_retired"],
}


WIDGETS: dict[str, type[forms.Widget] | forms.Widget] = {
    "name": forms.TextInput(attrs={"dir": "auto"}),
    "definition": forms.Textarea(attrs={"dir": "auto", "rows": 2}),
}
MAX_POINTS = 1_000_000


class LabelForm(forms.ModelForm):
    class Meta:
        model = Label
        fields = ["name"]
        widgets = WIDGETS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "points" in self.fields:
            self.fields["points"].widget.attrs |= {"min": 0, "step": "any"}

    def clean_points(self) -> float | None:
        points: float | None = self.cleaned_data["points"]
        if points is not None and not 0 <= points <= MAX_POINTS:
            message = _("A number from %(low)d to %(high)d is expected.") % {"low": 0, "high": MAX_POINTS}
            raise forms.ValidationError(message)
        return points


class LabelFormSet(BaseModelFormSet):
    """The labels of one vocabulary in the project's order; their place is changed by `ORDER`. A short name is made of
    the name once, and stays."""

    def __init__(self, data: Any, project: Project, vocabulary: Vocabulary) -> None:
        self.project, self.vocabulary = project, vocabulary
        labels = Label.objects.filter(project=project, vocabulary=vocabulary).order_by("position", "pk")
        super().__init__(data, queryset=labels, prefix=vocabulary.value)

    @property
    def title(self) -> str:
        return str(self.vocabulary.label)

    @transaction.atomic
    def save(self, commit: bool = True) -> list[Label]:
        super().save(commit=False)
        gone = {label.pk for label in self.deleted_objects}
        Label.objects.filter(pk__in=gone).delete()
        kept = [form for form in self.ordered_forms if form.instance.pk not in gone and form.instance.name]
        taken = {form.instance.slug for form in kept}
        for position, form in enumerate(kept, start=1):
            label = form.instance
            label.project, label.vocabulary, label.position = self.project, self.vocabulary, position
            if not label.slug:
                label.slug = free_slug(label.name, taken, self.vocabulary.value)
                taken.add(label.slug)
            label.save()
        return [form.instance for form in kept]


def label_formsets(project: Project, data: Any = None) -> list[LabelFormSet]:
    """Those of all vocabularies. What nobody can have answered with yet may be deleted; else it is retired."""
    can_delete = not has_begun(project)
    made: list[LabelFormSet] = []
    for vocabulary, fields in FIELDS.items():
        formset = modelformset_factory(
            Label,
            form=LabelForm,
            formset=LabelFormSet,
            fields=fields,
            widgets=WIDGETS,
            extra=EMPTY_FORMS,
            max_num=100,
            can_order=True,
            can_delete=can_delete,
            can_delete_extra=False,
        )
        made.append(cast(Any, formset)(data, project, vocabulary))
    return made
