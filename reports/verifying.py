"""Dashboards whose alphas can be verified: the page of it, which is computed as other figures are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.models import Project
from reports.dashboard import cache
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Look, OnPart, unheard
from reports.verification import Comparison, compared
from reports.warming import FiguredPage

TITLE = _("Alphas verified")


def page_of(dashboard: Dashboard) -> str:
    """The url name of the page."""
    return f"{dashboard.page}-verified"


def verified(
    dashboard: Dashboard, project: Project, filters: Mapping[str, Any], on_part: OnPart = unheard
) -> list[Comparison]:
    """Every alpha of the dashboard under these filters beside the package's; none where it shows no alpha.

    Raises projects.problems.Invalid for filters that are no choice.
    """
    return compared(dashboard.shown_alphas(project, filters, on_part))


@dataclass(frozen=True)
class Verification:
    dashboard: Dashboard
    page: FiguredPage = field(init=False)

    def __post_init__(self) -> None:
        answers, takes_long = self.dashboard.answers, self.dashboard.takes_long
        page = FiguredPage(page_of(self.dashboard), TITLE, self.look, answers, takes_long)
        object.__setattr__(self, "page", page)

    def look(self, project: Project, filters: Mapping[str, Any]) -> Look:
        """In the state that the dashboard's tables are in."""
        state = self.dashboard.look(project, filters).state
        key = cache.key_of("verified", self.dashboard.page, state)
        return Look(key, cache.are_kept([key]), partial(self.read, project, filters, key))

    def read(
        self, project: Project, filters: Mapping[str, Any], key: str, on_part: OnPart = unheard
    ) -> list[Comparison]:
        def made(_missing: list[str]) -> dict[str, list[Comparison]]:
            return {"verified": verified(self.dashboard, project, filters, on_part)}

        return cache.remembered({"verified": key}, made)["verified"]
