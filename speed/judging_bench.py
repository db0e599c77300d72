"""Judge calls from plan to stored answers, by real workers, beside bare loops over the same requests in the same run.

Two worker processes on PostgreSQL and Redis, then the embedded mode's one worker on SQLite. At 50 ms a call the floor
is a bare asyncio loop over the same SDK, at 500 ms one over aiohttp, each in one process. Workers are up and warm
before the first plan. Floor and ours take turns, and the shortest of each counts.

Run from the project's root: `python -m speed.judging_bench [--only production|embedded] [--parts fast slow many
answers] [--quick]`. It prints and never passes or fails. BENCH_CPU=1 says besides who took how much of the processor.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys

from speed.judging_measuring import BARS, PARTS, PROVIDER_PID, WORKER_PID
from speed.servers import ROOT, installation
from tests.fake_provider import FakeProvider


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=BARS)
    parser.add_argument("--quick", action="store_true", help="one repetition of each")
    parser.add_argument(
        "--parts", nargs="*", choices=PARTS, default=PARTS, help="50 ms, 500 ms, ten times the calls, a benchmark"
    )
    options = parser.parse_args(arguments)
    for mode in [options.only] if options.only else BARS:
        with contextlib.ExitStack() as started:
            provider = FakeProvider()
            started.callback(provider.stop)
            mizan = started.enter_context(installation(sqlite=mode == "embedded"))
            mizan.environment["FAKE_PROVIDER_URL"] = provider.url
            worker = started.enter_context(mizan.worker())
            pids = {PROVIDER_PID: str(provider.process.pid), WORKER_PID: str(worker.process.pid)}
            # In a process of its own: a process is set up for one database and no other.
            command = [sys.executable, "-m", "speed.judging_measuring", mode]
            command += ["--parts", *options.parts, *(["--quick"] if options.quick else [])]
            environment = mizan.environment | pids
            subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
