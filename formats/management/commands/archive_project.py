"""`manage.py archive_project SLUG [--to FILE]`: a project with all that it holds, as one file."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from formats.archive.writing import write_archive
from projects.audit import record
from projects.command_line import project_named, writing
from projects.terminal import ProgressBar


class Command(BaseCommand):
    help = "Write the archive of a project, for another installation: texts, answers, judges, settings, snapshots."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--to", type=Path, help="path of the file; left out: SLUG.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        path: Path = options["to"] or Path(f"{project.slug}.zip")
        begun = path.with_name(f"{path.name}.part")
        try:
            with writing(path), ProgressBar(sys.stderr) as bar:
                with begun.open("wb") as file:
                    written = write_archive(project, file, lambda done, total: bar.show(done, total))
                begun.replace(path)
        finally:
            begun.unlink(missing_ok=True)
        record("archive.taken", actor=None, project=project, subject=project.slug, via="command", rows=written.rows)
        told = {"path": path, "rows": written.rows, "size": path.stat().st_size / 1_000_000}
        self.stdout.write(_("Written: %(path)s, %(rows)d rows, %(size).1f MB.") % told)
