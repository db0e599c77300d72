"""What a reader may narrow a board by: questions of one skill, kind of source or format, models of one size class."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.utils.translation import gettext_lazy as _

from formats.choices import QuestionFormat, SizeClass
from projects.models import Project
from projects.problems import Invalid, Problem
from reports.dashboard.scope import Scope, declared, one_of
from reports.leaderboard.reader import NATIVE, TRANSLATED, board_of, set_of

SIZES = SizeClass.choices
SOURCES = ((TRANSLATED, _("Translated")), (NATIVE, _("Written in the language")))


def skills_of(project: Project, _state: Any) -> Sequence[tuple[str, str]]:
    question_set = set_of(project, board_of(project))
    return [] if question_set is None else list(question_set.skills.values_list("slug", "name"))


@dataclass(frozen=True)
class BoardScope(Scope):
    skill: str = declared(_("Skill"), "slug of the one skill to keep", choices=skills_of)
    size: str = one_of(
        _("Size class"),
        SIZES,
        "nano, small, medium, large or undisclosed: models of that class, ranked among themselves",
        values=[size for size, _label in SIZES],
        problem=_("There is no such size class."),
    )
    source: str = one_of(
        _("Source"),
        SOURCES,
        "translated or native: questions of such sources",
        values=[source for source, _label in SOURCES],
        problem=_("A source is translated or native."),
    )
    format: str = one_of(
        _("Format"),
        QuestionFormat.choices,
        "format of the questions to keep",
        values=QuestionFormat.values,
        problem=_("There is no such format of questions."),
    )

    @classmethod
    def within(cls, project: Project, filters: Mapping[str, Any]) -> Self:
        """As `of`, for whoever names a skill without a list to choose from: raises Invalid for one that the set does
        not have, which would be a board of no questions."""
        scope = cls.of(filters)
        if scope.skill and scope.skill not in dict(skills_of(project, None)):
            raise Invalid(Problem("unknown_value", str(_("There is no such skill.")), "skill"))
        return scope
