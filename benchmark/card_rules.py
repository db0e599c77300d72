"""What a model card and a configuration may say: one set of rules for pages, API, submissions and files.

`read_card` and `read_run` take whatever somebody handed in and give the columns it is; `card_faults` and `run_faults`
look at columns together, and files, whose fields are checked one by one as they are read, come by these alone.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, slug_re
from django.utils.translation import gettext as _

from benchmark.models import Access
from formats.benchmark_answer import MAX_BILLIONS, MAX_NAME, MAX_TAGS
from formats.kinds import FAR
from formats.reading import parse_json
from projects.models import Laboratory, TargetModel
from projects.problems import Invalid, Problem
from projects.stored_text import name_fault, read_text

MAX_SLUG, MAX_LINK, MAX_TEXT, MAX_TAG, MAX_SAMPLING = 80, 500, 100_000, 80, 10_000

#: What a call has beside its sampling, with the field that says it here; "" where nothing does.
NOT_SAMPLING = {
    "max_tokens": "token_limit",
    "max_completion_tokens": "token_limit",
    "reasoning_effort": "thinking_effort",
    "system": "system_prompt",
    **dict.fromkeys(("model", "messages", "prompt", "stream", "stream_options", "n", "best_of"), ""),
    **dict.fromkeys(("tools", "tool_choice", "functions", "function_call", "response_format"), ""),
}

Problems = list[Problem]
Reader = Callable[[Any, str, Problems], Any]


# --- Kinds of values; each adds to the problems and returns what is stored where there are none ---


def one_line(limit: int, *, is_needed: bool = False) -> Reader:
    def read(value: Any, field: str, problems: Problems) -> str:
        written = value.strip() if isinstance(value, str) else value
        if written in (None, "") and not is_needed:
            return ""
        fault = (
            name_fault(written or "", limit)
            if isinstance(written, str | None)
            else ("not_text", _("This must be text."))
        )
        if fault:
            problems.append(Problem(*fault, field))
            return ""
        return str(written)

    return read


def long_text(value: Any, field: str, problems: Problems) -> str:
    return read_text(value, MAX_TEXT, field, problems)


def number(value: Any, field: str, problems: Problems) -> float | None:
    """Billions of parameters."""
    if value in (None, ""):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_BILLIONS:
        message = _("A number of at most %(limit)d is expected.")
        problems.append(Problem("not_a_number", message % {"limit": MAX_BILLIONS}, field))
        return None
    return float(value)


def whole_number(value: Any, field: str, problems: Problems) -> int | None:
    if value in (None, ""):
        return None
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > FAR:
        message = _("A whole number of at most %(limit)d is expected.")
        problems.append(Problem("not_a_number", message % {"limit": FAR}, field))
        return None
    return value


def access(value: Any, field: str, problems: Problems) -> str:
    if value not in Access.values:
        problems.append(Problem("unknown_choice", _("There is no such choice."), field))
    return str(value)


def short_name(value: Any, field: str, problems: Problems) -> str:
    written = one_line(MAX_SLUG)(value, field, problems)
    if written and slug_re.fullmatch(written) is None:
        message = _("Latin letters, digits, hyphens and underscores are expected.")
        problems.append(Problem("not_a_slug", message, field))
    return written


def hash_of_template(value: Any, field: str, problems: Problems) -> str:
    written = one_line(64)(value, field, problems).lower()
    if written and re.fullmatch("[0-9a-f]{64}", written) is None:
        problems.append(Problem("not_a_hash", _("A SHA-256 has 64 characters of 0 to 9 and a to f."), field))
    return written


def laboratory(value: Any, field: str, problems: Problems) -> str:
    return one_line(120, is_needed=True)(value.name if isinstance(value, Laboratory) else value, field, problems)


def target_model(value: Any, field: str, problems: Problems) -> str:
    return one_line(MAX_NAME)(value.name if isinstance(value, TargetModel) else value, field, problems)


def sampling(value: Any, field: str, problems: Problems) -> dict[str, Any]:
    """Names and values as they are sent."""
    if value in (None, ""):
        return {}
    named = isinstance(value, Mapping) and all(isinstance(name, str) and name for name in value)
    try:
        # Strictly, as files are read: no NaN, no null character or half of one, and nothing too deep, at any depth.
        written = json.dumps(dict(value) if named else None, allow_nan=False).encode()
        fits = isinstance(parse_json(written), dict) and len(orjson.dumps(dict(value))) <= MAX_SAMPLING
    except (TypeError, ValueError, RecursionError, Invalid):
        fits = False
    if not fits:
        message = _("Names and values as JSON are expected, such as %(example)s.")
        problems.append(Problem("not_sampling", message % {"example": '{"temperature": 0}'}, field))
        return {}
    for name in sorted(set(value) & set(NOT_SAMPLING)):
        own = NOT_SAMPLING[name]
        message = (
            _("“%(name)s” has a field of its own.") if own else _("“%(name)s” is no part of how answers are sampled.")
        )
        problems.append(Problem("not_sampling", message % {"name": name}, field))
    return dict(value)


def thinking_tags(value: Any, field: str, problems: Problems) -> list[list[str]]:
    """Pairs [opens, closes], or {"opens": ..., "closes": ...} as files have them."""
    message = _("Pairs of an opening and a closing tag are expected, at most %(limit)d.") % {"limit": MAX_TAGS}
    fault = Problem("not_tags", message, field)
    pairs = []
    for entry in value if isinstance(value, list | tuple) else [None] if value else []:
        pair: Any = [entry.get("opens"), entry.get("closes")] if isinstance(entry, Mapping) else entry
        is_pair = isinstance(pair, list | tuple) and len(pair) == 2
        if not is_pair or not all(isinstance(tag, str) and not name_fault(tag.strip(), MAX_TAG) for tag in pair):
            problems.append(fault)
            return []
        pairs.append([tag.strip() for tag in pair])
    if len(pairs) > MAX_TAGS:
        problems.append(fault)
    return pairs


# --- Of a card, and of how it was run ---

CARD: Mapping[str, Reader] = {
    "name": one_line(MAX_NAME, is_needed=True),
    "slug": short_name,
    "laboratory": laboratory,
    "access": access,
    "parameters_total": number,
    "parameters_active": number,
    "licence": one_line(200),
    "context_tokens": whole_number,
    "link": one_line(MAX_LINK),
    "declared_overlap": long_text,
    "thinking_tags": thinking_tags,
}
#: What defines a run: with another of these, it is another configuration.
RUN: Mapping[str, Reader] = {
    "target_model": target_model,
    "provider": one_line(120),
    "revision": one_line(120),
    "precision": one_line(40),
    "template_sha256": hash_of_template,
    "system_prompt": long_text,
    "sampling": sampling,
    "thinking_effort": one_line(40),
    "token_limit": whole_number,
}
CONFIGURATION: Mapping[str, Reader] = {"name": one_line(MAX_NAME, is_needed=True), "slug": short_name, **RUN}


def read(values: Mapping[str, Any], readers: Mapping[str, Reader]) -> tuple[dict[str, Any], Problems]:
    """What was handed in as the columns it is, and what is wrong with it; a name that is none of them is a problem."""
    problems: Problems = []
    for name in values:
        if name not in readers:
            problems.append(Problem("unknown_field", _("There is no such field."), str(name)[:80]))
    return {name: reader(values[name], name, problems) for name, reader in readers.items() if name in values}, problems


def card_faults(values: Mapping[str, Any]) -> Problems:
    """Of the columns of a card together."""
    problems: Problems = []
    total, active = values.get("parameters_total"), values.get("parameters_active")
    for field in ("parameters_total", "parameters_active", "context_tokens"):
        problems += not_above_nothing(values.get(field), field)
    if total is not None and active is not None and active > total:
        message = _("A model has no more active parameters than it has in all.")
        problems.append(Problem("out_of_range", message, "parameters_active"))
    if values.get("link") and not is_address(values["link"]):
        problems.append(
            Problem("not_an_address", _("An address that begins with https:// or http:// is expected."), "link")
        )
    return problems


def run_faults(values: Mapping[str, Any]) -> Problems:
    """Of the columns of a configuration together."""
    return not_above_nothing(values.get("token_limit"), "token_limit")


def not_above_nothing(value: float | None, field: str) -> Problems:
    if value is None or value > 0:
        return []
    return [Problem("out_of_range", _("More than 0 is expected; left out, nobody knows."), field)]


def is_address(value: str) -> bool:
    """Whether a link leads to a page; `javascript:` and the like do not."""
    try:
        URLValidator(schemes=["http", "https"])(value)
    except ValidationError:
        return False
    return True
