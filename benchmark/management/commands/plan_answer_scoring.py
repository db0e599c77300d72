from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.scoring_task.drawing import draw_sample
from benchmark.scoring_task.sampling import PER_SKILL
from projects.command_line import project_named
from projects.problems import Invalid


class Command(BaseCommand):
    help = "Draw answers of every skill for people to score: the items of a stage, which is made where it is missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--per-skill", type=int, default=PER_SKILL, help="answers of each skill (%(default)s)")
        parser.add_argument("--stage", default="", help="name of the stage")
        parser.add_argument("--people", type=int, help="who score each answer, of a new stage (2)")
        parser.add_argument("--seed", type=int, help="of a new stage: the same number draws the same answers")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        of_stage = {"stage": options["stage"], "seed": options["seed"]}
        try:
            stage, count = draw_sample(project, options["per_skill"], options["people"], **of_stage)
        except Invalid as refused:
            raise CommandError(refused.problems[0].message) from None
        values = {"count": count, "name": stage.name, "seed": stage.seed}
        self.stdout.write(_("New answers to score in “%(name)s”: %(count)d (seed %(seed)d).") % values)
