"""What a lead sets: a stage, and which items of it to look at."""

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext_lazy as _

from projects.models import LanguageVariety, Project, Rater
from workflow.models import Stage, Status
from workflow.task_types import task_types

MOST_RATERS = 50
MOST_MINUTES = 7 * 24 * 60


class StageForm(forms.ModelForm):
    class Meta:
        model = Stage
        fields = ["name", "overlap", "lease_minutes", "policy"]
        help_texts = {
            "overlap": _("How many people answer each item, each without seeing the others."),
            "lease_minutes": _("Every save begins this time anew; after it, an item goes to someone else."),
            "policy": _("Which marks count in the end, where this stage validates those of others."),
        }

    def __init__(self, *args, **kwargs):
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


class NewStageForm(StageForm):
    kind = forms.ChoiceField(label=_("Kind of work"), widget=forms.RadioSelect)

    class Meta(StageForm.Meta):
        fields = ["kind", *StageForm.Meta.fields]

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["kind"].choices = [(kind.kind, kind.name) for kind in task_types().values()]


class ItemFilterForm(forms.Form):
    """Only what stands here can be filtered by."""

    variety = forms.ModelChoiceField(
        LanguageVariety.objects.none(), required=False, label=_("Language"), empty_label=_("Any")
    )
    status = forms.ChoiceField(required=False, label=_("State"))
    rater = forms.ChoiceField(required=False, label=_("Rater"))

    def __init__(self, *args, stage: Stage, **kwargs):
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["class"] = "form-select form-select-sm"
        self.fields["variety"].queryset = LanguageVariety.objects.filter(
            pk__in=stage.items.order_by().values("variety").distinct()
        )
        self.fields["status"].choices = [("", _("Any")), ("open", _("Still open")), *Status.choices]
        raters = Rater.objects.filter(project=stage.project, user__isnull=False).order_by("pseudonym")
        self.fields["rater"].choices = [("", _("Any")), *((rater.pseudonym, rater.pseudonym) for rater in raters)]


class ReassignForm(forms.Form):
    rater = forms.ModelChoiceField(Rater.objects.none(), to_field_name="pseudonym")

    def __init__(self, *args, project: Project, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["rater"].queryset = Rater.objects.filter(project=project, user__isnull=False)
