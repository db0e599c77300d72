"""What is looked for among the questions that no model solves, as an address line says it."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.answers.declaration import TOP
from benchmark.models import Configuration, QuestionSet
from benchmark.screening import THRESHOLD, Screening, screen
from projects.models import Project

MAX_SAMPLE = 200


class ScreeningForm(forms.Form):
    """What is looked for; of the address line, for the page and for programs."""

    models = forms.MultipleChoiceField(
        label=gettext_lazy("Models that are to solve them"), widget=forms.CheckboxSelectMultiple
    )
    threshold = forms.FloatField(
        label=gettext_lazy("Solved from so many points on"), min_value=0.01, max_value=TOP, required=False
    )
    sample = forms.IntegerField(
        label=gettext_lazy("Questions to look at first"), min_value=0, max_value=MAX_SAMPLE, required=False
    )
    seed = forms.IntegerField(label=gettext_lazy("Seed of the sample"), min_value=0, max_value=2**31, required=False)

    def __init__(self, project: Project, data: Any = None) -> None:
        initial = {"threshold": THRESHOLD, "sample": 20, "seed": 0}
        super().__init__(data, initial=initial)
        self.rows = {row.slug: row for row in Configuration.objects.filter(project=project).select_related("card")}
        for name in initial:
            self.fields[name].widget.attrs["class"] = "form-control"
        models = self.fields["models"]
        assert isinstance(models, forms.MultipleChoiceField)
        models.choices = [(row.slug, row.name) for row in self.rows.values()]

    def found(self, question_set: QuestionSet) -> Screening:
        """Of a form that is valid."""
        said = self.cleaned_data
        values = {name: self.initial[name] if said[name] is None else said[name] for name in self.initial}
        return screen(question_set, [self.rows[slug] for slug in said["models"]], **values)


def too_many() -> str:
    return _("This set is large. The command screen_questions lists what no model solves.")
