"""What part of a project's grades figures are made of."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem
from rubrics.models import Scope as Domain

#: In the order in which figures count them, and as they are stored.
DOMAINS = (Domain.CULTURAL.value, Domain.LINGUISTICS.value)


@dataclass(frozen=True)
class Scope:
    """Everything a reader may narrow; empty keeps all.

    variety  tag of the one setting (a community of speakers).
    domain   "cultural" or "linguistics": the scope its rubric was written in.
    model    name of the one target model.
    judge    name or pseudonym of the one judge; people's figures stay.
    """

    variety: str = ""
    domain: str = ""
    model: str = ""
    judge: str = ""

    @classmethod
    def of(cls, filters: Mapping[str, Any] | None) -> "Scope":
        """Checked scope of what stands in an address or was given to a command; empty values count as not given.

        Raises projects.problems.Invalid naming each filter that is unknown or has no such value.
        """
        given = {name: value for name, value in (filters or {}).items() if value not in ("", None)}
        problems = [
            Problem("unknown_filter", _("There is no such filter."), name) for name in given if name not in FILTERS
        ]
        if given.get("domain", DOMAINS[0]) not in DOMAINS:
            problems.append(Problem("unknown_value", _("The domain is cultural or linguistics."), "domain"))
        if problems:
            raise Invalid(problems)
        return cls(**given)

    @property
    def filters(self) -> dict[str, str]:
        """Which part of the data, as a recipe says it."""
        chosen = {name: getattr(self, name) for name in FILTERS}
        return {name: value for name, value in chosen.items() if value}

    @property
    def of_a_setting(self) -> tuple:
        """What the figures of one setting depend on: all but the choice of settings."""
        return (self.domain, self.model, self.judge)


FILTERS = tuple(field.name for field in fields(Scope))
