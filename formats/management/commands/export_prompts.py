"""`manage.py export_prompts SLUG [--to FILE]`: the prompts of a project, whether or not anybody has answered them."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from formats.exporting_prompts import lines
from projects.command_line import project_named, writing


class Command(BaseCommand):
    help = "Write the prompts of a project as JSON lines, which any import of prompts reads back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--to", type=Path, help="path of the file; left out, it is printed")

    def handle(self, *args: Any, **options: Any) -> None:
        written = lines(project_named(options["project"]))
        if options["to"] is None:
            for line in written:
                self.stdout.write(line.decode(), ending="")
            return
        with writing(options["to"]), options["to"].open("wb") as file:
            file.writelines(written)
        self.stderr.write(_("Written: %(path)s.") % {"path": options["to"]})
