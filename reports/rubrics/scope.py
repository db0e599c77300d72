"""What a reader may narrow figures of rubrics and lists of graded responses by."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from projects.models import Vocabulary
from projects.vocabularies import words
from reports.dashboard.project_contents import graders
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
from reports.rubrics.tags import tags_of
from rubrics.models import Scope as Domain

#: In the order in which figures count them, and as they are stored.
DOMAINS = (Domain.CULTURAL.value, Domain.LINGUISTICS.value)


@dataclass(frozen=True)
class Narrowed(Scope):
    """domain  the scope that a rubric was written in. tag  of criteria: scores are of these alone."""

    variety: str = by_variety(_("Community"))
    domain: str = one_of(
        _("Domain"),
        Domain.choices,
        "cultural or linguistics: rubrics of this scope alone",
        values=DOMAINS,
        problem=_("The domain is cultural or linguistics."),
    )
    model: str = by_model()
    tag: str = declared(
        _("Tag"),
        "tag of criteria: scores are of the criteria with it alone, responses those with something to reach under it",
        choices=lambda project, state: [(tag, tag) for tag in tags_of(project, state)],
    )
    judge: str = by_judge(graders)


@dataclass(frozen=True)
class RubricScope(Narrowed):
    """baseline  the community whose rates others are divided by."""

    baseline: str = by_variety(
        _("Rates divided by those of"),
        "tag of the variety whose failure rates the others are divided by; without it the one with fewer errors",
        use=COMPARES,
        nothing=CHOSEN_FOR_YOU,
    )


@dataclass(frozen=True)
class GradedScope(Narrowed):
    """What the list of graded responses is narrowed by; see `listing.selected`."""

    rater: str = by_person(graders, _("Graded by"))
    failure: str = declared(
        _("With the error"), choices=lambda project, state: words(project, Vocabulary.FAILURE_TYPE).choices()
    )
