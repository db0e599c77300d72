"""MAD and signed error of each judge, round by round."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from agreement import judges
from reports.dashboard import rounds
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.rounds import GROUP, Answered
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.rubrics.measures.judging import ScoresOfJudges
from reports.rubrics.measures.judging import statistics as scores_of
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

__all__ = ["GROUP", "figures", "statistics", "tables"]

STATISTICS = (judges.mad, judges.signed_error)


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, dict[int, Answered]]:
    """Per variety, by judge."""
    return rounds.of_rounds(loaded, context, scores_of, read)


def read(part: ScoresOfJudges) -> dict[int, tuple[Integers, Floats]]:
    made = {}
    for judge, scores in part.scores.items():
        columns = judges.error_columns(scores - part.human)
        known = columns[:, 2] > 0
        made[judge] = (part.prompt[known], columns[known])
    return made


def figures(parts: Sequence[Mapping[int, Answered]], is_total: bool) -> dict[str, Any]:
    """Of all together "moves" by judge, and what they rest on; of one variety among several nothing is shown."""
    if not is_total:
        return {}
    made = rounds.moves(parts, STATISTICS)
    prompts = {prompt for part in parts for one in part.values() for prompt in one.prompt.tolist()}
    return {"moves": made, "responses": len(prompts), "judges": len(made)}


def tables(results: Results) -> list[Table]:
    return [rounds.table(results, results.total()["moves"], (_("MAD"), _("signed error")), "pp", {})]
