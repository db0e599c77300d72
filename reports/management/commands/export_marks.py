"""`manage.py export_marks PROJECT --format label-studio --to FILE`: what was marked, for another tool."""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from django.core.management.base import BaseCommand

from formats.foreign.documents import Document
from formats.foreign.registry import FOREIGN
from projects import audit
from projects.command_line import project_named
from reports.foreign_files import documents_of

WRITTEN = sorted(name for name, module in FOREIGN.items() if hasattr(module, "written"))


class Command(BaseCommand):
    help = "Write the texts of a project with everybody's marks in the format of another annotation tool."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--format", choices=WRITTEN, required=True)
        parser.add_argument("--to", default="-", metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        module = FOREIGN[options["format"]]
        lost: Counter[str] = Counter()
        blocks = module.written(self.counted(module, documents_of(project, module.HOLDS, lost), lost))
        audit.record("gold.exported", actor=None, project=project, subject=options["format"])
        if options["to"] == "-":
            for block in blocks:
                sys.stdout.buffer.write(block)
        else:
            with Path(options["to"]).open("wb") as file:
                for block in blocks:
                    file.write(block)
        if lost := +lost:
            told = ", ".join(f"{count} {what}" for what, count in lost.items())
            self.stderr.write(f"The format cannot hold, so this was left out: {told}.")

    def counted(self, module: ModuleType, documents: Iterator[Document], lost: Counter[str]) -> Iterator[Document]:
        """The documents as they are, with what the format loses of each by how it is laid out."""
        for document in documents:
            lost.update(getattr(module, "losses", no_losses)(document))
            yield document


def no_losses(document: Document) -> dict[str, int]:
    return {}
