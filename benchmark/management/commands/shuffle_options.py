from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.access import frozen_set_named
from benchmark.shuffling import shuffle_set
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Make a set of a frozen version's multiple choices with their options in another order, drawn by a seed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("set", help="short name of the question set")
        parser.add_argument("--set-version", type=int, help="default: the newest frozen one")
        parser.add_argument("--seed", type=int, default=1, help="the same number draws the same orders (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if options["seed"] < 0:
            raise CommandError(_("A seed is a whole number from 0 on."))
        original = frozen_set_named(project, options["set"], options["set_version"])
        try:
            made = shuffle_set(original, options["seed"])
        except Invalid as refused:
            raise CommandError(refused.problems[0].message) from None
        values = {"set": made.question_set.slug, "n": made.questions, "left": made.left_out.total()}
        self.stdout.write(_("“%(set)s”: %(n)d questions, %(left)d left out.") % values)
        for reason, n in made.left_out.most_common():
            self.stdout.write(f"  {n}  {reason}")
