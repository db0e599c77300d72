"""`manage.py import_quiz FILE --project SLUG --stage NAME [--dry-run]`: bring a quiz into a stage."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from formats.project_file.command import ProjectFileCommand, content_of
from projects.command_line import project_named
from projects.problems import Invalid
from screening.quiz.files import bring_in


class Command(ProjectFileCommand):
    help = "Make the quiz of a stage, of the file's language and step, what the file says. A new one is closed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="path of the file, or - for standard input")
        parser.add_argument("--project", required=True, help="short name of the project")
        parser.add_argument("--stage", required=True, help="name of the stage")
        parser.add_argument("--dry-run", action="store_true", help="say what would be refused, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        content, project = content_of(options["file"]), project_named(options["project"])
        stage = project.stages.select_related("project").filter(name=options["stage"]).first()
        if stage is None:
            raise CommandError(_("The project has no stage “%(name)s”.") % {"name": options["stage"]})
        try:
            _quiz, notes = bring_in(stage, content, None, dry_run=options["dry_run"])
        except Invalid as invalid:
            raise self.refused(invalid) from None
        for note in notes:
            self.stderr.write(note)
