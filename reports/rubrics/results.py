"""What tables of rubrics are written from."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from projects.models import LanguageVariety, Project
from reports.dashboard.names import SettingName
from reports.dashboard.results import Results
from reports.rubrics.context import ALL, Context
from reports.rubrics.reader import JUDGE_KIND
from reports.rubrics.scope import DOMAINS
from rubrics.models import Scope as Domain


@dataclass(frozen=True)
class RubricResults(Results):
    """`names.own` has the varieties that people speak, by id: also those that no response of the scope is in."""

    kinds = (JUDGE_KIND,)
    all_settings = gettext_lazy("All communities")
    of_people_alone = frozenset({"scores", "failures", "severity"})

    @classmethod
    def own_names(cls, project: Project, context: Context) -> dict[int, str]:
        spoken = LanguageVariety.objects.filter(raters__project=project).order_by("id").distinct()
        return {variety.pk: variety.label for variety in spoken}

    def target(self, model: int) -> tuple[str, dict[str, str]]:
        if model == ALL:
            return _("All targets"), {}
        return self.names.models[model], {"model": self.names.models[model]}

    def domain(self, domain: int) -> tuple[str, dict[str, str]]:
        if domain == ALL:
            return _("Both domains"), {}
        return str(Domain(DOMAINS[domain]).label), {"domain": DOMAINS[domain]}

    def setting(self, variety: int) -> SettingName | None:
        return next((setting for setting in self.names.settings if setting.id == variety), None)

    def by_setting(self, variety: int) -> dict[str, str]:
        setting = self.setting(variety)
        return {"variety": setting.tag} if setting else {}

    def community(self, variety: int) -> str:
        """What the speakers of a variety are called."""
        setting = self.setting(variety)
        return setting.label if setting else self.names.own.get(variety, _("none named"))

    @property
    def ceiling(self) -> Figure | None:
        """MAD of people against each other, where two graded the same responses."""
        found = self.total("scores")["ceiling"]
        return None if found.value is None else found

    def gold_rule(self) -> str:
        return "the first grading under the newest frozen version of the rubric"

    def size(self, group: str) -> tuple[int, int]:
        judges = [] if group in self.of_people_alone else self.total("judges")["single"]
        scores = self.total("scores")
        return scores["graded"], scores["raters"] + len(judges)

    def own_extras(self) -> dict[str, Any]:
        return {"left out: grades under an older version": self.total("scores")["outdated"]}
