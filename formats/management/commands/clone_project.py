"""`manage.py clone_project SLUG NEW`: another project made of the same parts."""

from argparse import ArgumentParser
from typing import Any

from formats.project_file.applying import clone
from formats.project_file.command import ProjectFileCommand
from projects.command_line import project_named
from projects.problems import Invalid


class Command(ProjectFileCommand):
    help = "Make a new project like another one, without its texts, people and answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("new", help="short name of the new one")
        parser.add_argument("--name", default="", help="its name; left out, that of the other")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            applied = clone(project_named(options["project"]), options["new"], name=options["name"])
        except Invalid as invalid:
            raise self.refused(invalid) from None
        applied.changes = []
        self.tell(applied)
