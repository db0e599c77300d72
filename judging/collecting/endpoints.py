"""Setting up a target model in a project: the provider that is asked, or people's hands where there is none."""

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from benchmark.presets import BENCHMARK
from judging.collecting.configured import check_settings
from judging.collecting.system_prompts import problem_of
from judging.models import MAX_REPLICATES, TargetEndpoint
from projects.audit import record
from projects.collecting_gates import gates_of
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
    replicates: int = 1,
    by: User | None = None,
) -> TargetEndpoint:
    """A target model that is asked through a provider, `replicates` times each prompt. `name` is how tables call it;
    the model's own where empty. Its own `system` may hold placeholders (system_prompts.py).

    Raises Invalid where nobody knows the laboratory behind the model, the project has the target model already, or its
    configuration says otherwise what is sent.
    """
    sent = {key: value for key, value in (parameters or {}).items() if value not in (None, "")}
    if unknown := set(sent) - set(PARAMETERS):
        raise Invalid(Problem("parameter_unknown", _("Unknown parameter: %(name)s") % {"name": min(unknown)}))
    if problem := problem_of(sent.get("system", "")):
        raise Invalid(problem)
    check_replicates(project, replicates)
    laboratory = resolve(model, provider)
    check_settings(project, name or model, sent)
    how = {"parameters": sent, "replicates": replicates}
    return add(project, name or model, laboratory, by, provider=provider, model=model, **how)


def add_by_hand(
    project: Project,
    name: str,
    *,
    laboratory: Laboratory | None = None,
    replicates: int = 1,
    by: User | None = None,
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
    check_replicates(project, replicates)
    return add(project, name, by_name or canonical(laboratory.slug if laboratory else ""), by, replicates=replicates)


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


def check_replicates(project: Project, replicates: int) -> None:
    """Raises Invalid for a number out of range, and for several where a question set takes one answer."""
    if not 1 <= replicates <= MAX_REPLICATES:
        message = _("A model is asked each prompt from 1 to %(limit)d times.") % {"limit": MAX_REPLICATES}
        raise Invalid(Problem("replicates", message, "replicates"))
    if replicates > 1 and any(gate.area == BENCHMARK.area_name for gate in gates_of(project)):
        message = _("A question set takes one answer of a model to each question. Add another configuration instead.")
        raise Invalid(Problem("one_answer", message, "replicates"))


def set_replicates(endpoint: TargetEndpoint, replicates: int, by: User | None = None) -> bool:
    """Say how many responses to each prompt are wanted; whether that is another number than before.

    Raises Invalid where it may not be so many, or where more were asked for already.
    """
    with transaction.atomic():
        locked = TargetEndpoint.objects.select_for_update(of=("self",)).get(pk=endpoint.pk)
        check_replicates(endpoint.project, replicates)
        asked = locked.calls.aggregate(most=Max("replicate"))["most"] or 1
        if replicates < asked:
            message = _("It was asked %(n)d times for some prompts already. What was asked stays.") % {"n": asked}
            raise Invalid(Problem("asked_already", message, "replicates"))
        if locked.replicates == replicates:
            return False
        locked.replicates = endpoint.replicates = replicates
        locked.save(update_fields=["replicates"])
        name = endpoint.target_model.name
        record("target.replicates", actor=by, project=endpoint.project, subject=name, replicates=replicates)
    return True


def remove(endpoint: TargetEndpoint, by: User | None = None) -> bool:
    """Take away a target model that nothing was asked of and nothing pasted for; False where something was."""
    with transaction.atomic():
        locked = TargetEndpoint.objects.select_for_update().get(pk=endpoint.pk)
        if locked.calls.exists() or locked.runs.exists():
            return False
        record("target.removed", actor=by, project=endpoint.project, subject=endpoint.target_model.name)
        locked.delete()
    return True
