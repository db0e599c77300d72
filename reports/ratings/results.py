"""What tables of ratings are written from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.weighed_gold import ROUNDS
from annotation.models import Rating
from projects.models import LanguageVariety, Project
from reports.dashboard.results import Results
from reports.dashboard.setups import Setup, setups_of
from reports.ratings.asked import KINDS
from reports.ratings.context import ALL, DIMENSION, Context

#: Of rules that weigh raters: on what they are fitted, how, and what decides where they cannot be.
OF_A_FIT = (
    f"fitted to each question type in each variety (from the votes, at most {ROUNDS} rounds, nothing random); "
    "by majority where one rater graded or none shares an item; without a rater as fitted with all"
)
GOLD = {
    "majority": "experts' grades where there are any; by majority, ties by mean, then median",
    "mean": "experts' grades where there are any; by mean",
    "dawid-skene": f"experts' grades where there are any; by Dawid-Skene, {OF_A_FIT}",
    "mace": f"experts' grades where there are any; by MACE, {OF_A_FIT}",
}


class RatingNames(NamedTuple):
    """Slug and label of each dimension and question type, in the project's order; how each judge is asked; labels of
    the varieties that people speak."""

    dimensions: Mapping[int, tuple[str, str]]
    questions: Mapping[int, tuple[str, str]]
    dimension_of: Mapping[int, int]
    setups: Mapping[int, Setup]
    spoken: Mapping[int, str]


def setups_named(project: Project) -> dict[int, Setup]:
    """How each judge that rates is asked, by the id of its rater."""
    return setups_of(project, KINDS, Rating.objects.filter(is_check=False), "ratings of judges")


@dataclass(frozen=True)
class RatingResults(Results):
    kinds = KINDS
    judged = "ratings of judges"
    of_people_alone = frozenset({"people", "raters", "confusions", "groups"})

    @classmethod
    def own_names(cls, project: Project, context: Context) -> RatingNames:
        questions = list(project.question_types.select_related("dimension"))
        spoken = LanguageVariety.objects.filter(raters__project=project).order_by("id").distinct()
        dimensions = {question.dimension_id: question.dimension for question in questions}
        return RatingNames(
            {pk: (one.slug, one.label) for pk, one in dimensions.items()},
            {one.pk: (one.slug, one.label) for one in questions},
            {one.pk: one.dimension_id for one in questions},
            setups_named(project),
            {variety.pk: project.calls(variety) for variety in spoken},
        )

    def dimension(self, one: int) -> tuple[str, dict[str, str]]:
        if one == ALL:
            return _("All dimensions"), {}
        slug, label = self.names.own.dimensions[one]
        return label, {"dimension": slug}

    def question(self, one: int) -> tuple[str, str, dict[str, str]]:
        """Labels of dimension and question type, and the filters of its responses."""
        names: RatingNames = self.names.own
        slug, label = names.questions[one]
        return names.dimensions[names.dimension_of[one]][1], label, {"question": slug}

    def gold_rule(self) -> str:
        return GOLD[self.context.gold_rule]

    def size(self, group: str) -> tuple[int, int]:
        """Items that people graded, and the people."""
        if "raters" in self.figures:
            return self.total("raters")["size"]
        figures: Sequence[Figure] = self.total("people").get((DIMENSION, ALL), ())
        return (int(figures[-2].number), int(figures[-1].number)) if figures else (0, 0)
