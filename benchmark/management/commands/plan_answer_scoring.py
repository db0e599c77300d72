import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from benchmark.scoring_task.sampling import PER_SKILL, plan_sample
from benchmark.scoring_task.task import AnswerScoring
from projects.command_line import project_named
from workflow.models import Stage

MAX_SEED = 2**31 - 1


class Command(BaseCommand):
    help = "Draw answers of every skill for people to score: the items of a stage, which is made where it is missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--per-skill", type=int, default=PER_SKILL, help="answers of each skill (%(default)s)")
        parser.add_argument("--stage", default="", help="name of the stage")
        parser.add_argument("--people", type=int, default=2, help="who score each answer, of a new stage (%(default)s)")
        parser.add_argument("--seed", type=int, help="of a new stage: the same number draws the same answers")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["per_skill"] < 1 or options["people"] < 1:
            raise CommandError(_("Of each skill one answer at least is drawn, for one person at least."))
        project = project_named(options["project"])
        name = options["stage"] or str(AnswerScoring.name)
        stage = Stage.objects.filter(project=project, name=name).first()
        if stage is not None and stage.kind != AnswerScoring.kind:
            raise CommandError(_("The stage “%(name)s” is for other work.") % {"name": name})
        if stage is not None and options["seed"] not in (None, stage.seed):
            raise CommandError(_("The stage “%(name)s” has another seed. Name a new stage.") % {"name": name})
        if stage is None:
            seed = options["seed"] if options["seed"] is not None else secrets.randbelow(MAX_SEED)
            last = Stage.objects.filter(project=project).order_by("position").values_list("position", flat=True).last()
            stage = Stage.objects.create(
                project=project,
                kind=AnswerScoring.kind,
                name=name,
                overlap=options["people"],
                seed=seed,
                position=(last or 0) + 1,
            )
        count = plan_sample(stage, options["per_skill"])
        values = {"count": count, "name": stage.name, "seed": stage.seed}
        self.stdout.write(_("New answers to score in “%(name)s”: %(count)d (seed %(seed)d).") % values)
