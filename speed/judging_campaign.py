"""The storm over the judging at full size: 5,000 calls of which three in ten fail, while workers die and messages go.

Two worker processes on PostgreSQL and Redis: 50 SIGKILLs of a child, 10 of the whole group, Redis emptied 10 times,
processes frozen and messages sent twice. Then the embedded mode's one worker on SQLite and files, killed 20 times.
At the end every call has ended in one state with one stored answer, attempts and spend are within their bounds by
the provider's own bill, and nobody has helped: the clock's sweep brought all of it to its end.

Run from the project's root: `python -m speed.judging_campaign [--only production|embedded] [--calls N]`. Takes up
to ten minutes for each mode; exit code 1 where a promise was broken. `tests/faults/test_judge_calls_end_once.py` is
the same, smaller. All servers are its own, on this machine's loopback address, and end with it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.processes import end_on_signals
from speed.servers import ROOT
from tests import servers

if TYPE_CHECKING:  # Django is set up first
    from judging.models import RunSet
    from tests.faults.storms import Outcome

CONCURRENCY = 32
MODES = ("production", "embedded")
# In US dollars for a million tokens, read and written.
PRICES = (2, 8)
# Of a call, in billionths of a dollar: so many bytes sent, so many tokens written. What a worker that dies had set
# aside for its next 192 calls counts as spent, so sixty of them take more than all calls do.
WORST_CASE = 7_000 * 2_000 + 500 * 8_000
WORST_CASES = 6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=MODES)
    parser.add_argument("--inside", choices=MODES, help=argparse.SUPPRESS)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--minutes", type=float, default=10, help="what a storm may take; more on a busy machine")
    options = parser.parse_args()
    end_on_signals()  # so that everything is ended that was started
    if options.inside:
        return storm(options.inside, options.calls, options.minutes)
    return max(start(mode, options.calls, options.minutes) for mode in ([options.only] if options.only else MODES))


def start(mode: str, calls: int, minutes: float) -> int:
    """An empty database of this mode, and the campaign on it in a process that is set up for that database."""
    with contextlib.ExitStack() as started:
        folder = Path(started.enter_context(tempfile.TemporaryDirectory(prefix="mizan-campaign-")))
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        environment = kept | {
            "DATA_DIR": str(folder),
            "SECRET_KEY": "campaign-only",
            "STATIC_HASHED": "0",
            "LOG_LEVEL": "ERROR",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONWARNINGS": "ignore",
        }
        if mode == "production":
            environment["DATABASE_URL"] = started.enter_context(servers.postgres(durable=True))
        else:
            environment["DATABASE_URL"] = f"sqlite:///{folder / 'campaign.sqlite3'}"
        migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
        command = [sys.executable, "-m", "speed.judging_campaign", "--inside", mode, "--calls", str(calls)]
        command += ["--minutes", str(minutes)]
        return subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL).returncode


def storm(mode: str, calls: int, minutes: float) -> int:
    import django

    django.setup()
    from tests.faults.judge_calls import broken_promises
    from tests.faults.judging_machine import judging_machine
    from tests.faults.storms import Weather, weather

    what = Weather(child_kills=50, group_kills=10, flushes=10, freezes=4, resends=10, seconds=60 * minutes)
    if mode == "embedded":
        what = replace(what, child_kills=0, group_kills=20, flushes=0)
    run_set = a_run_set(calls)
    run = run_set.runs.get()
    folder = Path(os.environ["DATA_DIR"]) / "machine"
    with judging_machine(folder, os.environ["DATABASE_URL"], embedded=mode == "embedded") as machine:
        machine.start()
        outcome = weather(machine, run, what)
        charges = machine.provider.charges()
    promises = broken_promises(outcome, charges, CONCURRENCY)
    tell(mode, calls, run_set, outcome, charges)
    for promise in promises:
        print(f"   BROKEN: {promise}", flush=True)
    return 1 if promises else 0


def a_run_set(calls: int) -> RunSet:
    """A judge that reads responses of four paragraphs one by one, within a budget."""
    from judging.engine.choice import Choice
    from judging.engine.run_sets import create_set
    from providers.models import Provider, ServedModel
    from speed.judging_work import PARAGRAPHS, a_project, span_judge

    project = a_project("storm", calls // PARAGRAPHS)
    judge = span_judge(project, CONCURRENCY, "simulated-1", "paragraph")
    judge.max_output_tokens = 500
    judge.save(update_fields=["max_output_tokens"])
    Provider.objects.update(timeout_seconds=2)
    ServedModel.objects.create(provider=judge.provider, name=judge.model, input_price=PRICES[0], output_price=PRICES[1])
    return create_set(project, [judge], Choice(), 1, money_limit=WORST_CASES * calls * WORST_CASE)


def tell(mode: str, calls: int, run_set: RunSet, outcome: Outcome, charges: dict) -> None:
    from judging.engine.runs import counts

    run_set.refresh_from_db()
    states = {state: n for state, n in counts(outcome.run).items() if n}
    deeds = ", ".join(f"{n} x {name}" for name, n in outcome.deeds.items())
    lost = charges["answers"] - charges["broken"] - states.get("scored", 0)
    charged = charges["prompt_tokens"] * PRICES[0] * 1000 + charges["completion_tokens"] * PRICES[1] * 1000
    most = max((requests for requests, _charged in charges["of_key"].values()), default=0)
    print(f"\n{calls:,} calls, {mode}: {deeds}")
    print(f"   {states} in {outcome.seconds:.0f} s, {outcome.seconds_after:.1f} s after the last deed")
    print(f"   {charges['answers']} answers charged, {charges['broken']} of them broken off by the provider")
    print(f"   {lost} paid for and lost ({lost / calls:.1%} of the calls); a call was sent {most} times at most")
    money = {"charged": charged, "spent": run_set.money_spent, "limit": run_set.money_limit}
    print("   " + ", ".join(f"{name} {amount / 1e9:.4f} $" for name, amount in money.items()), flush=True)


if __name__ == "__main__":
    sys.exit(main())
