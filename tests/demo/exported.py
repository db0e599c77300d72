"""A generated study as somebody elsewhere has it: loaded by `load_demo`, and nothing of it but the exported files."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from tests.standing import standing

Row = dict[str, Any]


class Files:
    """The files that were exported, read line by line as any program reads them; no column is known beforehand."""

    def __init__(self, folder: Path, slug: str) -> None:
        self.folder, self.slug = folder, slug

    def lines(self, frame: str) -> Iterator[Row]:
        """Of `export_answers --format jsonl`."""
        with (self.folder / f"{self.slug}-{frame}.jsonl").open(encoding="utf-8") as file:
            yield from map(json.loads, file)

    def table(self, frame: str) -> list[dict[str, str]]:
        """Of `export_answers --format csv`."""
        with (self.folder / f"{self.slug}-{frame}.csv").open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    def gold(self) -> Iterator[Row]:
        """Of `export_gold`."""
        with (self.folder / "gold.jsonl").open(encoding="utf-8") as file:
            yield from map(json.loads, file)


def export_of(scale: str, folder: Path, blocker: DjangoDbBlocker, frames: str, tables: str = "") -> Files:
    """Of the study of that size, which is loaded, write these frames as JSON Lines and those `tables` as CSV."""

    def bring_out() -> None:
        out = io.StringIO()
        for file_format, only in (("jsonl", frames), ("csv", tables)):
            if only:
                call_command("export_answers", scale, to=folder, format=file_format, only=only, stdout=out)
        call_command("export_gold", scale, output=folder / "gold.jsonl", stdout=out)

    with standing(blocker, bring_out):
        return Files(folder, scale)
