"""Answers of judges about models of their own laboratory. None is asked for and none imported; where a model's
laboratory is settled after it was judged they stand in the project, and figures leave them out."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import BigIntegerField, Count, F, Model, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from projects.among import Among
from projects.models import Laboratory, ModelLaboratory, Project, Rater, RaterKind, TargetModel


@dataclass(frozen=True)
class Judged:
    """A table of answers that judges give about target models.

    name    as revisions of answers call it. answers  the model, with a `rater`.
    models  paths from an answer to each target model that it is about.
    """

    name: str
    answers: type[Model]
    models: tuple[str, ...]

    def count(self, project: Project, laboratory: int, models: Collection[int]) -> Counter[int]:
        """By judge (id) of this laboratory, its answers about any of these models (ids)."""
        about = Q()
        for path in self.models:
            about |= Q(**{f"{path}__in": Among(models)})
        judges = {"rater__project": project, "rater__kind": RaterKind.JUDGE, "rater__laboratory": laboratory}
        rows = self.answers._default_manager.filter(about, **judges).order_by()
        return Counter(dict(rows.values_list("rater").annotate(n=Count("pk"))))


_judged: dict[str, Judged] = {}


def register(table: Judged) -> None:
    _judged[table.name] = table


def count_left_out(project: Project, name: str, models: Collection[int]) -> dict[int, int]:
    """By judge (id), its answers of this table about those of these target models (ids) that are its laboratory's."""
    judges = Rater.objects.filter(project=project, kind=RaterKind.JUDGE).exclude(laboratory=None)
    laboratories = set(judges.order_by().values_list("laboratory", flat=True).distinct())
    by_laboratory: dict[int, set[int]] = {}
    for model, laboratory in laboratory_ids(project, models).items() if laboratories else ():
        if laboratory in laboratories:
            by_laboratory.setdefault(laboratory, set()).add(model)
    counted: Counter[int] = Counter()
    for laboratory, of_it in sorted(by_laboratory.items()):
        counted += _judged[name].count(project, laboratory, of_it)
    return dict(sorted(counted.items()))


def touched(project: Project, model: TargetModel, laboratory: Laboratory) -> list[tuple[str, int]]:
    """Name of each judge that figures would do without, and how many of its answers, if the model were of this
    laboratory; of all areas together, by name."""
    counted: Counter[int] = Counter()
    for each in _judged.values():
        counted += each.count(project, laboratory.pk, [model.pk])
    names = dict(Rater.objects.filter(pk__in=Among(counted)).values_list("pk", "name"))
    return sorted((names[judge], n) for judge, n in counted.items())


def laboratory_ids(project: Project, models: Collection[int]) -> dict[int, int]:
    """Target model to laboratory, by id, as the project has it."""
    of_project = ModelLaboratory.objects.filter(project=project, target_model=OuterRef("pk")).values("laboratory")
    here = Coalesce(Subquery(of_project), F("laboratory"), output_field=BigIntegerField())
    return dict(TargetModel.objects.filter(pk__in=Among(models)).values_list("pk", here))
