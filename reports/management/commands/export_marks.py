"""`manage.py export_marks PROJECT --format label-studio --to FILE`: what was marked, for another tool."""

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from formats.foreign.documents import told
from projects import audit
from projects.command_line import project_named
from reports.foreign_exporting import EXPORTED, MARKS, marks_written


class Command(BaseCommand):
    help = "Write the texts of a project with everybody's marks in the format of another annotation tool."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--format", choices=MARKS, required=True)
        parser.add_argument("--to", default="-", metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        lost: Counter[str] = Counter()
        blocks = marks_written(project, options["format"], lost)
        audit.record(EXPORTED, actor=None, project=project, subject=options["format"])
        if options["to"] == "-":
            for block in blocks:
                sys.stdout.buffer.write(block)
        else:
            with Path(options["to"]).open("wb") as file:
                for block in blocks:
                    file.write(block)
        if lost := +lost:
            self.stderr.write(f"The format cannot hold, so this was left out: {told(lost)}.")
