"""The task queue with two kinds of jobs for the tests: a real import, and one that holds its slot until it is told."""

import time
from pathlib import Path
from typing import Any

import django

from config.celery import app

__all__ = ["app"]

django.setup()

from django.conf import settings  # noqa: E402
from django.db.models import Avg, Count  # noqa: E402
from django.db.models.functions import Length  # noqa: E402

from formats.importing.running import run_import  # noqa: E402
from formats.reading import Source  # noqa: E402
from jobs.kinds import JobKind, register  # noqa: E402
from jobs.models import Queue  # noqa: E402
from jobs.working import Held  # noqa: E402


class ImportedFile(JobKind):
    name, label, queue = "imported-file", "Import", Queue.WORK

    def run(self, held: Held) -> Any:
        assert held.job.project
        path = Path(held.job.options["path"])
        with path.open("rb") as file:
            outcome = run_import(held.job.project, Source(file, path.name, path.stat().st_size), "items")
        return outcome.as_json()


class CountedTexts(JobKind):
    name, label, queue = "counted-texts", "Figures", Queue.FIGURES

    def run(self, held: Held) -> Any:
        assert held.job.project
        return held.job.project.responses.aggregate(count=Count("pk"), mean=Avg(Length("text")))


class Holding(JobKind):
    """As an import of hours: it is in its worker's hands, and alive, until the file `go-on` is there."""

    name, label, queue = "holding", "Long work", Queue.WORK

    def run(self, held: Held) -> Any:
        while not (Path(settings.DATA_DIR) / "go-on").exists():
            held.progress(0)
            time.sleep(0.1)


register(ImportedFile(), CountedTexts(), Holding())
