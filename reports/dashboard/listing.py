"""What the lists of answers behind a figure share."""

from dataclasses import dataclass

import numpy as np

from projects.models import Project, Rater, RaterKind
from reports.dashboard.names import to_be_marked

PER_PAGE = 25


@dataclass(frozen=True)
class Judged:
    """One answer of a judge in a line of a list; an area adds what it says."""

    rater: Rater

    @property
    def is_simulated(self) -> bool:
        return to_be_marked(self.rater)


def number_or_none(value: float) -> float | None:
    """A cell of an array, None for NaN."""
    return None if np.isnan(value) else float(value)


def chosen_judge(project: Project, pseudonym: str) -> Rater | None:
    """The judge that a page of one response is narrowed to."""
    return project.raters.filter(kind=RaterKind.JUDGE, pseudonym=pseudonym).first()
