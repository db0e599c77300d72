"""`make bench [ARGS="saving claiming"]`: run every speed/*_bench.py, or those named, and print one table. `make bench
ARGS=--help` names them all, each with what it measures.

What follows the names and begins with a dash is passed on: `make bench ARGS="judging --only embedded"`. The soak, which
takes half an hour and can fail, is run only where it is named.

Ratios are what counts: each bench measures its floor in the same run on the same machine, and a ratio is our figure
through the floor's (of rates the higher is the better, of times the lower). No figure passes or fails, but where people
were promised something (`soak`, `import_lock`): a promise that was broken, or a bench that cannot run, makes the exit
code 1. A bench is a module with a `main()` that reports its results. The data
stands in throw-away servers and folders on this machine, and all load goes to its loopback address.
"""

from __future__ import annotations

import ast
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from speed.results import GATHERED_IN, gathered, table

HERE = Path(__file__).resolve().parent


# The soak takes half an hour and more, and coverage is of no speed: only where they are named.
BY_NAME_ALONE = {"coverage", "soak"}


def main(arguments: list[str]) -> int:
    first_option = next((n for n, word in enumerate(arguments) if word.startswith("-")), len(arguments))
    names, options = arguments[:first_option], arguments[first_option:]
    benches = sorted(path.stem.removesuffix("_bench") for path in HERE.glob("*_bench.py"))
    if not names and options in (["--help"], ["-h"]):
        print(f"{__doc__}\n{described(benches)}")
        return 0
    unknown = set(names) - set(benches)
    if unknown:
        print(f"No bench is named {', '.join(sorted(unknown))}. There are: {', '.join(benches)}.")
        return 1
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mizan-bench-") as folder:
        results = Path(folder) / "results.jsonl"
        chosen = names or [name for name in benches if name not in BY_NAME_ALONE]
        failed = [name for name in chosen if not run(name, results, options)]
        print(f"\n{table(gathered(results))}", flush=True)
    if failed:
        print(f"\nCould not be measured, or broke a promise (the lines above say which): {', '.join(failed)}")
    return 1 if failed else 0


def described(benches: Sequence[str]) -> str:
    """Each bench with the first sentence of what it says of itself."""
    lines = []
    for name in benches:
        said = ast.get_docstring(ast.parse((HERE / f"{name}_bench.py").read_text(encoding="utf-8"))) or ""
        lines.append(f"  {name:<14} {' '.join(said.split()).split('. ')[0].rstrip('.')}")
    return "\n".join(lines)


def run(name: str, results: Path, options: list[str]) -> bool:
    """Each bench in a process of its own: what one imported or left in memory does not weigh on the next."""
    load, _five, _fifteen = os.getloadavg()
    print(f"\n== {name} (the machine's load before: {load:.1f})", flush=True)
    began = time.monotonic()
    program = f"from speed.{name}_bench import main; main()"
    environment = os.environ | {GATHERED_IN: str(results), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", program, *options]
    done = subprocess.run(command, cwd=HERE.parent, env=environment, stdin=subprocess.DEVNULL)
    print(f"   measured in {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
