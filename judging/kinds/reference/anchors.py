"""Anchor answers in runs: judged again in every run of a judge, so that one that drifts is seen.

Each run that asks anything has its own pass over the anchors, whose scores stand under the number of that pass, where
those of other answers stand under the round. It does not follow the round: rounds are repeats of one moment, and a
judge can drift between two runs of the same round.
"""

from collections.abc import Mapping, Sequence

from benchmark.judged import uses_to_judge
from benchmark.models import Answer, ConfigurationKind
from judging.kinds import Pass, Unit
from judging.kinds.reference.shown import unit_of
from judging.models import Call
from projects.laboratories import laboratory_slug


def anchors_to_judge(over: Pass) -> Mapping[int, Sequence[Unit]]:
    """By response every judged use of every anchor answer, but of texts by the judge's own laboratory.

    Also where fixed rules would decide: what is looked at is the judge. A run that was planned counts, whatever
    became of it: its calls can still be asked again. Two calls of this are never at once for one judge, whose row
    `create_run` holds.
    """
    anchors = Answer.objects.filter(
        configuration__project=over.judge.project_id,
        configuration__kind=ConfigurationKind.ANCHOR,
        response__isnull=False,
    ).order_by("pk")
    columns = ("pk", "prompt_id", "response_id", "response__target_model__name")
    rows = [
        (pk, prompt, response)
        for pk, prompt, response, model, laboratory in anchors.values_list(
            *columns, laboratory_slug("response__target_model", "response__project")
        )
        if not over.guard.forbids(model, laboratory)
    ]
    if not rows:
        return {}
    uses = uses_to_judge(None, {prompt for _pk, prompt, _response in rows})
    calls = Call.objects.filter(judge=over.judge.pk, response__in=anchors.order_by().values("response"))
    number = calls.order_by().values("run").distinct().count() + 1
    return {
        response: [unit_of(use, pk, number) for use in uses[prompt]] for pk, prompt, response in rows if prompt in uses
    }
