"""`manage.py export_ratings PROJECT --format alpaca-eval --to FILE`: what was rated, for another tool."""

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from formats.foreign.documents import Loss
from projects import audit
from projects.command_line import project_named
from projects.models import Project, QuestionType
from projects.problems import Invalid
from reports.foreign_exporting import EXPORTED, RATINGS, ratings_written


class Command(BaseCommand):
    help = "Write the rated texts of a project with everybody's ratings in the format of another tool."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--format", choices=RATINGS, required=True)
        parser.add_argument("--question", help="short name of the question type, where the project has several")
        parser.add_argument("--to", default="-", metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        lost: Counter[str] = Counter()
        blocks = ratings_written(_question(project, options["question"]), options["format"], lost)
        audit.record(EXPORTED, actor=None, project=project, subject=options["format"])
        try:
            if options["to"] == "-":
                for block in blocks:
                    sys.stdout.buffer.write(block)
            else:
                with Path(options["to"]).open("wb") as file:
                    for block in blocks:
                        file.write(block)
        except Invalid as refused:
            raise CommandError("\n".join(str(problem) for problem in refused.problems)) from None
        if left_out := lost[Loss.ANSWERS]:
            self.stderr.write(f"{left_out} answers left out: the format cannot hold them.")


def _question(project: Project, slug: str | None) -> QuestionType:
    questions = project.question_types.all()
    found = list(questions.filter(slug=slug) if slug else questions)
    if len(found) != 1:
        names = ", ".join(questions.values_list("slug", flat=True)) or "none"
        raise CommandError(f"Say which question type by --question. The project has: {names}")
    return found[0]
