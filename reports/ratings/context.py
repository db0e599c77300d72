"""What figures of ratings depend on beside the ratings."""

from dataclasses import dataclass
from typing import Self

from annotation.models import RatingSettings, UnparseablePolicy
from projects.models import Project
from reports.dashboard.scope import BaseContext
from reports.ratings.scope import Narrowed

#: In place of an id: all dimensions, all question types.
ALL = 0
#: What a figure of people's grades is of.
DIMENSION, QUESTION = "dimension", "question"


@dataclass(frozen=True)
class Context(BaseContext):
    """The reader's scope and the project's rules."""

    scope: Narrowed
    gold_rule: str
    unparseable: str

    @classmethod
    def of(cls, project: Project, scope: Narrowed) -> Self:
        chosen = RatingSettings.objects.filter(project=project).first() or RatingSettings()
        return cls(scope, str(chosen.gold_rule), str(chosen.unparseable))

    @property
    def unparseable_grade(self) -> str:
        """The policy where a grade is asked for: a verdict that counts as a tie has no grade."""
        tie, excluded = UnparseablePolicy.TIE.value, UnparseablePolicy.EXCLUDED.value
        return excluded if self.unparseable == tie else self.unparseable
