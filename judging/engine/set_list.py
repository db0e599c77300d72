"""The newest run sets of judges in a project, a line each."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Sum

from judging.engine.summaries import state_of_set
from judging.models import Call, Run, RunSet, RunState
from projects.models import Project

MOST = 20


@dataclass(frozen=True, slots=True)
class SetLine:
    """A run set with how many judges it asks, what state it is in, and its cost in billionths of a US dollar; None
    where no call of it has one."""

    row: RunSet
    judges: int
    state: str
    spent: int | None


def newest_sets(project: Project) -> list[SetLine]:
    """Newest first: three statements."""
    of_judges = Exists(Run.objects.filter(run_set=OuterRef("pk"), judge__isnull=False))
    sets = RunSet.objects.filter(of_judges, project=project).select_related("created_by")
    rows = list(sets.order_by("-pk")[:MOST])
    runs: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for run_set, judge, state in Run.objects.filter(run_set__in=rows).values_list("run_set", "judge", "state"):
        runs[run_set].append((judge, state))
    costs = Call.objects.filter(run__run_set__in=rows).values_list("run__run_set").annotate(cost=Sum("cost")).order_by()
    spent = dict(costs)
    return [
        SetLine(
            row,
            len({judge for judge, _state in runs[row.pk]}),
            str(RunState(state_of_set(state for _judge, state in runs[row.pk])).label),
            spent.get(row.pk),
        )
        for row in rows
    ]
