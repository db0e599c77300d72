"""What a sample says so far, and of those that nobody looked at."""

from dataclasses import dataclass

from django.db.models import Count

from agreement.acceptance import error_rate, wrong_unseen
from agreement.figures import Figure
from annotation.acceptance.kinds import KINDS
from annotation.models import Acceptance, AcceptanceMember
from projects.models import Project


@dataclass(frozen=True, slots=True)
class Worth:
    """Of the sample: `waiting` are undecided, `gone` wait no longer though nobody decided on them (the error got a
    category otherwise, say) and count for nothing. `unseen` of the rest would be accepted, or were.

    `rate` is the share of wrong ones in the sample, `implied` how many of the unseen are wrong. An error is a proposal
    that was not confirmed as it was: changed, confirmed in part or refused.
    """

    decided: int
    wrong: int
    waiting: int
    gone: int
    unseen: int

    rate: Figure
    implied: Figure

    @property
    def rate_in_percent(self) -> str:
        """ "3.0 % [0.6, 8.5]"; empty where nothing was decided."""
        return written(self.rate, 100, 1, " %")

    @property
    def implied_in_numbers(self) -> str:
        return written(self.implied, 1, 0)

    @property
    def can_accept(self) -> bool:
        return bool(self.decided and self.unseen and not self.waiting)


def worth(acceptance: Acceptance) -> Worth:
    """Of a settled one what was put on record then; else counted, in four statements."""
    if acceptance.state != Acceptance.State.DRAWN:
        decided, wrong = acceptance.decided or 0, acceptance.wrong or 0
        waiting, gone, unseen = 0, acceptance.drawn - decided, acceptance.accepted
    else:
        kind, members = KINDS[acceptance.kind], acceptance.members.all()
        drawn = members.filter(is_drawn=True)
        wrong = drawn.filter(kind.wrong).count()
        decided = wrong + drawn.filter(kind.right).count()
        waiting = kind.still(drawn, acceptance.project).count()
        gone = acceptance.drawn - decided - waiting
        unseen = kind.still(members.filter(is_drawn=False), acceptance.project).count()
    implied = wrong_unseen(wrong, decided, acceptance.rest, min(unseen, acceptance.rest))
    return Worth(decided, wrong, waiting, gone, unseen, error_rate(wrong, decided), implied)


def written(figure: Figure, times: int, places: int, unit: str = "") -> str:
    if figure.value is None:
        return ""
    low, high = figure.bounds
    return f"{times * figure.value:.{places}f}{unit} [{times * low:.{places}f}, {times * high:.{places}f}]"


def unseen(project: Project) -> dict[str, int]:
    """By kind how many proposals were accepted unseen and stand so. One statement."""
    rows = AcceptanceMember.objects.filter(acceptance__project=project, is_accepted=True).order_by("acceptance__kind")
    return dict(rows.values_list("acceptance__kind").annotate(n=Count("pk")))
