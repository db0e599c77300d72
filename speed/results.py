"""What a bench measured, as rows of one table: work, figure, floor, ratio, bar. Never a pass or a fail.

A bench prints each row as it has it; under `make bench` the rows are also gathered, and stand together at the end.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

# Where speed/run.py wants the rows; without it they are only printed.
GATHERED_IN = "BENCH_RESULTS"
HEADINGS = ("what", "figure", "floor of the same run", "ratio", "bar")
WIDTHS = (62, 26, 24, 6)


@dataclass(frozen=True)
class Result:
    """`ratio` is ours through the floor's: of rates the higher is the better, of times the lower."""

    work: str
    figure: str
    floor: str = "-"
    ratio: str = "-"
    bar: str = "-"

    def row(self) -> str:
        return line((self.work, self.figure, self.floor, self.ratio, self.bar))


def line(cells: Iterable[str]) -> str:
    *cut, last = cells
    return "  ".join([*(f"{cell:<{width}}" for cell, width in zip(cut, WIDTHS, strict=True)), last]).rstrip()


def report(work: str, figure: str, *, floor: str = "-", ratio: float | None = None, bar: str = "-") -> None:
    """Print one row, and keep it for the table at the end of `make bench`."""
    result = Result(work, figure, floor, "-" if ratio is None else f"{ratio:.2f}", bar)
    print(result.row(), flush=True)
    if path := os.environ.get(GATHERED_IN):
        with Path(path).open("ab") as file:
            file.write(orjson.dumps(asdict(result), option=orjson.OPT_APPEND_NEWLINE))


def gathered(path: Path) -> list[Result]:
    return [Result(**orjson.loads(entry)) for entry in path.read_bytes().splitlines()] if path.exists() else []


def table(results: list[Result]) -> str:
    return "\n".join([line(HEADINGS), *(result.row() for result in results)])
