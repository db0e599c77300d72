import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from benchmark.access import frozen_set_named
from benchmark.exporting_answers import exported_answers
from projects import audit
from projects.command_line import project_named


class Command(BaseCommand):
    help = "Write the answers to a question set and their judges' scores as JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("set", help="short name of the question set")
        parser.add_argument("--set-version", type=int, help="default: the newest frozen one")
        parser.add_argument("--with-held-back", action="store_true", help="answers to held-back questions as well")
        parser.add_argument("--output", metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        question_set = frozen_set_named(project, options["set"], options["set_version"])
        held_back = options["with_held_back"]
        with transaction.atomic():
            lines = exported_answers(question_set, held_back)
            if options["output"]:
                with open(options["output"], "wb") as file:
                    file.writelines(lines)
            else:
                sys.stdout.buffer.writelines(lines)
            subject, via = str(question_set), "command"
            said = {"subject": subject, "held_back": held_back, "via": via}
            audit.record("answers.exported", actor=None, project=project, **said)
