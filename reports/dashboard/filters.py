"""What a reader may narrow results and lists by: forms whose choices are the allow list."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from annotation.models import Criticality, Depth
from projects.models import LanguageVariety, Project, RaterKind, TargetModel
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.settings_of_project import settings_with_responses, target_models

ALL = _("All")


class NarrowingForm(forms.Form):
    """A form of the address line: every field may be empty, and what is not a choice is not applied."""

    def __init__(self, project: Project, data: Any):
        super().__init__(data, auto_id="filter_%s")
        state = revisions(project)
        varieties = LanguageVariety.objects.filter(pk__in=settings_with_responses(project, state))
        self.offer("variety", [(variety.tag, variety.label) for variety in varieties])
        if "model" in self.fields:
            models = TargetModel.objects.filter(pk__in=target_models(project, state))
            self.offer("model", [(model.name, model.name) for model in models])

    def offer(self, field: str, choices: list[tuple[str, Any]], nothing: Any = ALL) -> None:
        """Make these the only values of the field besides none, which is called `nothing`."""
        chosen = cast(forms.ChoiceField, self.fields[field])
        chosen.choices = [("", nothing), *choices]

    @property
    def chosen(self) -> dict[str, Any]:
        """The filters that are set and allowed."""
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value not in ("", None)}

    @property
    def refused(self) -> list[str]:
        """Labels of the filters whose value is not among the choices."""
        return [str(self.fields[name].label) for name in self.errors]


def select(label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, required=False, widget=forms.Select(attrs={"class": "form-select form-select-sm"})
    )


class ResultsForm(NarrowingForm):
    variety = select(_("Variety"))
    model = select(_("Target model"))
    criticality = select(_("Criticality"))
    matching = select(_("Spans match"))
    threshold = forms.FloatField(
        label=_("Overlap above"),
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(
            attrs={"class": "form-control form-control-sm", "step": "0.05", "placeholder": "0.15"}
        ),
    )

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        self.offer("criticality", list(Criticality.choices))
        self.offer("matching", [("one-to-one", _("each with one at most"))], nothing=_("with any close enough"))


class ResponsesForm(NarrowingForm):
    variety = select(_("Variety"))
    model = select(_("Target model"))
    rater = select(_("Rater"))
    detector = select(_("Marked by"))
    category = select(_("Category"))
    depth = select(_("Thin or thick"))
    outcome = select(_("With spans"))

    def __init__(self, project: Project, data: Any):
        super().__init__(project, data)
        self.offer("rater", [(rater.pseudonym, detector_name(rater)) for rater in project.raters.all()])
        self.offer("detector", [("human", _("People")), ("judge", _("Judges"))])
        self.offer("category", list(project.error_categories.values_list("slug", "name")))
        self.offer("depth", list(Depth.choices))
        self.offer(
            "outcome",
            [
                ("kept", _("kept")),
                ("rejected", _("rejected")),
                ("open", _("left open by the policy")),
                ("pending", _("waiting for verdicts")),
                ("missed", _("missed: in gold, not marked")),
            ],
        )


def detector_name(rater: Any) -> str:
    """People stand in reports by their pseudonym, judges by their name."""
    return rater.name if rater.kind == RaterKind.JUDGE else rater.pseudonym
