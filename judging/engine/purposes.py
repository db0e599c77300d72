"""What a run is for: the gold, or the evaluation of its judge alone.

Of a judge and round all runs have one purpose. Else a response of several calls could be answered half by the one and
half by the other, and nobody could say of an answer what it was for. Triggers keep it
(migration 0023); what is here says it in words before anything is written.
"""

from django.db.models import Exists, Max, OuterRef
from django.utils.translation import gettext as _

from judging.kinds import judge_kind
from judging.models import Judge, Purpose, Run
from projects.problems import Invalid, Problem


def purpose_of(judge: Judge, round: int, asked: str = "") -> str:
    """What was asked for, else what the round is for already, else what the judge's area declares for its kind.

    Raises Invalid where the kind cannot be evaluated and that was asked for.
    """
    kind = judge_kind(judge.kind)
    if not kind.can_be_evaluated:
        if asked == Purpose.EVALUATION:
            message = _(
                "What judges of this kind answer goes to people or is a score of a board: no run of theirs is for "
                "evaluation alone. Nothing was asked."
            )
            raise Invalid(Problem("no_evaluation", message, "purpose"))
        return Purpose.GOLD
    begun = "" if asked else judge.runs.filter(round=round).values_list("purpose", flat=True).first()
    return asked or begun or kind.purpose


def check_round(judge: Judge, round: int, purpose: str) -> None:
    """Raises Invalid where the judge has runs of another purpose in this round."""
    others = judge.runs.exclude(purpose=purpose)
    if others.filter(round=round).exists():
        free = (others.aggregate(last=Max("round"))["last"] or 0) + 1
        message = _(
            "In round %(round)d this judge was asked for another purpose (%(purpose)s). Nothing was asked. Choose "
            "round %(free)d or a later one: a round has one purpose, so that it is known of each answer."
        )
        named = Purpose.GOLD if purpose == Purpose.EVALUATION else Purpose.EVALUATION
        values = {"round": round, "purpose": named.label, "free": free}
        raise Invalid(Problem("round_of_other_purpose", message % values, "round"))


def of_evaluation() -> Exists:
    """Of rows with a rater and a round (ratings, grades): whether a judge gave them to be evaluated."""
    runs = Run.objects.filter(judge__rater=OuterRef("rater"), round=OuterRef("round"), purpose=Purpose.EVALUATION)
    return Exists(runs)
