import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from benchmark.access import add_set_options, frozen_sets_named
from benchmark.answering import receive_outstanding
from benchmark.models import QuestionSet
from benchmark.scoring import ScoredCounts, score_answers
from projects.command_line import project_named
from projects.terminal import ProgressBar, interrupted_with


class Command(BaseCommand):
    help = "Score stored answers by the rules that ask nobody. What is scored already is not scored again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="short name of the project")
        add_set_options(parser)
        parser.add_argument("--json", action="store_true", help="counts as JSON, by set")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        sets = frozen_sets_named(project, options)
        receive_outstanding(project)
        counts = {str(question_set): self.scored(question_set) for question_set in sets}
        if options["json"]:
            self.stdout.write(json.dumps({name: asdict(each) for name, each in counts.items()}))
            return
        for name, each in counts.items():
            self.stdout.write(in_words(name, each))

    def scored(self, question_set: QuestionSet) -> ScoredCounts:
        message = _("Interrupted: what was scored stays; the same command goes on from there.")
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: message):
            return score_answers(question_set, progress=lambda done, total: bar.show(done, total, str(question_set)))


def in_words(name: str, counts: ScoredCounts) -> str:
    """What was scored, and what the answers are."""
    said = _(
        "%(set)s: %(answers)d answers, %(rulings)d of them new, with %(scores)d scores, of which %(problems)d failed. "
        "%(empty)d are empty, %(truncated)d cut off, %(refused)d refused, %(other)d in another language."
    )
    states = {state: counts.states.get(state, 0) for state in ("empty", "truncated", "refused")}
    numbers = {"answers": counts.answers, "rulings": counts.rulings, "scores": counts.scores}
    return said % {"set": name, **numbers, "problems": counts.problems, **states, "other": counts.other_language}
