"""manage.py assemble_panels PROJECT [--panel NAME] [--plan]"""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.ensembles.assembling import assemble
from judging.ensembles.summaries import PanelSummary, summaries
from projects.command_line import project_named
from projects.problems import Invalid
from projects.terminal import ProgressBar, interrupted_with


class Command(BaseCommand):
    help = "Make the answers of a project's panels out of their members'. What stands already is not written again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--panel", help="name of one panel, as its page has it; without it all of them")
        parser.add_argument("--plan", action="store_true", help="say which are out of date, and write nothing")

    def handle(self, *args: Any, project: str, panel: str | None, plan: bool, **options: Any) -> None:
        panels = summaries(project_named(project))
        chosen = [summary for summary in panels if panel in (None, summary.panel.rater.name)]
        if not chosen:
            names = ", ".join(summary.panel.rater.name for summary in panels) or "none"
            raise CommandError(f"There is no such panel in this project. Its panels: {names}.")
        failed = 0
        for summary in chosen:
            if plan:
                self.stdout.write(
                    f"{summary.panel.rater.name}: {'out of date' if summary.is_out_of_date else 'up to date'}"
                )
            else:
                failed += not self.assembled(summary)
        if failed:
            raise CommandError(f"{failed} of {len(chosen)} panels could not be assembled.")

    def assembled(self, summary: PanelSummary) -> bool:
        name = summary.panel.rater.name
        message = f"Interrupted: what was written of {name} stays; the same command goes on from there."
        try:
            with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: message):
                done = assemble(summary.panel, on_batch=lambda done, total: bar.show(done, total, name))
        except Invalid as invalid:
            self.stderr.write(f"{name}: {invalid.problems[0].message}")
            return False
        counts = done.counts
        self.stdout.write(
            f"{name}: {counts['answers']} answers ({counts['written']} written, {counts['withdrawn']} taken back), "
            f"{counts['ties']} ties, {counts['too_few']} with too few members, {counts['not_ready']} not ready"
            + (", overtaken by another assembly" if done.is_overtaken else "")
        )
        return True
