"""`manage.py export_quiz SLUG --stage NAME [--language CODE] [--step N] [--to FILE]`: a quiz as a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from projects.command_line import project_named, writing
from screening.models import Quiz
from screening.quiz.files import file_of


class Command(BaseCommand):
    help = "Write a quiz with its questions, to be kept or brought into another stage."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--stage", required=True, help="name of the stage")
        parser.add_argument("--language", default="", help="code of the language; left out, the quiz of all languages")
        parser.add_argument("--step", type=int, default=1, help="its step among several quizzes of the stage (1)")
        parser.add_argument("--to", type=Path, help="path of the file; left out, it is printed")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        quizzes = Quiz.objects.filter(stage__project=project).select_related("stage__project")
        place = {"language": options["language"], "step": options["step"]}
        quiz = quizzes.filter(stage__name=options["stage"], **place).first()
        if quiz is None:
            raise CommandError(_("The project has no such quiz."))
        content = file_of(quiz)
        if options["to"] is None:
            self.stdout.write(content.decode(), ending="")
            return
        with writing(options["to"]):
            options["to"].write_bytes(content)
        self.stderr.write(_("Written: %(path)s.") % {"path": options["to"]})
