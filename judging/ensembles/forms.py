from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from judging.ensembles.adding import candidates
from judging.models import PanelRule
from projects.models import Project, Rater


class MembersField(forms.ModelMultipleChoiceField):
    def label_from_instance(self, obj: Any) -> str:
        maker = obj.laboratory.name if obj.laboratory else ""
        simulated = " · " + str(_("simulated")) if obj.is_simulated else ""
        return f"{obj.name} · {maker}{simulated}" if maker else f"{obj.name}{simulated}"


class PanelForm(forms.Form):
    """Which judges are one, and how."""

    members = MembersField(
        label=_("Members"),
        queryset=Rater.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("At least two. An odd number of members leaves fewer ties."),
    )
    rule = forms.ChoiceField(
        label=_("Rule"),
        choices=PanelRule.choices,
        widget=forms.RadioSelect,
        initial=PanelRule.MAJORITY,
        help_text=_(
            "By weight, those who agree more with people's gold have more to say. They are weighed on one half of the "
            "prompts, and figures that compare the panel with people leave that half out."
        ),
    )
    least_members = forms.IntegerField(
        label=_("Members who must have answered"),
        min_value=1,
        max_value=100,
        initial=2,
        help_text=_("Where fewer did, the panel has no answer. A judge never answers about its own laboratory."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=0,
        help_text=_("Draws the half of the prompts that members are weighed on. Without weights it draws nothing."),
    )
    name = forms.CharField(
        label=_("Name"), max_length=120, required=False, help_text=_("As it will stand in every table.")
    )

    def __init__(self, project: Project, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["members"].queryset = candidates(project, kind)  # type: ignore[attr-defined]
