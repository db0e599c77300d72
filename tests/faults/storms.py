"""A run of judges in a storm: its workers are killed and frozen, its messages lost and sent twice, its calls fail.

The deeds are spread over the work: each waits until some more results are stored, so that it meets work under way.
Meanwhile a ledger notes what was stored, and whether it stays as it was.
"""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from jobs.models import JobState
from judging.models import Call, CallState, Run, RunState, Shard
from tests.faults.judging_machine import SILENCE_SECONDS, SWEEP_SECONDS, JudgingMachine

# Three calls in ten: of the provider's making, and of the network's.
FAULTS = {"ratelimit": 0.08, "error": 0.08, "hang": 0.04, "cutstream": 0.06, "reset": 0.04}
OPEN = (CallState.PLANNED, CallState.CANCELLED)
LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Weather:
    """How often what happens while the calls of a run are asked; `seconds` is what all of it may take."""

    child_kills: int = 0
    group_kills: int = 0
    flushes: int = 0
    freezes: int = 0
    resends: int = 0
    faults: dict[str, float] = field(default_factory=lambda: dict(FAULTS))
    latency_ms: int = 50
    seconds: float = 240

    def deeds(self, machine: JudgingMachine, run: Run) -> list[tuple[str, Callable[[], None]]]:
        """All of them in an order drawn by lot, the same each time."""
        lot = random.Random(5)
        turns = itertools.count()

        def freeze() -> None:
            with machine.frozen_child(next(turns)):
                # Until its shard was given to somebody else, who has stored the first of it again.
                time.sleep(2 * SILENCE_SECONDS + 2 * SWEEP_SECONDS)

        def resend() -> None:
            machine.send(jobs_left(run))

        made: list[tuple[str, Callable[[], None]]] = [
            *[("kill of a child", lambda: machine.kill_child(next(turns)))] * self.child_kills,
            *[("kill of a group", machine.kill_group)] * self.group_kills,
            *[("flush", machine.flush)] * self.flushes,
            *[("freeze", freeze)] * self.freezes,
            *[("resend", resend)] * self.resends,
        ]
        lot.shuffle(made)
        return made


class Ledger:
    """What was seen to be stored, call by call, and what of it was another thing later."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.seen: dict[int, tuple] = {}
        self.altered: list[str] = []

    def look(self) -> int:
        """How many calls have ended by now."""
        ended = Call.objects.filter(run=self.run).exclude(state__in=OPEN)
        for pk, *found in ended.values_list("pk", "state", "nonce", "raw_output", "ended_at"):
            if self.seen.setdefault(pk, tuple(found)) != tuple(found):
                self.altered.append(f"call {pk} was {self.seen[pk]} and became {found}")
                self.seen[pk] = tuple(found)
        return len(self.seen)


@dataclass
class Outcome:
    """What a storm left behind, for `tests/faults/judge_calls.py` to judge."""

    run: Run
    ledger: Ledger
    deeds: Counter[str]
    seconds: float
    # From the last deed to the end of the run.
    seconds_after: float
    is_over: bool


def weather(machine: JudgingMachine, run: Run, what: Weather) -> Outcome:
    """Start a planned run, let it all happen, and wait until the run is over or the time is up."""
    from judging.engine.runs import start_here

    told = {"latency_ms": what.latency_ms, "shares": what.faults, "retry_after": 0.2}
    # It counts as dearly as a provider can: a token for every byte.
    machine.provider.tell(reset=True, bytes_of_a_token=1, **told)
    began = time.monotonic()
    ledger = Ledger(run)
    deeds = what.deeds(machine, run)
    total = run.calls.count()
    step = total // (len(deeds) + 1)
    done: Counter[str] = Counter()
    start_here(run)
    machine.send(jobs_left(run))

    def is_time_up() -> bool:
        return time.monotonic() > began + what.seconds

    for number, (name, deed) in enumerate(deeds, start=1):
        while ledger.look() < min(number * step, total - 1) and not is_time_up():
            time.sleep(LOOK_SECONDS)
        deed()
        done[name] += 1
    last = time.monotonic()
    while not (over := is_over(run)) and not is_time_up():
        ledger.look()
        time.sleep(LOOK_SECONDS)
    ended = time.monotonic()
    time.sleep(2.0)  # whoever was thought dead may still have something to say
    ledger.look()
    return Outcome(run, ledger, done, ended - began, ended - last, over)


def is_over(run: Run) -> bool:
    return Run.objects.filter(pk=run.pk).exclude(state=RunState.RUNNING).exists()


def busy_shards(run: Run) -> int:
    return Shard.objects.filter(run=run, job__state=JobState.RUNNING).count()


def jobs_left(run: Run) -> list[int]:
    left = Shard.objects.filter(run=run).exclude(job__state=JobState.DONE)
    return list(left.order_by("number").values_list("job", flat=True))
