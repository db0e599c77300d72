"""Answers of judges about models of their own laboratory. None is asked for. They come with imported studies, and where
a model's laboratory is settled after it was judged: they stand in the project, marked, and figures leave them out, but
for those that are of them (reports/dashboard/self_preference.py). What several judges as one said is such an answer
where one of its members is of the model's laboratory."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from django.db.models import BigIntegerField, Count, F, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from projects.among import Among
from projects.laboratories import laboratory_id, models_of
from projects.models import Laboratory, ModelLaboratory, PanelLaboratory, Project, Rater, RaterKind, TargetModel


@dataclass(frozen=True)
class Judged:
    """A table of answers that judges give about target models.

    name    as revisions of answers call it. answers  the model, with a `rater`.
    models  paths from an answer to each target model that it is about.
    apart   a condition on answers that are about no model at all, whatever the paths lead to.
    """

    name: str
    answers: type[Model]
    models: tuple[str, ...]
    apart: Callable[[Project], Q] | None = None

    def count(self, project: Project, laboratory: int, models: Collection[int]) -> Counter[int]:
        """By judge (id) of this laboratory, its answers about any of these models (ids)."""
        judges = {"rater__project": project, "rater__kind": RaterKind.JUDGE, "rater__laboratory": laboratory}
        rows = self._rows_about(project, models).filter(**judges).order_by()
        return Counter(dict(rows.values_list("rater").annotate(n=Count("pk"))))

    def count_of(self, project: Project, judge: int, models: Collection[int]) -> Counter[int]:
        """The same of one judge (id), whatever its laboratory."""
        n = self._rows_about(project, models).filter(rater=judge).count()
        return Counter({judge: n} if n else {})

    def _rows_about(self, project: Project, models: Collection[int]) -> QuerySet[Model]:
        about = Q()
        for path in self.models:
            about |= Q(**{f"{path}__in": Among(models)})
        rows = self.answers._default_manager.filter(about)
        return rows.exclude(self.apart(project)) if self.apart else rows


_judged: dict[str, Judged] = {}


def is_own(rater: Rater, model: TargetModel, here: Mapping[int, int]) -> bool:
    """Whether the rater is a judge of the laboratory behind the model; `here` as of
    `projects.laboratories.laboratories_of` the project."""
    return rater.laboratory_id is not None and rater.laboratory_id == here.get(model.pk, model.laboratory_id)


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
    for panel, of_it in own_of_panels(project).items():
        counted += _judged[name].count_of(project, panel, of_it & set(models))
    return dict(sorted(counted.items()))


def touched(project: Project, model: TargetModel, laboratory: Laboratory) -> list[tuple[str, int]]:
    """Name of each judge that figures would do without, and how many of its answers, if the model were of this
    laboratory; of all areas together, by name."""
    counted: Counter[int] = Counter()
    members = PanelLaboratory.objects.filter(rater__project=project, target_model=model, laboratory=laboratory)
    panels = list(members.order_by("rater_id").values_list("rater_id", flat=True))
    for each in _judged.values():
        counted += each.count(project, laboratory.pk, [model.pk])
        for panel in panels:
            counted += each.count_of(project, panel, [model.pk])
    names = dict(Rater.objects.filter(pk__in=Among(counted)).values_list("pk", "name"))
    return sorted((names[judge], n) for judge, n in counted.items())


def own_of_panels(project: Project | int) -> dict[int, set[int]]:
    """By judge that is several as one, the target models of whose laboratory, as the project has it, one of its members
    is; ids. Panels without any are left out. One statement."""
    here = laboratory_id("target_model", "rater__project")
    rows = PanelLaboratory.objects.filter(rater__project=project).annotate(here=here).filter(here=F("laboratory_id"))
    found: dict[int, set[int]] = {}
    for rater, model in rows.order_by("rater_id", "target_model_id").values_list("rater_id", "target_model_id"):
        found.setdefault(rater, set()).add(model)
    return found


def own_models(project: Project, judges: Mapping[int, int | None]) -> dict[int, dict[int, str]]:
    """By judge, the models of its own laboratory that have answered in the project, id to name; judges to laboratories,
    by id, None of several judges as one. Up to two statements, none without judges."""
    wanted = {laboratory for laboratory in judges.values() if laboratory is not None}
    of_panels = own_of_panels(project) if None in judges.values() else {}
    if not wanted and not of_panels:
        return {}
    of_members = set().union(*of_panels.values())
    models = models_of(project).order_by().annotate(here=_laboratory_here(project))
    names: dict[int, str] = {}
    of_laboratory: dict[int, dict[int, str]] = {}
    for pk, name, laboratory in models.filter(Q(here__in=wanted) | Q(pk__in=Among(of_members))).values_list(
        "pk", "name", "here"
    ):
        names[pk] = name
        of_laboratory.setdefault(laboratory, {})[pk] = name
    return {
        judge: {pk: names[pk] for pk in of_panels.get(judge, ()) if pk in names}
        if laboratory is None
        else of_laboratory.get(laboratory, {})
        for judge, laboratory in judges.items()
    }


def about_own(project: Project, raters: Collection[int], *models: str) -> Q:
    """A condition on answers of these raters (ids): they are about a model of the rater's own laboratory. models  paths
    from an answer to each target model that it is about. Two statements, three where a rater is several judges."""
    judges = Rater.objects.filter(project=project, pk__in=Among(raters), kind=RaterKind.JUDGE)
    found = Q(pk__in=())
    for judge, of_it in own_models(project, dict(judges.values_list("pk", "laboratory"))).items():
        for path in models if of_it else ():
            found |= Q(rater=judge, **{f"{path}__in": list(of_it)})
    return found


def laboratory_ids(project: Project, models: Collection[int]) -> dict[int, int]:
    """Target model to laboratory, by id, as the project has it."""
    return dict(TargetModel.objects.filter(pk__in=Among(models)).values_list("pk", _laboratory_here(project)))


def _laboratory_here(project: Project) -> Coalesce:
    """Of a target model, as the project has it."""
    of_project = ModelLaboratory.objects.filter(project=project, target_model=OuterRef("pk")).values("laboratory")
    return Coalesce(Subquery(of_project), F("laboratory"), output_field=BigIntegerField())
