from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.baselines import add_baselines
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Add rows that know nothing (empty, constant, first option, longest option, question echoed) to a benchmark."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            added = add_baselines(project_named(options["project"]))
        except Invalid as refused:
            raise CommandError(refused.problems[0].message) from None
        for name, answers in added.items():
            self.stdout.write(_("%(name)s: %(answers)d new answers.") % {"name": name, "answers": answers})
