"""`make run` for half an hour on a busy machine, while all of its programs are killed by lot: `make bench ARGS=soak`.

People save through the site and keep a ledger; judges run against the simulated provider; imports and exports come and
go as commands and uploads; broken messages are thrown into the broker's folder. At the end everything that was promised
is held against the database. Exit code 1 where a promise was broken. tests/faults/test_the_site_is_soaked.py is its
short form.

    make bench ARGS=soak                           30 minutes at a load above 16
    make bench ARGS="soak --minutes 5 --load 0"    shorter, and no load but its own
    make bench ARGS="soak --each 10"               each program in turn, so often, without a pause
    make bench ARGS="soak --planted"               the three defects that a soak must see
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from deploy.processes import end_on_signals
from speed.results import report
from tests.faults.soaking import VICTIMS, Outcome, Plan, broken_promises, longest_lock, soak
from tests.faults.soaking_defects import DEFECTS

LOAD = 16.0
# So long is a kill and what it takes to be over it, on a busy machine.
SECONDS_A_KILL = 15.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--load", type=float, default=LOAD, help="of the machine, kept above this; 0: as it is")
    parser.add_argument("--each", type=int, default=0, help="kill each program in turn, so often, and then end")
    parser.add_argument("--planted", action="store_true", help="whether each planted defect is seen")
    parser.add_argument("--quiet", action="store_true", help="the table alone")
    options = parser.parse_args()
    end_on_signals()  # so that everything is ended that was started
    if options.planted:
        sys.exit(max(planted(name, plan, words) for name, (plan, words) in DEFECTS.items()))
    minutes = options.minutes
    plan = Plan(60 * minutes, pause=5, deeds_between=10, thinking=0.5, rows=2_000, load=options.load)
    if options.each:
        plan = replace(plan, seconds=0, kills=VICTIMS * options.each, pause=0)
        minutes = max(1, len(plan.kills) * SECONDS_A_KILL / 60)
    # Enough that nobody runs out of work: an item takes about five requests of each of two people.
    plan = replace(plan, items=100 + round(60 * minutes / plan.thinking / 2), responses=40)
    sys.exit(tell(run(plan, options.quiet)))


def run(plan: Plan, is_quiet: bool) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="mizan-soak-") as folder:
        return soak(Path(folder), plan, (lambda line: None) if is_quiet else lambda line: print("  ", line, flush=True))


def tell(outcome: Outcome) -> int:
    tally = outcome.tally
    load = outcome.load or [os.getloadavg()[0]]
    report("soak: length, and the machine's load in the mean", f"{outcome.seconds:.0f} s, {sum(load) / len(load):.1f}")
    statuses = ", ".join(f"{n} x {status}" for status, n in sorted(tally.statuses.items()))
    report("requests", f"{tally.requests}: {statuses}")
    report("not answered", str(len(tally.failures)), bar="0")
    report("lost with a killed process of the web server", str(tally.lost_by_kill))
    report("slowest answer", f"{tally.slowest[0]:.1f} s", floor=tally.slowest[1][:60])
    report("longest time in which nobody was answered", f"{tally.longest_silence:.1f} s")
    report(
        "longest time in which nobody could write",
        f"{outcome.longest_lock:.1f} s",
        bar=f"{longest_lock(outcome):.1f} s",
    )
    for victim in VICTIMS:
        restarts = outcome.restarts.get(victim)
        report(
            f"kills of the {victim}", f"{outcome.kills[victim]}, {restarts if restarts is not None else '-'} restarts"
        )
    report("slowest restart", "{:.1f} s, {}".format(*outcome.slowest_restart))
    report(
        "runs of judges", f"{len(outcome.judging.get('runs', []))}, {outcome.runs_resumed} times resumed by their lead"
    )
    for what in ("jobs", "calls"):
        report(f"{what} by state", ", ".join(f"{n} {state}" for state, n in outcome.judging.get(what, {}).items()))
    report("kept of what people were promised", ", ".join(f"{n} x {what}" for what, n in outcome.people.kept.items()))
    stored = sum(file.is_promised for file in outcome.imports)
    report("files imported, and refused or cut off", f"{stored}, {len(outcome.imports) - stored}")
    report(
        "exports, and what they held", f"{outcome.turns['Exports']}, {outcome.exports.lines if outcome.exports else 0}"
    )
    report("broken messages, of which left", f"{outcome.broken_messages}, {outcome.messages_left}", bar="0 left")
    broken = broken_promises(outcome)
    for promise in broken:
        print(f"   BROKEN: {promise}", flush=True)
    return 1 if broken else 0


def planted(name: str, plan: Plan, words: str) -> int:
    broken = broken_promises(run(plan, True))
    is_seen = any(words in promise for promise in broken)
    report(f"planted: {name}", "seen" if is_seen else "NOT SEEN", floor=" | ".join(broken)[:100], bar="seen")
    return 0 if is_seen else 1


if __name__ == "__main__":
    main()
