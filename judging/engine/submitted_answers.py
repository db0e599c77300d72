"""Answers of submitted models, of which a judge is asked nothing more once what the submissions of their month may cost
is spent. Other answers of the same run are asked about as before."""

from collections.abc import Set
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from benchmark.models import Submission
from benchmark.submissions.spending import without_budget
from judging.models import Call, CallState, Shard
from projects.among import Among
from projects.models import Project, Response

#: Of a call that was cancelled for this.
PROBLEM = "submission_budget"


def unpaid_responses(project: Project, responses: QuerySet[Response]) -> dict[int, str]:
    """Those of these responses that no judge is asked about, by id, each with the reason. One statement where the
    project's board limits nothing."""
    months = without_budget(project)
    if not months:
        return {}
    rows = responses.filter(answer__configuration__in=Among(months)).order_by()
    told = _("what the submissions of %(month)s may cost is spent")
    return {
        response: told % {"month": months[configuration]}
        for response, configuration in rows.values_list("pk", "answer__configuration")
    }


def unpaid_calls(calls: QuerySet[Call], project: Project) -> QuerySet[Call]:
    """Those of these calls that are about such answers."""
    return calls.filter(response__answer__configuration__in=Among(without_budget(project)))


@dataclass(frozen=True, slots=True)
class BudgetWatch:
    """Of one shard: the project and the months of the submissions whose answers it asks about."""

    shard: Shard
    months: tuple[str, ...]

    def stop(self) -> Set[int]:
        """Cancel what is planned about answers whose month's budget is spent; ids of these calls. Those that are in
        flight are among them: what comes of them is stored, for it is paid for."""
        configurations = without_budget(self.shard.run.project, self.months)
        if not configurations:
            return frozenset()
        planned = Call.objects.filter(shard=self.shard, state=CallState.PLANNED)
        planned = planned.filter(response__answer__configuration__in=Among(configurations))
        stopped = list(planned.values_list("pk", flat=True))
        Call.objects.filter(pk__in=Among(stopped), state=CallState.PLANNED).update(
            state=CallState.CANCELLED, problem=PROBLEM
        )
        return frozenset(stopped)


def watch_of(shard: Shard) -> BudgetWatch | None:
    """None where the shard asks about no submission to a board that limits what these may cost. One statement."""
    rows = Submission.objects.filter(configuration__answers__response__judge_calls__shard=shard)
    limited = rows.exclude(board__submission_money=None, board__submission_tokens=None)
    months = tuple(limited.order_by().values_list("month", flat=True).distinct())
    return BudgetWatch(shard, months) if months else None
