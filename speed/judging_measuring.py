"""The judging bench's measurements: run beside the workers that it measures, in a process set up for their database.

`speed/judging_bench.py` starts the servers, the simulated provider, the worker and this.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable, Sequence

from speed import judging_floor
from speed.answers_work import CollectedAndJudged
from speed.descendants import children, cpu_seconds, family, peak_megabytes
from speed.judging_work import Work, paragraphs, rubric_evaluations, span_evaluations
from speed.results import report

CONCURRENCY = 64
REPEATS, SLOW_REPEATS = 3, 2
FAST_MS, SLOW_MS = 50, 500
FEW, MANY = 2_000, 20_000
# By how much ours may take longer than the bare loop over the SDK.
BARS = {"production": "at most 1.15", "embedded": "at most 1.5"}
PARTS = ("fast", "slow", "many", "answers")
# What a provider that is set up has unless somebody says otherwise.
USUAL_CONCURRENCY = 16
PROVIDER_PID, WORKER_PID = "BENCH_PROVIDER_PID", "BENCH_WORKER_PID"

Floor = Callable[[str, Sequence[dict], int], float]


class Bench:
    """One mode's provider and worker, and the rounds asked so far: each repetition is a round of its own."""

    def __init__(self, mode: str) -> None:
        from django.conf import settings

        from tests.fake_provider import Control

        self.mode = mode
        self.url = settings.FAKE_PROVIDER_URL
        self.provider = Control(self.url)
        self.worker = int(os.environ[WORKER_PID])
        self.round = 0

    def ours(self, work: Work | CollectedAndJudged) -> float:
        self.round += 1
        self.provider.tell(reset=True)
        gc.collect()
        before = self.cpu()
        seconds = work.seconds(self.round)
        counts = self.provider.counts()
        assert counts["served"] == work.calls, counts
        if os.environ.get("BENCH_CPU"):
            spent = {name: f"{now - before[name]:.2f}" for name, now in self.cpu().items()}
            print(f"   {seconds:.2f} s, most open {counts['most_open']}, seconds of processor: {spent}", flush=True)
        return seconds

    def cpu(self) -> dict[str, float]:
        groups = {"worker": family(self.worker), "provider": [int(os.environ[PROVIDER_PID])], "planner": [os.getpid()]}
        return {name: sum(map(cpu_seconds, pids)) for name, pids in groups.items()}

    def compare(self, work: Work, latency_ms: int, floor: Floor, repeats: int, bar: str) -> None:
        """The shortest of some rounds through the floor's shortest; they take turns."""
        self.provider.tell(latency_ms=latency_ms)
        bodies = work.bodies()
        assert len(bodies) == work.calls, (len(bodies), work.calls)
        floors, ours = [], []
        for _repeat in range(repeats):
            floors.append(floor(self.url, bodies, CONCURRENCY))
            ours.append(self.ours(work))
        report(
            f"{work.name} at {latency_ms} ms, {self.mode}",
            f"{min(ours):.2f} s",
            floor=f"{min(floors):.2f} s bare {floor.__name__} loop",
            ratio=min(ours) / min(floors),
            bar=bar,
        )

    def compare_answers(self, repeats: int) -> None:
        """Two phases, of which the second begins when the first is over: so do the floor's."""
        self.provider.tell(latency_ms=0)
        work = CollectedAndJudged(USUAL_CONCURRENCY)
        self.ours(work)
        self.provider.tell(latency_ms=FAST_MS)
        phases = work.phases()
        assert sum(map(len, phases)) == work.calls, list(map(len, phases))
        floors, ours = [], []
        for _repeat in range(repeats):
            before = cpu_seconds(os.getpid())
            floors.append(sum(judging_floor.sdk(self.url, bodies, USUAL_CONCURRENCY) for bodies in phases))
            if os.environ.get("BENCH_CPU"):
                spent = cpu_seconds(os.getpid()) - before
                print(f"   {floors[-1]:.2f} s bare, seconds of processor: {spent:.2f}", flush=True)
            ours.append(self.ours(work))
        report(
            f"{work.name} at {FAST_MS} ms, {self.mode}",
            f"{min(ours):.2f} s",
            floor=f"{min(floors):.2f} s bare sdk loops",
            ratio=min(ours) / min(floors),
            bar=BARS[self.mode],
        )

    def compare_many(self) -> None:
        """Ten times the calls, at the same rate."""
        self.provider.tell(latency_ms=FAST_MS)
        few, many = paragraphs(CONCURRENCY, FEW), paragraphs(CONCURRENCY, MANY)
        of_few = max(few.calls / self.ours(few) for _repeat in range(REPEATS))
        of_many = many.calls / self.ours(many)
        report(
            f"{many.name} at {FAST_MS} ms, {self.mode}",
            f"{of_many:.0f}/s",
            floor=f"{of_few:.0f}/s of {FEW:,} calls",
            ratio=of_many / of_few,
            bar="at least 0.9",
        )

    def report_memory(self) -> None:
        # What works are the children where the worker has processes, and the worker itself where it has threads.
        peaks = [peak_megabytes(pid) for pid in (children(self.worker) if self.mode == "production" else [self.worker])]
        told = " and ".join(f"{peak:.0f}" for peak in peaks)
        report(f"memory of a worker at its peak, {self.mode}", f"{told} MB", bar="under 250 MB")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", choices=BARS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--parts", nargs="*", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    import django

    django.setup()
    bench = Bench(options.mode)
    asked = {"fast", "slow"} & set(options.parts)
    works = [rubric_evaluations(CONCURRENCY), span_evaluations(CONCURRENCY)] if asked else []
    bench.provider.tell(latency_ms=0)
    for work in works:  # warm: connections, code and statements are there before the first plan that counts
        bench.ours(work)
    for work in works if "fast" in options.parts else ():
        repeats = 1 if options.quick else REPEATS
        bench.compare(work, FAST_MS, judging_floor.sdk, repeats, BARS[options.mode])
    for work in works if "slow" in options.parts and options.mode == "production" else ():
        repeats = 1 if options.quick else SLOW_REPEATS
        bench.compare(work, SLOW_MS, judging_floor.aiohttp, repeats, "at most 1.1")
    if "many" in options.parts:
        bench.compare_many()
    if "answers" in options.parts:
        bench.compare_answers(1 if options.quick else REPEATS)
    bench.report_memory()


if __name__ == "__main__":
    main()
