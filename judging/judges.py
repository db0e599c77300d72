"""Setting up a judge: its model, the laboratory behind it, and the rater its answers belong to."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from judging.laboratories import laboratory_row, resolve
from judging.model_names import takes_temperature
from judging.models import Granularity, Judge, Provider, Target
from projects.audit import record
from projects.models import Project, Rater, RaterKind, User
from projects.problems import Invalid, Problem


def add_judge(
    project: Project,
    provider: Provider,
    model: str,
    *,
    name: str = "",
    kind: str = "spans",
    granularity: str = Granularity.PARAGRAPH,
    with_taxonomy: bool = False,
    target: str = Target.MASKED,
    own_temperature: bool = False,
    by: User | None = None,
    **settings: Any,
) -> Judge:
    """A new judge with its rater.

    `granularity` and `with_taxonomy` say how error spans are asked for, `target` whether one that grades by rubric
    is told which model it grades; other kinds have one way each. The temperature is 0, but with `own_temperature`,
    and for models that are known to refuse one, none is sent.
    Raises Invalid where nobody knows the laboratory behind the model, or the name is taken in the project.
    """
    laboratory = resolve(model, provider)
    if kind != "spans":
        granularity, with_taxonomy = Granularity.RESPONSE, False
    if kind == "rubric":
        settings["options"] = {**settings.get("options", {}), "target": str(target)}
    if own_temperature or not takes_temperature(model):
        settings["temperature"] = None
    name = name or default_name(model, kind, granularity, with_taxonomy, target)
    with transaction.atomic():
        if Rater.objects.filter(project=project, kind=RaterKind.JUDGE, name=name).exists():
            message = _("This project has a judge named “%(name)s” already. Choose another name.")
            raise Invalid(Problem("name_taken", message % {"name": name}, "name"))
        rater = Rater.objects.create(
            project=project,
            kind=RaterKind.JUDGE,
            name=name,
            model=model,
            laboratory=laboratory_row(laboratory),
            is_simulated=provider.is_simulated,
        )
        judge = Judge.objects.create(
            project=project,
            rater=rater,
            provider=provider,
            kind=kind,
            model=model,
            granularity=granularity,
            with_taxonomy=with_taxonomy,
            **settings,
        )
        record("judge.added", actor=by, project=project, subject=name, model=model, laboratory=laboratory)
    return judge


def default_name(model: str, kind: str, granularity: str, with_taxonomy: bool, target: str) -> str:
    """The model and how it is asked, so that two settings of one model are told apart in every table."""
    if kind == "rubric" and target == Target.SHOWN:
        return f"{model[:80]} (rubric, model named)"
    if kind != "spans":
        return f"{model[:80]} ({kind})"
    setting = "paragraph" if granularity == Granularity.PARAGRAPH else "whole"
    return f"{model[:80]} ({setting}{' + taxonomy' if with_taxonomy else ''})"
