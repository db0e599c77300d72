"""Whose model a response is of: the laboratory as the project has it, else the installation's. Asked here alone."""

from django.db import transaction
from django.db.models import BigIntegerField, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from projects.audit import record
from projects.models import Laboratory, ModelLaboratory, Project, Response, TargetModel, User


def laboratory_slug(target_model: str = "target_model", project: str = "project") -> Coalesce:
    """An expression for rows that lead to a target model and to their project by these paths."""
    of_project = ModelLaboratory.objects.filter(project=OuterRef(project), target_model=OuterRef(target_model))
    return Coalesce(Subquery(of_project.values("laboratory__slug")), F(f"{target_model}__laboratory__slug"))


def laboratory_name(target_model: str = "target_model", project: str = "project") -> Coalesce:
    """As `laboratory_slug`, the name that people read."""
    of_project = ModelLaboratory.objects.filter(project=OuterRef(project), target_model=OuterRef(target_model))
    return Coalesce(Subquery(of_project.values("laboratory__name")), F(f"{target_model}__laboratory__name"))


def laboratory_id(target_model: str = "target_model", project: str = "project") -> Coalesce:
    """As `laboratory_slug`, its id."""
    of_project = ModelLaboratory.objects.filter(project=OuterRef(project), target_model=OuterRef(target_model))
    return Coalesce(
        Subquery(of_project.values("laboratory")), F(f"{target_model}__laboratory"), output_field=BigIntegerField()
    )


def laboratory_of(project: Project, model: TargetModel) -> Laboratory:
    """Of one model; for many, ask with an expression or by `laboratories_of`."""
    rows = ModelLaboratory.objects.filter(project=project, target_model=model).select_related("laboratory")
    own = rows.first()
    return own.laboratory if own else model.laboratory


def laboratories_of(project: Project) -> dict[int, int]:
    """Target model to laboratory, by id, of the models for which the project has a laboratory of its own."""
    return dict(ModelLaboratory.objects.filter(project=project).values_list("target_model_id", "laboratory_id"))


def laboratory_slugs(project: Project) -> dict[int, str]:
    """The same with the short names of the laboratories."""
    return dict(ModelLaboratory.objects.filter(project=project).values_list("target_model_id", "laboratory__slug"))


def models_of(project: Project) -> QuerySet[TargetModel]:
    """The target models that have answered in the project, by name."""
    answered = Response.objects.filter(project=project, target_model=OuterRef("pk"))
    return TargetModel.objects.filter(Exists(answered)).select_related("laboratory").order_by("name")


def settle(project: Project, model: TargetModel, laboratory: Laboratory, by: User | None) -> None:
    """From now on the model is of this laboratory in this project; no other project is touched."""
    with transaction.atomic():
        if laboratory.pk == model.laboratory_id:
            ModelLaboratory.objects.filter(project=project, target_model=model).delete()
        else:
            ModelLaboratory.objects.update_or_create(
                project=project, target_model=model, defaults={"laboratory": laboratory}
            )
        record("laboratory.settled", actor=by, project=project, subject=model.name, laboratory=laboratory.slug)
