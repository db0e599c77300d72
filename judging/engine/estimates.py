"""What a plan will cost: a range, from like calls that have ended, else from what is commonly seen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from django.db.models import QuerySet

from judging.engine.calling import worst_case
from judging.engine.planning import Plan
from judging.engine.questions import planned_questions
from judging.engine.reusing import answered_before
from judging.models import Call, Judge
from providers.prices import NOTHING, Amount, Price

# So many calls of a plan are looked at; of a larger one, so many that lie evenly in it.
LOOKED_AT = 200
# From so many ended calls on they say what others will cost: between the tenth and the ninetieth of a hundred of them.
# The newest are taken.
ENOUGH, MAX_ENDED = 20, 400
LOW, HIGH = 0.1, 0.9
# Without them: bytes that make a token, in any of the scripts that are judged, and the share of what a judge may
# write that it writes.
BYTES_OF_A_TOKEN = (6, 2)
SHARE_WRITTEN = (0.05, 1.0)


class Sized(Protocol):
    """A question as it will be sent: the bytes of its request's body."""

    @property
    def size(self) -> int: ...


class Range(NamedTuple):
    """From `low` to `high`, both included."""

    low: int
    high: int

    def plus(self, other: "Range") -> "Range":
        return Range(self.low + other.low, self.high + other.high)

    def times(self, factor: float) -> "Range":
        return Range(round(self.low * factor), round(self.high * factor))


NO_RANGE = Range(0, 0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of one judge's calls in one round. `money` is in billionths of a US dollar, None where the model has no price.

    `hits` are calls whose reply is there already: nothing is sent for them, and they cost nothing. They are counted
    in `looked_at` of the calls; where those are not all, their number is drawn from these, and so are the ranges.
    `most_tokens` and `most_money` are not exceeded unless attempts break off: a token for every byte that is sent,
    and as many written as the judge may write. `ended_calls` is how many like calls the range rests on; 0 where it
    rests on what is commonly seen.
    """

    calls: int
    hits: int
    looked_at: int
    tokens: Range
    money: Range | None
    most_tokens: int
    most_money: int | None
    ended_calls: int

    @property
    def is_drawn(self) -> bool:
        return self.looked_at < self.calls


def estimate(planned: Plan, price: Price | None) -> Estimate:
    """Reads only. Six statements at most, however many calls are planned."""
    setup, prepared = planned_questions(planned, price, LOOKED_AT)
    sent = [question for question in prepared if question.request is not None]
    answered = answered_before(setup, sent)
    to_send = [question for question in sent if question.digest not in answered]
    worst = [worst_case(setup, question) for question in to_send]
    ended = usage_of_like(planned.judge)
    hits = len(sent) - len(to_send)
    return estimate_of(planned.size, len(prepared), hits, to_send, worst, ended, setup.max_output_tokens, price)


def estimate_of(
    calls: int,
    looked_at: int,
    hits: int,
    to_send: Sequence[Sized],
    worst: Iterable[Amount],
    ended: Sequence[tuple[int, int]],
    most_written: int,
    price: Price | None,
) -> Estimate:
    """The estimate of `calls` from `looked_at` of them, of which `hits` have a reply already and the others are
    `to_send`. `worst` are the worst cases of those, `ended` the tokens read and written by like calls.
    """
    factor = calls / looked_at if looked_at else 0.0
    read, written = ranges(to_send, ended, most_written)
    most = sum(worst, NOTHING)
    money = None
    if price is not None:
        money = Range(price.cost(read.low, written.low), price.cost(read.high, written.high)).times(factor)
    return Estimate(
        calls=calls,
        hits=round(hits * factor),
        looked_at=looked_at,
        tokens=read.plus(written).times(factor),
        money=money,
        most_tokens=round(most.tokens * factor),
        most_money=None if price is None else round(most.money * factor),
        ended_calls=len(ended),
    )


def usage_of_like(judge: Judge) -> list[tuple[int, int]]:
    """Tokens read and written by the newest calls of the same model at the same provider for the same kind of
    judging; none where they are too few to tell."""
    alike = {"judge__provider": judge.provider_id, "judge__model": judge.model, "judge__kind": judge.kind}
    return usage(Call.objects.filter(**alike))


def usage(calls: QuerySet[Any]) -> list[tuple[int, int]]:
    """Tokens read and written by the newest of these calls, those apart that took a reply over; none where they are
    too few to tell."""
    counted = calls.filter(reused=None, prompt_tokens__isnull=False, completion_tokens__isnull=False)
    rows = counted.order_by("-pk").values_list("prompt_tokens", "completion_tokens")[:MAX_ENDED]
    return list(rows) if len(rows) >= ENOUGH else []


def ranges(prepared: Sequence[Sized], ended: Sequence[tuple[int, int]], most_written: int) -> tuple[Range, Range]:
    """Tokens read and written by these calls together."""
    n = len(prepared)
    if ended:
        read, written = (between([question[side] for question in ended]) for side in (0, 1))
        return read.times(n), written.times(n)
    size = sum(question.size for question in prepared)
    few, many = BYTES_OF_A_TOKEN
    low, high = SHARE_WRITTEN
    return Range(size // few, size // many), Range(round(n * most_written * low), round(n * most_written * high))


def between(numbers: Iterable[int]) -> Range:
    """From the tenth to the ninetieth of a hundred, as they stand among the numbers."""
    ordered = sorted(numbers)
    last = len(ordered) - 1
    return Range(ordered[int(last * LOW)], ordered[-1 - int(last * (1 - HIGH))])


def total(ranges: Iterable[Range]) -> Range:
    sum_of_all = NO_RANGE
    for range in ranges:
        sum_of_all = sum_of_all.plus(range)
    return sum_of_all
