"""A provider's own list of its models, and taking models of it over. The list alone makes no rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from django.core.cache import cache
from django.db import transaction

from projects.audit import record
from projects.models import User
from providers.capabilities import FLAGS
from providers.client import loop
from providers.client.once import send
from providers.client.replies import UNSTORABLE
from providers.endpoints import base_url, endpoint
from providers.laboratories import laboratories_of
from providers.models import Provider, ServedModel
from providers.presets import preset_at
from providers.waiting import count_attempt, release_database_connection, waiting_slot

# As many as one form can send back.
MAX_MODELS = 900
MAX_NAME = ServedModel._meta.get_field("name").max_length or 0
KEPT_SECONDS = 3600
MAX_FETCHES, WINDOW_SECONDS = 10, 300
# How gateways that tell what their models take name it (`supported_parameters`).
PARAMETER_OF = {
    "gives_schema": "structured_outputs",
    "gives_object": "response_format",
    "gives_logprobs": "logprobs",
    "takes_seed": "seed",
    "takes_temperature": "temperature",
    "reasons": "reasoning",
}
MILLION = Decimal(1_000_000)


class NoList(Exception):
    """The provider gave no list. The message is a problem's code and what was said (providers/problem_texts.py)."""


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model as its provider's list has it: prices in US dollars for a million tokens, and flags, where it tells."""

    name: str
    input_price: Decimal | None = None
    output_price: Decimal | None = None
    flags: dict[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """A listed model as the page shows it: with its laboratory, or None; and whether it is taken over already."""

    model: ListedModel
    laboratory: str | None
    is_served: bool


def fetch_list(provider: Provider, by: User) -> list[ListedModel]:
    """The models that the provider lists, kept for an hour for the person who fetched them.

    Raises providers.client.keys.KeyMissing, providers.waiting.Busy where this person or this server asks too much at
    once, and NoList.
    """
    connected = endpoint(provider)
    count_attempt(f"model-list:{by.pk}", MAX_FETCHES, WINDOW_SECONDS)
    preset = preset_at(base_url(provider))
    path = f"/models?{preset.list_query}" if preset and preset.list_query else "/models"
    headers, key_header = (preset.list_headers, preset.list_key_header) if preset else ({}, "")
    with waiting_slot():
        release_database_connection()
        answer = loop.run(send(connected, "GET", path, headers=headers, key_header=key_header)).result()
    if answer.problem:
        raise NoList(answer.problem)
    listed = read_list(answer.body)
    if not listed:
        raise NoList("list_empty")
    cache.set(kept_under(provider, by), listed, KEPT_SECONDS)
    record("provider.models_listed", actor=by, project=None, subject=provider.name, models=len(listed))
    return listed


def kept_list(provider: Provider, by: User) -> list[ListedModel] | None:
    """The list this person fetched last, or None where that is too long ago."""
    return cache.get(kept_under(provider, by))


def kept_under(provider: Provider, by: User) -> str:
    return f"model-list:{provider.pk}:{by.pk}"


def read_list(body: Any) -> list[ListedModel]:
    """Models by their names; entries without a usable name are passed over. Nothing of it is believed unread."""
    entries = body.get("data") if isinstance(body, dict) else body
    models: dict[str, ListedModel] = {}
    for entry in entries if isinstance(entries, list) else []:
        name = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME or UNSTORABLE.search(name):
            continue
        models.setdefault(name.strip(), read_entry(name.strip(), entry))
    return sorted(models.values(), key=lambda model: model.name.casefold())[:MAX_MODELS]


def read_entry(name: str, entry: dict[str, Any]) -> ListedModel:
    pricing = entry.get("pricing")
    sides = pricing if isinstance(pricing, dict) else {}
    read, written = price(sides.get("prompt")), price(sides.get("completion"))
    taken = entry.get("supported_parameters")
    flags = {flag: PARAMETER_OF[flag] in taken for flag in FLAGS} if isinstance(taken, list) and taken else {}
    if read is None or written is None:
        return ListedModel(name, flags=flags)
    return ListedModel(name, read, written, flags)


def price(per_token: Any) -> Decimal | None:
    """US dollars for a million tokens, of the price of one; None where it is none, as of a router's "-1"."""
    if not isinstance(per_token, str | int | float) or isinstance(per_token, bool):
        return None
    try:
        per_million = Decimal(str(per_token)) * MILLION
    except InvalidOperation:
        return None
    return per_million.quantize(Decimal("0.000001")) if per_million.is_finite() and 0 <= per_million < MILLION else None


def offers(provider: Provider, listed: Sequence[ListedModel], containing: str = "") -> list[Offer]:
    """Those of a list whose names hold some words, with the laboratory behind each. Three queries for all."""
    words = containing.casefold().split()
    shown = [model for model in listed if all(word in model.name.casefold() for word in words)]
    rows = provider.served_models.values_list("name", "laboratory__slug")
    served = dict(rows)
    named = {name: slug for name, slug in served.items() if slug}
    laboratories = laboratories_of(provider, [model.name for model in shown], named)
    return [Offer(model, laboratories[model.name], model.name in served) for model in shown]


def take_over_models(provider: Provider, listed: Sequence[ListedModel], by: User) -> int:
    """Rows of those models that have none yet; how many were made."""
    with transaction.atomic():
        there = set(provider.served_models.values_list("name", flat=True))
        new = [model for model in listed if model.name not in there]
        rows = [
            ServedModel(
                provider=provider,
                name=model.name,
                input_price=model.input_price,
                output_price=model.output_price,
                **model.flags,
            )
            for model in new
        ]
        ServedModel.objects.bulk_create(rows, ignore_conflicts=True)
        record(
            "provider.models_added",
            actor=by,
            project=None,
            subject=provider.name,
            models=[model.name for model in new][:50],
            number=len(new),
        )
    return len(new)
