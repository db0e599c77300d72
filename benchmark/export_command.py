"""What the commands that write something of a question set as JSON lines have in common."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from benchmark.models import QuestionSet
from projects import audit
from projects.command_line import project_named
from projects.models import Project


class ExportCommand(BaseCommand):
    """`event` is what the audit log has; `newest` says which version is taken where none is named."""

    event: str
    newest = "default: the newest"
    held_back = "held-back questions as well"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("set", help="short name of the question set")
        parser.add_argument("--set-version", type=int, help=self.newest)
        parser.add_argument("--with-held-back", action="store_true", help=self.held_back)
        parser.add_argument("--output", metavar="FILE", help="default: standard output")

    def version(self, project: Project, slug: str, version: int | None) -> QuestionSet:
        raise NotImplementedError

    def lines(self, question_set: QuestionSet, with_held_back: bool) -> Iterator[bytes]:
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        question_set = self.version(project, options["set"], options["set_version"])
        held_back = options["with_held_back"]
        with transaction.atomic():
            lines = self.lines(question_set, held_back)
            if options["output"]:
                with open(options["output"], "wb") as file:
                    file.writelines(lines)
            else:
                sys.stdout.buffer.writelines(lines)
            said = {"subject": str(question_set), "held_back": held_back, "via": "command"}
            audit.record(self.event, actor=None, project=project, **said)
