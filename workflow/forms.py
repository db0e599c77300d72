"""What a lead sets: a stage, and which items of it to look at."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from projects.models import LanguageVariety, Rater
from workflow.models import Stage, Status
from workflow.task_types import task_types

MOST_RATERS = 50
MOST_MINUTES = 14 * 24 * 60


class StageForm(forms.ModelForm):
    class Meta:
        model = Stage
        fields = ["name", "overlap", "lease_minutes", "policy"]
        help_texts = {
            "overlap": _("How many people answer each item, each without seeing the others."),
            "lease_minutes": _("Every save begins this time anew; after it, an item goes to someone else."),
            "policy": _("Which marks count in the end, where this stage validates those of others."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, most in (("overlap", MOST_RATERS), ("lease_minutes", MOST_MINUTES)):
            self.fields[name].validators.append(MaxValueValidator(most))
            self.fields[name].widget.attrs.update({"min": 1, "max": most})

    def clean_name(self) -> str:
        name = self.cleaned_data["name"]
        others = Stage.objects.filter(project=self.instance.project, name=name).exclude(pk=self.instance.pk)
        if others.exists():
            raise forms.ValidationError(_("There is a stage of this name already."))
        return name


def kind_choices() -> list[tuple[str, Any]]:
    return [(kind.kind, kind.name) for kind in task_types().values() if kind.is_added_by_form]


class NewStageForm(StageForm):
    kind = forms.ChoiceField(label=_("Kind of work"), choices=kind_choices, widget=forms.RadioSelect)

    class Meta(StageForm.Meta):
        fields = ["kind", *StageForm.Meta.fields]


class ItemFilterForm(forms.Form):
    """Only what stands here can be filtered by."""

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        varieties = LanguageVariety.objects.filter(pk__in=stage.items.order_by().values("variety").distinct())
        states = [("", _("Any")), ("open", _("Still open")), *Status.choices]
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
