"""What a reader may narrow figures of ratings and lists of rated pairs by, and what is set side by side."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.models.templates import Split
from reports.dashboard.project_contents import raters_with_ratings
from reports.dashboard.scope import (
    CHOSEN_FOR_YOU,
    COMPARES,
    Scope,
    by_judge,
    by_model,
    by_person,
    by_variety,
    declared,
    one_of,
)


def compared_judge(label: Any, about: str) -> Any:
    return by_judge(raters_with_ratings, label, about, use=COMPARES, nothing=CHOSEN_FOR_YOU)


def compared_model(label: Any, about: str) -> Any:
    return by_model(label, about, "id", use=COMPARES, nothing=CHOSEN_FOR_YOU)


@dataclass(frozen=True)
class Narrowed(Scope):
    """Which part of the ratings is kept. split  prompts whose template stands there (projects/splits.py)."""

    variety: str = by_variety()
    dimension: str = declared(
        _("Dimension"),
        "slug of the one dimension to keep",
        choices=lambda project, state: [(one.slug, one.label) for one in project.dimensions.all()],
    )
    question: str = declared(
        _("Question type"),
        "slug of the one question type to keep",
        choices=lambda project, state: [(one.slug, one.label) for one in project.question_types.all()],
    )
    split: str = one_of(
        _("Split"),
        Split.choices,
        "train, validation or test: prompts whose template stands there",
        values=Split.values,
        problem=_("The split is train, validation or test."),
    )
    judge: str = by_judge(raters_with_ratings)


@dataclass(frozen=True)
class RatingScope(Narrowed):
    """With the two that are compared, the first less the second; empty leaves the choice to us."""

    setup: str = compared_judge(
        _("Compare judge"), "judge to compare; the best by preference accuracy if none is named"
    )
    other_setup: str = compared_judge(_("with judge"), "judge to compare it with; the next best if none is named")
    model: str = compared_model(_("Compare target model"), "target model to compare, or the one to keep")
    other_model: str = compared_model(_("with target model"), "target model to compare it with")


@dataclass(frozen=True)
class RatedScope(Narrowed):
    """What the list of rated pairs is narrowed by; see `listing.selected`."""

    model: str = by_model()
    rater: str = by_person(raters_with_ratings, _("Rated by"), order="pseudonym")
    outcome: str = one_of(
        _("Verdicts"),
        [
            ("missed", _("a judge prefers otherwise")),
            ("swayed", _("a judge changes its mind with the order")),
            ("unread", _("a judge could not be read")),
            ("apart", _("people differ by more than one grade")),
        ],
    )
