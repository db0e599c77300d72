"""The rows that name the import they came with: in which order they go, and what keeps them.

An importer names them (`Importer.rows`); those of items are what is left unsaid.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from projects.among import Among
from projects.chunks import in_chunks
from projects.models import Import, Prompt, Rater, Response, ResponsePair
from projects.problems import Problem

#: What is called once the rows are gone, and says how many other rows went with them, by their names.
Afterwards = Callable[[], dict[str, int]]


def relations_of(model: type[Model]) -> list[Any]:
    """The foreign keys of whatever rests on a row of the model; not those to an earlier version of itself."""
    return [each.field for each in model._meta.related_objects if each.related_model is not model]


def rested_on(model: type[Model], ids: Iterable[int], but: Collection[Any] = ()) -> set[int]:
    """Those of the rows that anything rests on: an answer, planned work, a call, a pair; `but` what these keys say."""
    found: set[int] = set()
    for some in in_chunks(ids):
        for field in (each for each in relations_of(model) if each not in but):
            rows = field.model._default_manager.filter(**{f"{field.name}__in": some})
            found |= set(rows.values_list(field.name, flat=True).distinct())
    return found


def resting(model: type[Model], count: int, what: type[Model]) -> Problem:
    """That so many rows of `what` keep rows of the model where they are."""
    names = {"count": count, "what": what._meta.verbose_name_plural}
    return Problem("rested_on", _("%(count)d %(what)s rest on it.") % names, str(model._meta.verbose_name))


def remove_strangers(raters: Iterable[int]) -> dict[str, int]:
    """Raters (ids) without an account who have said nothing else go: nobody would know why they stand there."""
    nameless = set(Rater.objects.filter(user=None, pk__in=Among(raters)).values_list("pk", flat=True))
    gone = nameless - rested_on(Rater, nameless)
    for chunk in in_chunks(gone):
        Rater.objects.filter(pk__in=chunk).delete()
    return {str(Rater._meta.verbose_name_plural): len(gone)}


@dataclass(frozen=True)
class CameWith:
    """The rows of a model, with the way from one to its import."""

    model: type[Model]
    path: str = "came_with"

    def of(self, brought: Import) -> QuerySet:
        return self.model._default_manager.filter(**{self.path: brought})


class RowsOf:
    """Rows of these models, which go in this order: what rests on others first."""

    models: tuple[CameWith, ...]

    def __init__(self, *models: CameWith) -> None:
        self.models = models

    def what_rests_on(self, brought: Import) -> list[Problem]:
        """Why they cannot be taken back: what of the project's rests on them, and did not come with them."""
        return self.resting_by_keys(brought)

    def resting_by_keys(self, brought: Import) -> list[Problem]:
        """By the foreign keys of all other rows to these."""
        own = {each.model: each for each in self.models}
        problems = []
        for each in self.models:
            ids = each.of(brought).values("pk")
            for field in self.kept_by(each.model):
                rows = field.model._default_manager.filter(**{f"{field.name}__in": ids})
                if field.model in own:
                    rows = rows.exclude(**{own[field.model].path: brought})
                count = rows.distinct().count()
                if count:
                    problems.append(resting(each.model, count, field.model))
        return problems

    def kept_by(self, model: type[Model]) -> list[Any]:
        """The foreign keys by which a row of the model is kept."""
        return relations_of(model)

    def before(self, brought: Import) -> Afterwards:
        """Loosen what refers to the rows; they go then."""
        return dict


class RowsOfItems(RowsOf):
    """Prompts, responses and pairs."""

    def __init__(self) -> None:
        super().__init__(CameWith(ResponsePair), CameWith(Response), CameWith(Prompt))

    def what_rests_on(self, brought: Import) -> list[Problem]:
        problems = super().what_rests_on(brought)
        later = Response.objects.filter(earlier__came_with=brought).exclude(came_with=brought)
        if later.exists():
            problems.append(Problem("rested_on", _("Later versions of its responses are in the project.")))
        return problems

    def before(self, brought: Import) -> Afterwards:
        Response.objects.filter(came_with=brought).update(earlier=None)
        return dict
