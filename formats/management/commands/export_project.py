"""`manage.py export_project SLUG [--to FILE]`: what a project is made of, as one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from formats.project_file.describing import file_of
from projects.command_line import project_named, writing


class Command(BaseCommand):
    help = "Write the project file of a project: everything it is made of, but its texts and answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--to", type=Path, help="path of the file; left out, it is printed")

    def handle(self, *args: Any, **options: Any) -> None:
        content = file_of(project_named(options["project"]))
        if options["to"] is None:
            self.stdout.write(content.decode(), ending="")
            return
        with writing(options["to"]):
            options["to"].write_bytes(content)
        self.stderr.write(_("Written: %(path)s.") % {"path": options["to"]})
