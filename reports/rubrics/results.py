"""What tables of rubrics are written from."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from projects.models import LanguageVariety, Project
from reports.dashboard.names import VarietyName
from reports.dashboard.results import Results
from reports.dashboard.scope import BaseContext
from reports.rubrics.context import ALL
from reports.rubrics.reader import JUDGE_KIND
from reports.rubrics.scope import DOMAINS
from rubrics.models import Scope as Domain


@dataclass(frozen=True)
class RubricResults(Results):
    """`names.own` has the varieties that people speak, by id: also those that no response of the scope is in."""

    kinds = (JUDGE_KIND,)
    judged = "grades of judges"
    all_varieties = gettext_lazy("All communities")
    of_people_alone = frozenset({"scores", "authoring", "failures", "severity", "groups"})

    @classmethod
    def own_names(cls, project: Project, context: BaseContext) -> dict[int, str]:
        spoken = LanguageVariety.objects.filter(raters__project=project).order_by("id").distinct()
        return {variety.pk: project.calls(variety) for variety in spoken}

    def target(self, model: int) -> tuple[str, dict[str, str]]:
        if model == ALL:
            return _("All targets"), {}
        return self.names.models[model], {"model": self.names.models[model]}

    def domain(self, domain: int) -> tuple[str, dict[str, str]]:
        if domain == ALL:
            return _("Both domains"), {}
        return str(Domain(DOMAINS[domain]).label), {"domain": DOMAINS[domain]}

    def variety(self, pk: int) -> VarietyName | None:
        """A variety of the scope's responses; None for any other."""
        return next((variety for variety in self.names.varieties if variety.id == pk), None)

    def by_variety(self, pk: int) -> dict[str, str]:
        """The filters of the responses in this variety."""
        variety = self.variety(pk)
        return {"variety": variety.tag} if variety else {}

    def variety_label(self, pk: int) -> str:
        """How a variety is called whose speakers are among the raters; 0 for none."""
        variety = self.variety(pk)
        return variety.label if variety else self.names.own.get(pk, _("none named"))

    @property
    def ceiling(self) -> Figure | None:
        """MAD of people against each other, where two graded the same responses."""
        figure = self.total("scores")["ceiling"]
        return None if figure.value is None else figure

    def people_on(self, task: str) -> tuple[Figure, Figure] | None:
        """MAD and signed error of people's second scores on this task of measures/tasks.py; None without any."""
        figures = self.total("scores")["tasks"].get(task)
        return None if figures is None or figures[0].value is None else figures

    def gold_rule(self) -> str:
        return "the first grading under the newest frozen version of the rubric"

    def size(self, group: str) -> tuple[int, int]:
        judges = [] if group in self.of_people_alone else self.total("judges")["single"]
        scores = self.total("scores")
        return scores["graded"], scores["raters"] + len(judges)

    def own_extras(self) -> dict[str, Any]:
        return {"left out: grades under an older version": self.total("scores")["outdated"]}
