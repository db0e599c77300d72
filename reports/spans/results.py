"""What tables of error spans are written from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from agreement.figures import Recipe
from annotation.acceptance.worth import unseen
from annotation.models import Marking
from annotation.outcomes import review_rules
from projects.models import Project, Segmentation
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.names import PEOPLE, prompts_named
from reports.dashboard.project_contents import gold_builders
from reports.dashboard.results import Names, Results
from reports.dashboard.setups import Setup, setups_of
from reports.spans.context import Category, Context

#: The judge kind that proposes categories of errors, and those that are asked beside marking (asked_apart.py).
CODING_KIND = "categories"
APART_KINDS = ("sentences", "same_issue")
GOLD_RULE = "errors kept by people's reviews, policy {policy}; responses where no person's span is open or pending"


class SpanNames(NamedTuple):
    """`coders` has, of each judge that proposes categories, the prompts it was asked by; `setups` how each judge is
    asked for errors, by id of the rater; `taxonomy` the number of the last change of the categories, 0 for none;
    `apart` as `coders` of those that are asked beside marking; `unseen` how many proposals of each kind were accepted
    unseen."""

    categories: tuple[Category, ...]
    policy: str
    coders: Mapping[str, tuple[str, ...]]
    setups: Mapping[int, Setup]
    taxonomy: int
    apart: Mapping[str, tuple[str, ...]]
    unseen: Mapping[str, int]


@dataclass(frozen=True)
class SpanResults(Results):
    """People together and each judge are detectors of errors."""

    kinds = ("spans",)
    judged = "markings"
    of_people_alone = frozenset({"coding", "kinds"})

    @classmethod
    def named(cls, project: Project, context: Context, varieties: Sequence[int]) -> Names:
        """Judges whose spans are in the gold say so wherever they stand."""
        names = super().named(project, context, varieties)
        raters = dict(names.raters)
        for one in gold_builders(project, revisions(project)):
            raters[one] = replace(raters[one], is_gold_builder=True)
        return replace(names, raters=raters)

    @classmethod
    def own_names(cls, project: Project, context: Context) -> SpanNames:
        policy = str(review_rules([project.pk])[project.pk].policy)
        setups = setups_of(project, cls.kinds, Marking.objects.all(), "markings")
        coders, apart = prompts_named(project, CODING_KIND), prompts_named(project, *APART_KINDS)
        return SpanNames(context.categories, policy, coders, setups, context.taxonomy, apart, unseen(project))

    def own_extras(self) -> dict[str, Any]:
        """Which change of the categories the figures follow, and what people accepted unseen, where there is such."""
        extras = super().own_extras()
        if self.names.own.taxonomy:
            extras["taxonomy"] = f"change {self.names.own.taxonomy}"
        if self.names.own.unseen:
            extras["accepted_unseen"] = dict(self.names.own.unseen)
        return extras

    def by_rater(self, one: int) -> dict[str, str]:
        return {"detector": "human"} if one == PEOPLE else {"rater": self.names.raters[one].pseudonym}

    @property
    def policy(self) -> str:
        return self.names.own.policy

    def gold_rule(self) -> str:
        return GOLD_RULE.format(policy=self.policy)

    def recipe(self, metric: str, *, gold: bool = False, drawn: bool = False, **settings: Any) -> Recipe:
        cut = sorted({Segmentation(variety.segmentation).rule for variety in self.names.varieties})
        return super().recipe(metric, gold=gold, drawn=drawn, words=cut, **settings)

    def is_weighed(self, group: str, gold: bool) -> bool:
        return gold
