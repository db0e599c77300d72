"""manage.py reread_calls PROJECT [--judge NAME] [--all] [--plan]

Reads what judges have answered again, by the reading as it is now. Nobody is asked anything. Only replies that an older
reading has read are looked at, unless --all says otherwise.
"""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging.engine.parsing import VERSION
from judging.engine.rereading import Rereading, RereadingProgress, plan_rereading, reread
from judging.engine.runs import OVER
from judging.models import Judge, Run
from projects.command_line import project_named
from projects.problems import Invalid
from projects.terminal import ProgressBar, interrupted_with


class Command(BaseCommand):
    help = "Read the stored replies of judges again, without calling anyone, and store what is read otherwise now."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--judge", help="name of the judge, as its page has it; else all judges")
        parser.add_argument("--all", action="store_true", help="also what this reading has read before")
        parser.add_argument("--plan", action="store_true", help="say what would change, and change nothing")

    def handle(self, *args: Any, project: str, judge: str | None, **options: Any) -> None:
        row = project_named(project)
        runs = Run.objects.filter(project=row, judge__isnull=False).select_related(
            "judge__rater", "prompt_version", "project"
        )
        if judge is not None:
            if not Judge.objects.filter(project=row, rater__name=judge).exists():
                raise CommandError(f"{project} has no judge “{judge}”.")
            runs = runs.filter(judge__rater__name=judge)
        total = Rereading()
        for run in runs.filter(state__in=OVER).order_by("pk"):
            try:
                reading = self.read(run, **options)
            except Invalid as invalid:
                self.stdout.write(f"Run {run.uuid} of {run.judge}: {invalid}")
                continue
            if reading.read or reading.cannot:
                self.stdout.write(f"Run {run.uuid} of {run.judge}: {reading.read} read, {reading.changed} changed.")
            total.add(reading)
        if going := runs.exclude(state__in=OVER).count():
            self.stdout.write(f"Runs that are not over, and were left out: {going}")
        self.say(total, is_plan=options["plan"])

    def read(self, run: Run, plan: bool, all: bool, **options: Any) -> Rereading:
        total = run.shards.count()
        message = "Interrupted: what was read again so far stands; the same command goes on from there."
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: message):
            progress = RereadingProgress(on_shard=lambda _counts, done: bar.show(done, total, str(run.judge)))
            return (plan_rereading if plan else reread)(run, everything=all, progress=progress)

    def say(self, total: Rereading, is_plan: bool) -> None:
        self.stdout.write("Nothing is written; this would come of it:" if is_plan else "This came of it:")
        self.stdout.write(f"  Read (version {VERSION}):  {total.read}")
        self.stdout.write(f"  Say the same:      {total.same}")
        self.stdout.write(f"  Change:            {total.changed}")
        for old, new, count in total.changes_in_words:
            self.stdout.write(f"    {old} -> {new}: {count}")
        self.stdout.write(f"  Stay, people have worked on them: {total.held}")
        self.stdout.write(f"  Cannot be read again: {sum(total.cannot.values())}")
        for reason, count in total.cannot_in_words:
            self.stdout.write(f"    {reason} {count}")
