"""What a month's submissions cost, against what the lead set for the board.

What a submission has cost is kept where its calls are made, in a room above this one, which says so here.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from benchmark.models import Board
from projects.models import Project


class Cost(NamedTuple):
    """Billionths of a US dollar, and tokens; None, of a limit: there is none."""

    money: int | None
    tokens: int | None


class Spending(NamedTuple):
    """`spent` came back from providers. `committed` counts for those that still run what they may cost at most.
    `judging` is the part of both that judges have cost."""

    spent: tuple[int, int]
    committed: tuple[int, int]
    judging: tuple[int, int] = (0, 0)


_sources: list[Callable[[Board, str], Spending]] = []


def register(source: Callable[[Board, str], Spending]) -> None:
    """Name a place that knows what submissions of a board and a month have cost."""
    _sources.append(source)


def spending_of(board: Board, month: str) -> Spending:
    parts = [source(board, month) for source in _sources]
    return Spending(
        (sum(part.spent[0] for part in parts), sum(part.spent[1] for part in parts)),
        (sum(part.committed[0] for part in parts), sum(part.committed[1] for part in parts)),
        (sum(part.judging[0] for part in parts), sum(part.judging[1] for part in parts)),
    )


def left(board: Board, month: str) -> Cost:
    """What may still be given to submissions of the month."""
    money, tokens = spending_of(board, month).committed
    return Cost(
        None if board.submission_money is None else max(0, board.submission_money - money),
        None if board.submission_tokens is None else max(0, board.submission_tokens - tokens),
    )


def is_used_up(board: Board, month: str) -> bool:
    """Whether nothing of the month's budget is left. What running ones set aside and do not need comes back."""
    if board.submission_money is None and board.submission_tokens is None:
        return False
    money, tokens = spending_of(board, month).spent
    return (board.submission_money is not None and money >= board.submission_money) or (
        board.submission_tokens is not None and tokens >= board.submission_tokens
    )


def is_set_aside(board: Board, month: str) -> bool:
    """Whether submissions that still run have set something aside that they may return."""
    spending = spending_of(board, month)
    return (board.submission_money is not None and spending.committed[0] > spending.spent[0]) or (
        board.submission_tokens is not None and spending.committed[1] > spending.spent[1]
    )


def without_budget(project: Project, months: Iterable[str] | None = None) -> dict[int, str]:
    """Submitted configurations about whose answers no judge is asked any more, with their month: what its submissions
    may cost is spent. One statement where the board sets no limit.

    months  those that are looked at; None: all.
    """
    board = Board.objects.filter(project=project).exclude(submission_money=None, submission_tokens=None).first()
    if board is None:
        return {}
    rows = board.submissions.filter(configuration__isnull=False)
    if months is None:
        months = rows.order_by().values_list("month", flat=True).distinct()
    spent = [month for month in months if is_used_up(board, month)]
    return dict(rows.filter(month__in=spent).order_by().values_list("configuration", "month"))
