"""Trying a model: one answered call, what it showed, and taking that over into what is known of the model."""

import asyncio
from typing import Any

from django.db import transaction
from django.utils import timezone

from projects.audit import record
from projects.models import User
from projects.problems import Invalid
from providers.capabilities import FLAGS, usual_token_limit
from providers.client import loop
from providers.client.endpoint import Endpoint
from providers.client.once import Answer, send
from providers.client.replies import storable
from providers.endpoints import endpoint
from providers.laboratories import guard_of, mappings
from providers.model_names import laboratory_of
from providers.models import ServedModel, TokenLimit
from providers.prices import Price
from providers.probing import Findings, Probe, kept_text, probe_model
from providers.waiting import count_attempt, release_database_connection, waiting_slot

# An administrator tries a few models in a row. Each try costs a call.
MAX_TRIES, WINDOW_SECONDS = 12, 300
MAX_PROBLEM = 600


def try_on_page(served: ServedModel, by: User) -> dict[str, Any]:
    """Try a model for somebody who waits. Raises providers.waiting.Busy, and as `try_model` does."""
    connected = endpoint(served.provider)
    count_attempt(f"try-model:{by.pk}", MAX_TRIES, WINDOW_SECONDS)
    with waiting_slot():
        return try_model(served, by, connected)


def try_model(served: ServedModel, by: User | None = None, connected: Endpoint | None = None) -> dict[str, Any]:
    """Ask the model once, in no more than the provider's time for one attempt in all, and keep what it showed.

    Returns what is kept in `ServedModel.found`. Raises providers.client.keys.KeyMissing where the provider's key is not
    set; then nothing was asked and what was found before stays.
    """
    connected = connected or endpoint(served.provider)
    limit = served.token_limit or usual_token_limit(laboratory(served) or "")
    release_database_connection()
    findings = loop.run(within_time(served.name, limit, connected)).result()
    result = as_json(served, findings)
    with transaction.atomic():
        ServedModel.objects.filter(pk=served.pk).update(found=result, tested_at=timezone.now())
        record(
            "model.tested",
            actor=by,
            project=None,
            subject=f"{served.name} at {served.provider}",
            problem=result["problem"].partition(":")[0],
            cost=result["cost"],
        )
    served.refresh_from_db()
    return result


async def within_time(model: str, limit: str, connected: Endpoint) -> Findings:
    async def ask(body: dict[str, Any]) -> Answer:
        return await send(connected, "POST", "/chat/completions", body=body)

    try:
        return await asyncio.wait_for(probe_model(model, limit, ask), connected.timeout_seconds)
    except TimeoutError:
        return Findings(Probe(model, limit), Answer(failure="timeout"))


def laboratory(served: ServedModel) -> str | None:
    """The laboratory behind the model, or None where nobody knows it: trying it may show who it is."""
    try:
        return guard_of(served.name, served.provider).laboratory
    except Invalid:
        return None


def as_json(served: ServedModel, findings: Findings) -> dict[str, Any]:
    """What is kept of a try, as JSON. Numbers that the provider did not say are None; `flags` holds what was seen."""
    reply = findings.reply
    return {
        "problem": storable(findings.problem, MAX_PROBLEM),
        "flags": {name: findings.flags[name] for name in FLAGS if name in findings.flags},
        "refused": findings.refused,
        "guessed": findings.guessed,
        "token_limit": findings.probe.limit if "limit" in findings.refused and not findings.problem else "",
        "requests": findings.requests,
        "latency_ms": reply.latency_ms if not findings.problem else None,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "reasoning_tokens": reply.reasoning_tokens,
        "cost": cost_of(served, reply.prompt_tokens, reply.completion_tokens),
        "fingerprint": storable(findings.fingerprint, 100),
        "answer": kept_text(reply),
        **who_answered(served, storable(reply.model, 200)),
    }


def who_answered(served: ServedModel, model: str) -> dict[str, Any]:
    """The reply's `model`, the laboratory that it resolves to, and whether a judge would take it for the one asked."""
    if not model:
        return {"model": "", "laboratory": None, "is_accepted": None}
    try:
        guard = guard_of(served.name, served.provider)
    except Invalid:
        return {"model": model, "laboratory": laboratory_of(model, mappings()), "is_accepted": None}
    is_accepted = guard.accepts_reply(model)
    by_name = laboratory_of(model, mappings(), guard.endpoint_laboratory)
    return {"model": model, "laboratory": guard.laboratory if is_accepted else by_name, "is_accepted": is_accepted}


def cost_of(served: ServedModel, prompt_tokens: int | None, completion_tokens: int | None) -> int | None:
    """Billionths of a US dollar, or None where the model has no price or the provider did not count tokens."""
    if served.input_price is None or served.output_price is None or prompt_tokens is None or completion_tokens is None:
        return None
    return Price.of(served.input_price, served.output_price).cost(prompt_tokens, completion_tokens)


def take_over_found(served: ServedModel, by: User | None = None) -> list[str]:
    """Make what the last test saw what is known of the model; the names of the fields that changed."""
    with transaction.atomic():
        row = ServedModel.objects.select_for_update().get(pk=served.pk)
        changed = [name for name, flag in known_by_test(row).items() if getattr(row, name) != flag]
        for name in changed:
            setattr(row, name, known_by_test(row)[name])
        row.save(update_fields=changed)
        if changed:
            subject = f"{row.name} at {served.provider}"
            record("model.found_taken_over", actor=by, project=None, subject=subject, changed=changed)
    return changed


def known_by_test(served: ServedModel) -> dict[str, Any]:
    """Fields of the row, by name, as the last test saw them."""
    if served.found.get("problem"):
        return {}
    capabilities = {name: bool(flag) for name, flag in served.found.get("flags", {}).items() if name in FLAGS}
    limit = served.found.get("token_limit", "")
    return capabilities | ({"token_limit": limit} if limit in TokenLimit.values and limit else {})
