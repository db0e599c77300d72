"""Runs of target models: what they would ask and cost, and laying them out. What is done with a run afterwards is in
`judging/engine/runs.py` and `judging/engine/run_sets.py`, as for any run."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.collecting.calling import Setup, worst_case
from judging.collecting.configured import hold_configuration
from judging.collecting.endpoints import check_replicates
from judging.collecting.planning import ALL, REPLICATES, Part, Plan, plan
from judging.collecting.questions import TAKES_OVER, planned_prompts, setup_of
from judging.collecting.system_prompts import SYSTEM_PROMPTS, texts_of
from judging.engine.estimates import LOOKED_AT, Estimate, estimate_of, usage
from judging.engine.run_sets import check_limits
from judging.engine.runs import shard_groups, shards_of
from judging.models import CollectionCall, CollectionState, Run, RunSet, TargetEndpoint
from projects.among import Among
from projects.audit import record
from projects.collecting_gates import gate_of
from projects.insertion import insert_rows
from projects.models import Project, User
from projects.problems import Invalid, Problem
from providers.laboratories import guard_of

#: Columns of a call of which nothing came yet, without a default in the database.
UNASKED = {
    "state": CollectionState.PLANNED.value,
    "input_sha256": "",
    "raw_output": "",
    "problem": "",
    "reply_model": "",
    "finish_reason": "",
    "attempts": 0,
    "retries": 0,
    "controls": "[]",
}


def create_collections(
    project: Project,
    endpoints: Sequence[TargetEndpoint],
    money_limit: int | None = None,
    token_limit: int | None = None,
    *,
    takes_over: bool = False,
    part: Part = ALL,
    by: User | None = None,
) -> RunSet:
    """A set with a planned run for each target model that has something to ask; nothing is asked yet.

    `takes_over`: where the same was put to the same model at the same provider before, its response is taken over.
    `part`: some prompts alone, or another number of responses to each than is set for the model.

    Raises Invalid where nothing is left to ask, or where money is limited and a model has no price.
    """
    asked = [endpoint for endpoint in endpoints if not endpoint.is_by_hand]
    check_limits(asked, 1, money_limit, token_limit)
    with transaction.atomic():
        run_set = RunSet.objects.create(
            project=project, money_limit=money_limit, token_limit=token_limit, created_by=by
        )
        problems: list[Problem] = []
        for endpoint in endpoints:
            try:
                create_collection(endpoint, by, run_set, takes_over=takes_over, part=part)
            except Invalid as invalid:
                name = f"{endpoint}: " if len(endpoints) > 1 else ""
                problems += [Problem(p.code, f"{name}{p.message}", p.field) for p in invalid.problems]
        if not run_set.runs.exists():
            raise Invalid(problems or [Problem("no_models", _("Choose a target model at least."), "models")])
        limits = {"money": money_limit, "tokens": token_limit}
        record("run_set.created", actor=by, project=project, subject=run_set.uuid, takes_over=takes_over, **limits)
    return run_set


def create_collection(
    endpoint: TargetEndpoint,
    by: User | None = None,
    run_set: RunSet | None = None,
    *,
    takes_over: bool = False,
    part: Part = ALL,
) -> Run:
    """A planned run of a target model with its shards and calls; nothing is asked yet.

    Raises Invalid where the model has no API, its laboratory is unknown, what its configuration says cannot be sent, or
    nothing is left to ask.
    """
    if endpoint.provider is None:
        raise Invalid(Problem("by_hand", _("This model has no provider; its responses are pasted by hand.")))
    guard_of(endpoint.model, endpoint.provider)
    with transaction.atomic():
        # Two runs of one model planned at once would plan the same calls.
        TargetEndpoint.objects.select_for_update(of=("self",)).get(pk=endpoint.pk)
        hold_configuration(endpoint)
        check_replicates(endpoint.project, part.replicates or endpoint.replicates)
        planned = plan(endpoint, part)
        if not planned.size:
            raise Invalid(Problem("nothing_to_ask", nothing_to_ask(planned, endpoint.project)))
        texts = texts_of(endpoint)
        run = Run.objects.create(
            project_id=endpoint.project_id,
            endpoint=endpoint,
            run_set=run_set,
            unfrozen=planned.unfrozen,
            options=({TAKES_OVER: True} if takes_over else {})
            | ({SYSTEM_PROMPTS: texts} if texts else {})
            | ({REPLICATES: part.replicates} if part.replicates else {}),
            created_by=by,
        )
        lay_out(run, planned)
        model = endpoint.target_model.name
        record("run.created", actor=by, project=endpoint.project, subject=run.uuid, model=model, calls=planned.size)
    return run


def nothing_to_ask(planned: Plan, project: Project) -> str:
    gate = gate_of(project)
    if gate is None:
        message = _(
            "There is nothing to ask: %(answered)d prompts have a response of this model, %(asked)d were asked or are "
            "being asked. Import prompts, or ask for more responses to each."
        )
    elif gate.area == "leaderboard":
        message = _(
            "There is nothing to ask: %(answered)d prompts have a response of this model, %(asked)d were asked or are "
            "being asked, and %(unfrozen)d are in no frozen version of a question set."
        )
    else:
        message = _(
            "There is nothing to ask: %(answered)d prompts have a response of this model, %(asked)d were asked or are "
            "being asked, and %(unfrozen)d have no frozen rubric yet."
        )
    counted = {"answered": planned.answered, "asked": planned.asked.total(), "unfrozen": planned.unfrozen}
    if planned.unvalidated:
        waiting = ngettext(
            "%(n)d prompt waits for a native speaker.", "%(n)d prompts wait for a native speaker.", planned.unvalidated
        )
        message = f"{message} {waiting}"
        counted["n"] = planned.unvalidated
    return message % counted


def lay_out(run: Run, planned: Plan) -> None:
    """Write shards and calls: those that are new, and those that a cancelled run left."""
    # (prompt, number of its replicate) for a call to be made, (call, 0) for one that is there.
    asked = [*zip(planned.prompts, planned.replicates, strict=True), *((pk, 0) for pk in planned.taken_up)]
    groups = shard_groups(asked)
    shards = shards_of(run, groups)
    same = {"run": run.pk, "endpoint": run.endpoint_id, **UNASKED}
    rows = (
        (pk, replicate, shard.pk, *same.values())
        for shard, group in zip(shards, groups, strict=True)
        for pk, replicate in group
        if replicate
    )
    insert_rows(CollectionCall, ("prompt", "replicate", "shard", *same), rows)
    for shard, group in zip(shards, groups, strict=True):
        if taken_up := [pk for pk, replicate in group if not replicate]:
            left = CollectionCall.objects.filter(pk__in=Among(taken_up), state=CollectionState.CANCELLED)
            left.update(run=run, shard=shard, state=CollectionState.PLANNED)


@dataclass(frozen=True, slots=True)
class PlannedCollection:
    """What a target model would be asked, and what that costs; `estimate` is None where there is nothing to ask.
    `is_bounded` says whether the lead has set a limit to its answers: without one, costs have no certain end."""

    endpoint: TargetEndpoint
    plan: Plan
    estimate: Estimate | None = None
    is_bounded: bool = True


def planned_collection(endpoint: TargetEndpoint, part: Part = ALL) -> PlannedCollection:
    """Reads only. Raises Invalid where the laboratory of the model is not known."""
    planned = plan(endpoint, part)
    if endpoint.is_by_hand or not planned.size:
        return PlannedCollection(endpoint, planned)
    setup = setup_of(endpoint)
    return PlannedCollection(endpoint, planned, estimate(endpoint, planned, setup), setup.stated_limit is not None)


def estimate(endpoint: TargetEndpoint, planned: Plan, setup: Setup) -> Estimate:
    prepared = planned_prompts(setup, looked_at(planned), texts_of(endpoint))
    worst = [worst_case(setup, prompt) for prompt in prepared]
    ended = usage_of_like(endpoint)
    return estimate_of(planned.size, len(prepared), 0, prepared, worst, ended, setup.most_written, setup.price)


def looked_at(planned: Plan) -> list[int]:
    """Ids of prompts that lie evenly in a plan; of a plan of calls that are there, theirs."""
    prompts = planned.prompts or list(
        CollectionCall.objects.filter(pk__in=planned.taken_up[:LOOKED_AT]).values_list("prompt", flat=True)
    )
    return prompts[:: max(1, -(-len(prompts) // LOOKED_AT))]


def usage_of_like(endpoint: TargetEndpoint) -> list[tuple[int, int]]:
    """Tokens read and written by the newest calls of the same model at the same provider; none where they are too few
    to tell."""
    alike = CollectionCall.objects.filter(endpoint__provider=endpoint.provider_id, endpoint__model=endpoint.model)
    return usage(alike)
