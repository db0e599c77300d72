"""Setting up a target model in a project: the provider that is asked, or people's hands where there is none."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from judging.collecting.configured import check_settings
from judging.models import TargetEndpoint
from projects.audit import record
from projects.models import Laboratory, Project, TargetModel, User
from projects.problems import Invalid, Problem
from providers.laboratories import laboratory_row, mappings, resolve, unknown_laboratory
from providers.model_names import canonical, laboratory_of
from providers.models import Provider

# What a lead may have sent with each prompt. `system` is the one that adds a message.
PARAMETERS = ("system", "temperature", "top_p", "max_tokens", "seed", "reasoning_effort")


def add_endpoint(
    project: Project,
    provider: Provider,
    model: str,
    *,
    name: str = "",
    parameters: dict[str, Any] | None = None,
    by: User | None = None,
) -> TargetEndpoint:
    """A target model that is asked through a provider. `name` is how tables call it; the model's own where empty.

    Raises Invalid where nobody knows the laboratory behind the model, the project has the target model already, or its
    configuration says otherwise what is sent.
    """
    sent = {key: value for key, value in (parameters or {}).items() if value not in (None, "")}
    if unknown := set(sent) - set(PARAMETERS):
        raise Invalid(Problem("parameter_unknown", _("Unknown parameter: %(name)s") % {"name": min(unknown)}))
    laboratory = resolve(model, provider)
    check_settings(project, name or model, sent)
    return add(project, name or model, laboratory, by, provider=provider, model=model, parameters=sent)


def add_by_hand(
    project: Project, name: str, *, laboratory: Laboratory | None = None, by: User | None = None
) -> TargetEndpoint:
    """A target model whose responses people paste.

    `laboratory` is for a model whose name does not tell it. Raises Invalid where it is known neither way, where it
    contradicts the name, or where the project has the target model already.
    """
    by_name = laboratory_of(name, mappings())
    if by_name is None and laboratory is None:
        raise Invalid(Problem("laboratory_unknown", unknown_laboratory(name), "laboratory"))
    if by_name and laboratory and canonical(laboratory.slug) != by_name:
        message = _("The name tells of another laboratory: %(laboratory)s.")
        raise Invalid(
            Problem("laboratory_differs", message % {"laboratory": laboratory_row(by_name).name}, "laboratory")
        )
    return add(project, name, by_name or canonical(laboratory.slug if laboratory else ""), by)


def add(project: Project, name: str, laboratory: str, by: User | None, **fields: Any) -> TargetEndpoint:
    with transaction.atomic():
        row = laboratory_row(laboratory)
        target, _created = TargetModel.objects.get_or_create(name=name, defaults={"laboratory": row})
        if canonical(target.laboratory.slug) != laboratory:
            message = _("A target model “%(name)s” of another laboratory (%(laboratory)s) is known already.")
            known = {"name": name, "laboratory": target.laboratory.name}
            raise Invalid(Problem("laboratory_differs", message % known, "name"))
        if TargetEndpoint.objects.filter(project=project, target_model=target).exists():
            message = _("This project has the target model “%(name)s” already.")
            raise Invalid(Problem("name_taken", message % {"name": name}, "name"))
        endpoint = TargetEndpoint.objects.create(project=project, target_model=target, **fields)
        record(
            "target.added", actor=by, project=project, subject=name, model=endpoint.model, by_hand=endpoint.is_by_hand
        )
    return endpoint


def remove(endpoint: TargetEndpoint, by: User | None = None) -> bool:
    """Take away a target model that nothing was asked of and nothing pasted for; False where something was."""
    with transaction.atomic():
        locked = TargetEndpoint.objects.select_for_update().get(pk=endpoint.pk)
        if locked.calls.exists() or locked.runs.exists():
            return False
        record("target.removed", actor=by, project=endpoint.project, subject=endpoint.target_model.name)
        locked.delete()
    return True
