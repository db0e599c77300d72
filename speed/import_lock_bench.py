"""16 people save at an embedded installation while 50 MB are imported and a project of a study's size is made.

What SQLite has is one writer at a time. Counted: the longest time in which nobody else could write, seconds of it for
10,000 rows, and how long the slowest saves took. Exit code 1, and a line each, where a save was answered by anything
but 200, where the slowest hundredth of them waited for longer than the longest lock and a second, and where the import
held the lock for more than a second for each 10,000 rows. That of the project is printed beside about a second.

    make bench ARGS=import_lock
    make bench ARGS="import_lock --megabytes 2 --scale juice"    smaller
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

from speed import workload
from speed.load import CLIENTS, Load, measure
from speed.results import report
from speed.saving_bench import save
from speed.servers import ROOT, Installation, installation
from speed.write_lock import WriteLock

MEGABYTES = 50
LINE_BYTES = 2_500
SCALE = "menlo"
# So long may nobody else write for each 10,000 rows, and so much longer than the lock may a save take.
LOCK_SECONDS = LONGER = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, help="of the file that is imported")
    parser.add_argument("--scale", default=SCALE, help="the generated project that is made")
    options = parser.parse_args()
    sys.exit(tell(measured(options.megabytes, options.scale)))


def tell(broken: list[str]) -> int:
    """The exit code."""
    for promise in broken:
        print(f"   BROKEN: {promise}", flush=True)
    return 1 if broken else 0


def measured(megabytes: int, scale: str) -> list[str]:
    """What was not as it must be, in words."""
    with installation(sqlite=True) as mizan:
        os.environ.update(mizan.environment)
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        stage = workload.build()
        make_queue(stage)
        file, rows = written(mizan.folder / "items.jsonl", megabytes)
        with mizan.web() as address:
            people = workload.everybody_signed_in(address)
            quiet = measure(address, save, seconds=5, people=people, stage=stage)
            broken = measure_import(mizan, address, people, stage, file, rows, quiet)
            return broken + measure_demo(mizan, address, people, stage, scale, quiet)


def make_queue(stage: int) -> None:
    """An item for each person, of responses with the text of the first."""
    from projects.models import Response
    from workflow.models import Stage
    from workflow.planning import plan_items

    first = Response.objects.get(key="r")
    copies = []
    for number in range(2 * CLIENTS):
        copy = Response.objects.get(pk=first.pk)
        copy.pk, copy.uuid, copy.key = None, uuid.uuid4(), f"r-{number}"
        copies.append(copy)
    Response.objects.bulk_create(copies)
    plan_items(Stage.objects.get(pk=stage))


def written(path: Path, megabytes: int) -> tuple[Path, int]:
    """A file of items of this size, and how many rows it makes."""
    import orjson

    lines = megabytes * 1_000_000 // LINE_BYTES
    text = "word " * ((LINE_BYTES - 150) // 5)
    shared = {"variety": "en-US", "model": "M", "laboratory": "L", "response": text}
    with path.open("wb") as file:
        for number in range(lines):
            line = {"id": f"i{number}", "prompt_id": f"q{number // 10}", "prompt": f"question {number // 10}", **shared}
            file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    return path, lines + lines // 10


def measure_import(
    mizan: Installation, address: str, people: list[dict], stage: int, file: Path, rows: int, quiet: Load
) -> list[str]:
    begun = time.monotonic()
    lock, saves = beside(mizan, address, people, stage, "import_items", workload.SLUG, str(file))
    size = file.stat().st_size / 1e6
    figure = f"{lock:.2f} s, {lock / rows * 10_000:.2f} s / 10,000 rows"
    work = f"import of {size:.0f} MB, {rows:,} rows"
    report(f"longest write lock, {work}", figure, bar="1 s / 10,000 rows")
    report_saves(f"16 people save meanwhile ({time.monotonic() - begun:.0f} s)", saves, quiet, lock)
    return broken_lock(work, lock, rows) + broken_saves(work, saves, lock)


def measure_demo(
    mizan: Installation, address: str, people: list[dict], stage: int, scale: str, quiet: Load
) -> list[str]:
    lock, saves = beside(mizan, address, people, stage, "load_demo", "--scale", scale)
    work = f"load_demo --scale {scale}"
    report(f"longest write lock, {work}", f"{lock:.2f} s", bar="about 1 s")
    report_saves("16 people save meanwhile", saves, quiet, lock)
    return broken_saves(work, saves, lock)


def report_saves(work: str, saves: Load, quiet: Load, lock: float) -> None:
    figure = f"p99 {saves.quantile(0.99):.2f} s, {failed(saves)} of {len(saves.times)} failed"
    bar = f"0 failed, p99 under {lock + LONGER:.2f} s"
    report(work, figure, floor=f"p99 {quiet.quantile(0.99):.2f} s alone", bar=bar)


def broken_lock(work: str, lock: float, rows: int) -> list[str]:
    """Fewer than 10,000 rows may take as long as those: a transaction costs something by itself."""
    bar = LOCK_SECONDS * max(rows, 10_000) / 10_000
    return [f"{work}: nobody else could write for {lock:.2f} s, where {bar:.2f} s are the most"] if lock > bar else []


def broken_saves(work: str, saves: Load, lock: float) -> list[str]:
    broken = []
    if failed(saves):
        answers = ", ".join(f"{n} x {status}" for status, n in sorted(saves.statuses.items()) if status != 200)
        broken.append(f"{work}: {failed(saves)} of {len(saves.times)} saves failed ({answers})")
    # Of none or one there is no slowest hundredth; and a bench in which nobody saved has shown nothing.
    if not saves.quantile(0.99) <= lock + LONGER:
        slowest = f"the slowest hundredth of {len(saves.times)} saves took {saves.quantile(0.99):.2f} s"
        broken.append(f"{work}: {slowest}, where {lock + LONGER:.2f} s are the most")
    return broken


def failed(saves: Load) -> int:
    return len(saves.times) - saves.statuses[200]


def beside(
    mizan: Installation, address: str, people: list[dict], stage: int, *command: str, seconds: float = 5.0
) -> tuple[float, Load]:
    """Run a command while people save, for as long as it takes; the longest write lock and all of the saves."""
    log = io.StringIO()
    whole = Load(0)
    with WriteLock(mizan.folder / "mizan.sqlite3") as lock:
        process = subprocess.Popen(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=mizan.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        reader = threading.Thread(target=lambda: log.write(process.communicate()[0]), daemon=True)
        reader.start()
        while process.poll() is None:
            part = measure(address, save, seconds=seconds, warm_up=0, people=people, stage=stage)
            whole.seconds += part.seconds
            whole.times += part.times
            whole.statuses.update(part.statuses)
        reader.join()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed: {log.getvalue()}")
    return lock.longest, whole


if __name__ == "__main__":
    main()
