"""What part of a project's ratings figures are made of, and what is set side by side."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.utils.translation import gettext as _

from projects.models.templates import Split
from projects.problems import Invalid, Problem


@dataclass(frozen=True)
class Scope:
    """Everything a reader may narrow, empty keeps all; and the two that are compared, empty leaves the choice to us.

    variety    tag of the one setting.
    dimension  slug of the one dimension; question  slug of the one question type.
    split      "train", "validation" or "test": prompts whose template stands there.
    judge      name or pseudonym of the one judge; people's figures stay.
    setup, other_setup  names or pseudonyms of two judges, the first less the second.
    model, other_model  names of two target models, the first against the second.
    """

    variety: str = ""
    dimension: str = ""
    question: str = ""
    split: str = ""
    judge: str = ""
    setup: str = ""
    other_setup: str = ""
    model: str = ""
    other_model: str = ""

    @classmethod
    def of(cls, filters: Mapping[str, Any] | None) -> "Scope":
        """Checked scope of what stands in an address or was given to a command; empty values count as not given.

        Raises projects.problems.Invalid naming each filter that is unknown or has no such value.
        """
        given = {name: value for name, value in (filters or {}).items() if value not in ("", None)}
        problems = [
            Problem("unknown_filter", _("There is no such filter."), name) for name in given if name not in FILTERS
        ]
        if given.get("split", Split.TEST) not in Split.values:
            problems.append(Problem("unknown_value", _("The split is train, validation or test."), "split"))
        if problems:
            raise Invalid(problems)
        return cls(**given)

    @property
    def filters(self) -> dict[str, str]:
        """Which part of the data, as a recipe says it."""
        chosen = {name: getattr(self, name) for name in NARROWING}
        return {name: value for name, value in chosen.items() if value}

    @property
    def of_a_setting(self) -> tuple:
        """What the figures of one setting depend on: all but the choice of settings and of what is compared."""
        return (self.dimension, self.question, self.split, self.judge)


FILTERS = tuple(field.name for field in fields(Scope))
NARROWING = FILTERS[:5]
SETUPS, MODELS = FILTERS[5:7], FILTERS[7:]
