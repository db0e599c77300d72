from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.access import set_named
from benchmark.freezing import freeze
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Freeze the newest version of a question set: nothing of it changes from then on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("set", help="short name of the question set")

    def handle(self, *args: Any, **options: Any) -> None:
        question_set = set_named(project_named(options["project"]), options["set"])
        try:
            frozen = freeze(question_set)
        except Invalid as refused:
            for problem in refused.problems:
                self.stderr.write(str(problem))
            raise CommandError(_("The question set was not frozen.")) from None
        self.stdout.write(_("Frozen: %(set)s, SHA-256 %(sha256)s.") % {"set": frozen, "sha256": frozen.sha256})
