"""`make bench [ARGS="saving claiming"]`: run every benchmarks/*_bench.py, or those named, and print their tables.

Ratios are what counts: each bench measures its floor in the same run on the same machine. Nothing here passes or
fails; only a bench that cannot run makes the exit code 1. A bench is a module with a `main()` that prints. The
data stands in throw-away servers and folders on this machine, and all load goes to its loopback address.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(names: list[str]) -> int:
    benches = sorted(path.stem.removesuffix("_bench") for path in HERE.glob("*_bench.py"))
    unknown = set(names) - set(benches)
    if unknown:
        print(f"No bench is named {', '.join(sorted(unknown))}. There are: {', '.join(benches)}.")
        return 1
    print(f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}", flush=True)
    failed = [name for name in names or benches if not run(name)]
    if failed:
        print(f"\nCould not be measured: {', '.join(failed)}")
    return 1 if failed else 0


def run(name: str) -> bool:
    """Each bench in a process of its own: what one imported or left in memory does not weigh on the next."""
    print(f"\n== {name}", flush=True)
    began = time.monotonic()
    program = f"from benchmarks.{name}_bench import main; main()"
    done = subprocess.run([sys.executable, "-c", program], cwd=HERE.parent, stdin=subprocess.DEVNULL)
    print(f"   measured in {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
