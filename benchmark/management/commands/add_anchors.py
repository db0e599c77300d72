from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.anchors import add_anchors
from formats.reading import Source
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Add fixed answers that judges score again in every run, from JSON lines of question, text and expected."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("file", type=Path, help='JSON lines: {"question": KEY, "text": ANSWER, "expected": POINTS}')

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        try:
            with options["file"].open("rb") as file:
                counts = add_anchors(project, Source(file, options["file"].name))
        except OSError as error:
            raise CommandError(str(error)) from None
        except Invalid as refused:
            for problem in refused.problems:
                self.stderr.write(str(problem))
            raise CommandError(_("No anchor answer was added.")) from None
        self.stdout.write(_("Anchor answers: %(added)d added, %(unchanged)d there already.") % counts)
