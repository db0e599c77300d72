"""What a model of a benchmark is really asked with: what its configuration says, and nothing else."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.answering import configuration_for
from benchmark.card_rules import NOT_SAMPLING
from benchmark.models import Configuration
from benchmark.presets import BENCHMARK
from benchmark.sending import Collector, is_asked, parameters_of
from judging.models import CollectionCall, CollectionState, TargetEndpoint
from projects.models import Project, TargetModel
from projects.problems import Invalid, Problem

#: Calls that have brought nothing and will not: what they were asked with binds nobody.
WITHOUT_ANSWER = (CollectionState.FAILED, CollectionState.CANCELLED)


def sent_with(endpoint: TargetEndpoint) -> dict[str, Any]:
    """The parameters that go with every prompt: those of the configuration, else those set at the target model."""
    return parameters_for(endpoint, configuration_for(endpoint.project, endpoint.target_model))


def parameters_for(endpoint: TargetEndpoint, configuration: Configuration | None) -> dict[str, Any]:
    """As `sent_with`, where the configuration of the endpoint's model is at hand, or known to be none."""
    if configuration is None or not is_asked(configuration):
        return dict(endpoint.parameters)
    return parameters_of(configuration)


def hold_configuration(endpoint: TargetEndpoint) -> Configuration | None:
    """The configuration of a model that is about to be asked, held until the transaction ends: nobody changes it while
    calls are laid out. Raises Invalid where what it says cannot be sent."""
    rows = Configuration.objects.select_for_update(of=("self",))
    row = rows.filter(project=endpoint.project_id, target_model=endpoint.target_model_id).first()
    if row is None:
        return None
    if not is_asked(row):
        message = _("“%(name)s” is a baseline or holds anchor answers: no model is asked for it.")
        raise Invalid(Problem("not_asked", message % {"name": row.name}))
    if names := sorted(set(row.sampling) & set(NOT_SAMPLING)):
        message = _(
            "The sampling of the configuration “%(name)s” holds %(fields)s, which cannot be sent so. Make another "
            "configuration that says it in the fields for it."
        )
        raise Invalid(Problem("not_sampling", message % {"name": row.name, "fields": ", ".join(names)}))
    return row


def check_settings(project: Project, name: str, parameters: Mapping[str, Any]) -> None:
    """Raises Invalid where a target model is to be added with settings that its configuration contradicts."""
    row = Configuration.objects.filter(project=project, target_model__name=name).first()
    if row is None or not parameters or dict(parameters) == parameters_for(TargetEndpoint(), row):
        return
    message = _(
        "The configuration “%(name)s” says what is sent beside the prompt. Leave these settings empty; for others, "
        "make another configuration."
    )
    raise Invalid(Problem("configuration_says", message % {"name": row.name}))


def collectors(project: Project, target_model: TargetModel | None) -> Iterable[Collector]:
    """The target models of a project as its configurations see them, in one statement."""
    now = timezone.now()
    calls = CollectionCall.objects.filter(endpoint=OuterRef("pk"))
    # While a worker drains a run that was cancelled, what is in flight may yet come back.
    draining = Q(state=CollectionState.CANCELLED, shard__job__due_at__gt=now)
    rows = TargetEndpoint.objects.filter(project=project).select_related("target_model__laboratory", "provider")
    rows = rows.annotate(has_asked=Exists(calls.filter(~Q(state__in=WITHOUT_ANSWER) | draining)))
    for row in rows if target_model is None else rows.filter(target_model=target_model):
        through = f"{row.provider.name} · {row.model}" if row.provider else ""
        address = reverse("target", args=[project.slug, row.pk])
        yield Collector(row.target_model, through, address, row.parameters, row.has_asked)


# --- What pages and commands say ---


def lacks_configuration(endpoint: TargetEndpoint) -> bool:
    """Whether a benchmark has no row for what this model answers."""
    return waits_for_set(endpoint.project) and configuration_for(endpoint.project, endpoint.target_model) is None


def no_configuration(endpoint: TargetEndpoint) -> str:
    """For the command line."""
    message = _(
        "%(model)s has no configuration: its answers stand on no board. Add one on the page %(page)s; answers that "
        "come before are received then."
    )
    page = reverse("configuration-add", args=[endpoint.project.slug]) + f"?target={endpoint.target_model_id}"
    return message % {"model": endpoint.target_model.name, "page": page}


def waits_for_set(project: Project) -> bool:
    """Whether prompts wait for a question set to be frozen; otherwise for their rubrics."""
    return project.preset == BENCHMARK.slug or project.question_sets.exists()
