"""What rows beside spans and errors of the gold say of them: further parts (agreement/parts.py), experts' decisions."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef, Q
from numpy.typing import NDArray

from annotation.models import Adjudication, GoldError, SpanPart
from reports.dashboard.columns import columns, positions

Integers = NDArray[np.int64]
#: Whose each part is, by index, its start and its end.
Places = tuple[Integers, Integers, Integers]


def parts_of_spans(ids: Integers, within: Mapping[str, Any]) -> Places:
    """Those of the spans with these ids, which ascend. `within` is the filter of what is about the responses read,
    from a row that names a span."""
    rows = SpanPart.objects.filter(**within).order_by("span", "start")
    span, start, end = columns(rows.values_list("span_id", "start", "end"), "iii")
    at = positions(ids, span)
    return at[at >= 0], start[at >= 0], end[at >= 0]


def parts_of_gold(ids: Integers, within: Mapping[str, Any]) -> Places:
    """As `parts_of_spans`, of errors; `within` is the filter from a row that names a response.

    Looked for among those alone that came with an imported file or that a span of several parts became."""
    divided = SpanPart.objects.filter(span__gold_error=OuterRef("pk"))
    errors = GoldError.objects.filter(Q(is_imported=True, provenance__has_key="more") | Exists(divided), **within)
    errors = errors.order_by("id")
    rows = [(error.pk, part.start, part.end) for error in errors.only("provenance") for part in error.more]
    error, start, end = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    at = positions(ids, error)
    return at[at >= 0], start[at >= 0], end[at >= 0]


def decisions(ids: Integers, within: Mapping[str, Any]) -> tuple[Integers, NDArray[np.bool_]]:
    """Which of the spans with these ids an expert has decided on, by index, and whether each was kept."""
    rows = Adjudication.objects.filter(**within)
    span, is_kept = columns(rows.values_list("span_id", "is_kept"), "ib")
    at = positions(ids, span)
    return at[at >= 0], is_kept[at >= 0]
