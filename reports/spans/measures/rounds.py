"""Precision, recall and F1 of each judge, round by round."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from reports.dashboard import rounds
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.names import PEOPLE
from reports.dashboard.rounds import GROUP, Answered
from reports.dashboard.tables import Table
from reports.spans.context import Context
from reports.spans.measures.judging import SCORES, DetectedErrors
from reports.spans.measures.judging import statistics as detected_by
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

__all__ = ["GROUP", "figures", "statistics", "tables"]


def statistics(loaded: Loaded, context: Context) -> dict[int, dict[int, Answered]]:
    """Per variety, by judge."""
    return rounds.of_rounds(loaded, context, detected_by, read)


def read(part: DetectedErrors) -> dict[int, tuple[Integers, Floats]]:
    return {judge: (one.prompt, one.matches.astype(float)) for judge, one in part.detected.items() if judge != PEOPLE}


def figures(parts: Sequence[Mapping[int, Answered]], is_total: bool) -> dict[str, Any]:
    """Of all together "moves" by judge, and what they rest on; of one variety among several nothing is shown."""
    if not is_total:
        return {}
    made = rounds.moves(parts, SCORES)
    prompts = {prompt for part in parts for one in part.values() for prompt in one.prompt.tolist()}
    return {"moves": made, "responses": len(prompts), "judges": len(made)}


def tables(results: Results) -> list[Table]:
    names = (_("precision"), _("recall"), _("F1"))
    return [rounds.table(results, results.total()["moves"], names, "share", {})]
