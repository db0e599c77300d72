"""The gold export: one response a line, as formats/gold.py declares it.

A generator of bytes. It reads by ranges of id, so it holds one batch in memory at any size, sends its first
line after the first batch, and costs what reading and encoding cost: no model instance is built.
"""

import json
from collections import defaultdict
from collections.abc import Iterator

import orjson
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from annotation.models import GoldError
from formats.format import encode
from formats.gold import VERSION as FORMAT
from formats.gold import Error, GoldLine
from formats.vocabulary import RaterKind
from projects.anchors import to_utf16
from projects.models import Project, Response

FIRST_BATCH, BATCH = 25, 400

RESPONSE_FIELDS = (
    "id",
    "key",
    "prompt__key",
    "prompt__text",
    "prompt__text_sha256",
    "prompt__variety__tag",
    "variety__tag",
    "target_model__name",
    "target_model__laboratory__slug",
    "text",
    "text_sha256",
    "prompt__task",
    "prompt__domain",
    "metadata_json",
    "gold_answer__open",
    "gold_answer__pending",
)
ERROR_FIELDS = (
    "response_id",
    "key",
    "anchor",
    "start",
    "end",
    "quote",
    "paragraph",
    "error_type",
    "category__slug",
    "category__depth",
    "criticality",
    "explanation",
    "correction",
    "varies_by_region",
    "found_by_human",
    "found_by_judge",
    "provenance_json",
)


def answered(project: Project) -> QuerySet[Response]:
    """The responses that have gold: answered by people, or of an imported gold file. Their set may be empty."""
    return Response.objects.filter(project=project, gold_answer__isnull=False)


def errors_in_gold(project: Project) -> QuerySet[GoldError]:
    """The errors of the project's gold: what its file holds, and what every page means by errors in the gold.

    Several spans that found one and the same error are one error here; where spans are counted, the words say spans.
    """
    return GoldError.objects.filter(response__project=project, response__gold_answer__isnull=False)


def lines(project: Project) -> Iterator[bytes]:
    """Every answered response in the order it was imported, as one line of UTF-8 JSON each, with its newline."""
    responses = answered(project).order_by("id").annotate(metadata_json=Cast("metadata", TextField()))
    last, size = 0, FIRST_BATCH
    while batch := list(responses.filter(id__gt=last).values_list(*RESPONSE_FIELDS)[:size]):
        errors = _errors(project, batch[0][0], batch[-1][0])
        for row in batch:
            yield encode(_line(row, errors.get(row[0], [])))
        last, size = batch[-1][0], BATCH


def _errors(project: Project, first: int, last: int) -> dict[int, list[tuple]]:
    errors = GoldError.objects.filter(response_id__gte=first, response_id__lte=last, response__project=project)
    rows = errors.annotate(provenance_json=Cast("provenance", TextField())).values_list(*ERROR_FIELDS)
    of_response: dict[int, list[tuple]] = defaultdict(list)
    for row in rows:
        of_response[row[0]].append(row)
    return of_response


def _reading_order(row: tuple) -> tuple:
    """What is missing from the response first, then from its paragraphs, then by place in the text, then by key."""
    start, end, paragraph = row[3], row[4], row[6]
    if start is not None:
        return (2, start, end, row[1])
    return (0 if paragraph is None else 1, paragraph or 0, 0, row[1])


def _line(row: tuple, errors: list[tuple]) -> GoldLine:
    (_id, key, prompt_key, prompt, prompt_sha256, prompt_variety, variety, model, laboratory) = row[:9]
    (text, text_sha256, task, domain, metadata, open_spans, pending_spans) = row[9:]
    # Outside the Basic Multilingual Plane one code point is two units; texts without such need no counting.
    has_pairs = len(text.encode("utf-16-le")) != 2 * len(text)
    return {
        "format": FORMAT,
        "id": key,
        "prompt_id": prompt_key,
        "prompt": prompt,
        "prompt_sha256": prompt_sha256,
        "prompt_variety": prompt_variety,
        "variety": variety,
        "model": model,
        "laboratory": laboratory,
        "response": text,
        "response_sha256": text_sha256,
        "task": task,
        "domain": domain,
        "metadata": free_form(metadata),
        "unsettled": open_spans + pending_spans,
        "errors": [_error(error, text, has_pairs) for error in sorted(errors, key=_reading_order)],
    }


def _error(row: tuple, text: str, has_pairs: bool) -> Error:
    (_response, key, anchor, start, end, quote, paragraph, error_type, category, depth) = row[:10]
    (criticality, explanation, correction, varies, by_human, by_judge, provenance) = row[10:]
    on_words = start is not None
    return {
        "id": key,
        "anchor": anchor,
        "start": start,
        "end": end,
        "start_utf16": to_utf16(text, start) if on_words and has_pairs else start,
        "end_utf16": to_utf16(text, end) if on_words and has_pairs else end,
        "quote": quote,
        "paragraph": paragraph,
        "type": error_type or None,
        "category": category,
        "depth": depth,
        "criticality": criticality or None,
        "explanation": explanation,
        "correction": correction,
        "varies_by_region": varies,
        "found_by": _kinds_of_raters(by_human, by_judge),
        "provenance": free_form(provenance),
    }


def _kinds_of_raters(by_human: bool, by_judge: bool) -> list[RaterKind]:
    kinds: dict[RaterKind, bool] = {"human": by_human, "judge": by_judge}
    return [kind for kind, has_found in kinds.items() if has_found]


def free_form(stored: str) -> orjson.Fragment:
    """A stored JSON object with its keys sorted: the databases keep them in orders of their own."""
    if stored == "{}":
        return orjson.Fragment(b"{}")
    try:
        return orjson.Fragment(orjson.dumps(orjson.loads(stored), option=orjson.OPT_SORT_KEYS))
    except (TypeError, ValueError):  # a whole number beyond 64 bits, which only Python's own encoder writes
        canonical = json.dumps(json.loads(stored), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return orjson.Fragment(canonical)
