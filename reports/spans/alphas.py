"""The alphas among the figures of error spans, and the rows each was made from (see reports/verification.py)."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from reports.dashboard.figures import Alphas, PartsOf
from reports.dashboard.names import TOTAL
from reports.spans.measures import coding, marking, penalties
from reports.spans.results import SpanResults as Results
from reports.verification import Level, Ratings, Shown, Unitizings


def read(results: Results, parts: PartsOf) -> Iterator[Shown]:
    for label, pool, of_pool in pools(results, parts, "marking"):
        yield Shown("human-human", (label,), _("unitizing alpha"), pool["agreement"][-1], units(of_pool))
    for label, pool, of_pool in pools(results, parts, "penalties"):
        if pool:
            interval, ordinal = points(of_pool, "interval"), points(of_pool, "ordinal")
            yield Shown("penalty-alpha", (label,), _("alpha, interval"), pool["overall"][1], interval)
            yield Shown("penalty-alpha", (label,), _("alpha, ordinal"), pool["overall"][2], ordinal)
    total = results.total("coding")
    if total["pairs"]:
        labels = (_("All coders"), _("alpha"))
        rows = categories(parts("coding", TOTAL))
        yield Shown("classification-kappa", labels, _("Cohen's kappa"), total["alpha"], rows)


def pools(results: Results, parts: PartsOf, group: str) -> Iterator[tuple[str, Any, Sequence[Any]]]:
    """Label, figures and statistics of each variety, and of all where there are several."""
    places = [*(variety.id for variety in results.names.varieties), TOTAL]
    for place, (label, _drill, pool) in zip(places, results.pools(group), strict=False):
        yield label, pool, parts(group, place)


def units(parts: Sequence[marking.MarkingCounts]) -> Unitizings:
    """People's spans on each text; answers and texts of all parts numbered on."""
    texts = answers = 0
    joined_columns: list[list[Any]] = [[], [], [], [], []]
    for part in parts:
        pairs = part.pairs
        columns = (pairs.lengths, pairs.answers + texts, pairs.unit_answer + answers, pairs.start, pairs.end)
        for column, more in zip(joined_columns, columns, strict=True):
            column.append(more)
        texts, answers = texts + len(pairs.lengths), answers + len(pairs.answers)
    return Unitizings(*(np.concatenate(column) for column in joined_columns))


def points(parts: Sequence[penalties.PenaltiesOfAnswers], level: Level) -> Ratings:
    """People's penalties of each response, by what they first handed in."""
    item = np.concatenate([part.response[part.by_human] for part in parts])
    return Ratings(item, np.concatenate([part.at_first[part.by_human] for part in parts]), level)


def categories(parts: Sequence[coding.CodedSpans]) -> Ratings:
    """Categories that coders gave each span."""
    span = np.concatenate([part.span for part in parts])
    return Ratings(span, np.concatenate([part.category for part in parts]), "nominal")


ALPHAS = Alphas(
    tables=("human-human", "penalty-alpha", "classification-kappa"),
    groups=("marking", "penalties", "coding"),
    read=read,
)
