"""What a run of judges promised against what a storm left: each call ended once, stored once, and paid for once.

What the provider charged for is its own count, not ours.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from annotation.models import Marking, Span
from jobs.models import JobState
from judging.models import ANSWERED, Call, CallState, Run, RunState, Shard
from providers.client.retrying import MAX_ATTEMPTS
from providers.prices import price_of
from tests.faults.storms import OPEN, Outcome

# A worker that dies takes with it what is under way, and what has come and is not yet committed: a batch's worth.
UNCOMMITTED = 32


def broken_promises(outcome: Outcome, charges: dict[str, Any], concurrency: int) -> list[str]:
    """In words; empty where all were kept."""
    run = Run.objects.get(pk=outcome.run.pk)
    return [
        *not_ended(run, outcome),
        *outcome.ledger.altered[:5],
        *wrong_answers(run),
        *too_many_attempts(run, outcome, charges),
        *paid_twice(run, outcome, charges, concurrency),
        *overspent(run, outcome, charges),
    ]


def not_ended(run: Run, outcome: Outcome) -> list[str]:
    """Every call in a terminal state, and in bounded time, without anybody's help."""
    found = []
    if not outcome.is_over or run.state != RunState.DONE:
        found.append(f"the run is {run.state} after {outcome.seconds:.0f} s")
    if left := Call.objects.filter(run=run, state__in=OPEN).count():
        found.append(f"{left} calls have not ended")
    if held := Shard.objects.filter(run=run).exclude(job__state=JobState.DONE).count():
        found.append(f"{held} shards are not done")
    return found


def wrong_answers(run: Run) -> list[str]:
    """Each response has one marking, which says what its calls say and is complete where all of them were answered."""
    found = []
    calls: dict[int, list[tuple[str, Any]]] = {}
    for response, state, parsed in Call.objects.filter(run=run).values_list("response", "state", "parsed"):
        calls.setdefault(response, []).append((state, parsed))
    assert run.judge
    markings = Marking.objects.filter(rater=run.judge.rater_id, round=run.round)
    by_response = Counter(markings.values_list("response", flat=True))
    complete = dict(markings.values_list("response", "is_complete"))
    spans: dict[int, Counter[tuple]] = {}
    stored = Span.objects.filter(marking__in=markings).values_list("response", "start", "end", "quote", "explanation")
    for response, *span in stored:
        spans.setdefault(response, Counter())[tuple(span)] += 1
    for response, answers in calls.items():
        if by_response[response] != 1:
            found.append(f"response {response} has {by_response[response]} markings")
        elif complete[response] != all(state in ANSWERED for state, _parsed in answers):
            found.append(f"the marking of response {response} is not what its calls are: {answers}")
        said = Counter(
            (span["start"], span["end"], span["quote"], span["explanation"])
            for state, parsed in answers
            if state in ANSWERED
            for span in parsed["spans"]
        )
        if said != spans.get(response, Counter()):
            found.append(f"the spans of response {response} are not those that were said")
    return found[:5]


def too_many_attempts(run: Run, outcome: Outcome, charges: dict[str, Any]) -> list[str]:
    """A call is tried so many times for each worker that held it, and only a worker's end gives it to another."""
    found = []
    if over := Call.objects.filter(run=run, attempts__gt=MAX_ATTEMPTS).count():
        found.append(f"{over} calls were tried more than {MAX_ATTEMPTS} times at once")
    most_workers = 1 + ends_of_workers(outcome)
    most = max((requests for requests, _charged in charges["of_key"].values()), default=0)
    if most > MAX_ATTEMPTS * most_workers:
        found.append(f"a call was sent {most} times")
    return found


def paid_twice(run: Run, outcome: Outcome, charges: dict[str, Any], concurrency: int) -> list[str]:
    """Answers charged beyond one for each call: what was under way at a worker's end, and no more."""
    answered = Call.objects.filter(run=run).exclude(state__in=[*OPEN, CallState.FAILED]).count()
    arrived = charges["answers"] - charges["broken"]
    most = ends_of_workers(outcome) * (concurrency + UNCOMMITTED)
    if arrived < answered:
        return [f"{answered} calls are answered, and {arrived} answers were given"]
    if arrived - answered > most:
        return [f"{arrived - answered} answers were paid for and lost; {most} at most were under way"]
    return []


def overspent(run: Run, outcome: Outcome, charges: dict[str, Any]) -> list[str]:
    """What the provider charges is within what we count as spent, and that within the limit."""
    assert run.judge
    price, run_set = price_of(run.judge), run.run_set
    if price is None or run_set is None:
        return []
    charged = price.cost(charges["prompt_tokens"], charges["completion_tokens"])
    accounted = run_set.money_spent + run_set.money_reserved
    if not charged <= accounted <= (run_set.money_limit or accounted):
        sums = {"spent": run_set.money_spent, "set aside": run_set.money_reserved, "limit": run_set.money_limit}
        return [f"charged {charged} billionths of a dollar: {sums}"]
    if outcome.is_over and (run_set.money_reserved or run_set.tokens_reserved):
        return [f"{run_set.money_reserved} and {run_set.tokens_reserved} tokens are set aside for nobody"]
    return []


def ends_of_workers(outcome: Outcome) -> int:
    """How often a worker ended, or was taken for dead, with calls under way."""
    return sum(outcome.deeds[name] for name in ("kill of a child", "kill of a group", "freeze"))
