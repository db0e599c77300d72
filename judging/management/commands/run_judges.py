"""manage.py run_judges PROJECT --judge NAME [--plan] [--here | --wait]"""

import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from judging import runs
from judging.models import CallState, Judge, Run, RunState
from judging.planning import Plan, plan
from judging.shards import work_through
from projects.command_line import project_named
from projects.models import Response
from projects.problems import Invalid

WIDTH = 30


class Command(BaseCommand):
    help = "Let a judge answer for the responses of a project. What it has answered before is not asked again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--judge", required=True, help="name of the judge, as its page has it")
        parser.add_argument("--variety", action="append", help="only responses of this variety, such as ar-EG")
        parser.add_argument("--round", type=int, default=1, help="another round asks everything once more")
        parser.add_argument("--plan", action="store_true", help="say what would be asked, and ask nothing")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--here", "--eager", action="store_true", help="ask from this process, without a worker")
        how.add_argument("--wait", action="store_true", help="wait until the workers are through")

    def handle(self, *args: Any, project: str, judge: str, **options: Any) -> None:
        found = self.find(project, judge)
        responses = Response.objects.filter(project=found.project)
        if options["variety"]:
            responses = responses.filter(variety__tag__in=options["variety"])
        try:
            if options["plan"]:
                self.say_plan(plan(found, responses, options["round"]))
                return
            run = runs.create_run(found, responses, round=options["round"])
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        self.stdout.write(f"Run {run.uuid}: {run.calls.count()} calls, {run.excluded} responses excluded.")
        self.go(run, options)

    def find(self, slug: str, name: str) -> Judge:
        project = project_named(slug)
        judges = Judge.objects.filter(project=project).select_related("rater", "project", "provider__laboratory")
        judge = judges.filter(rater__name=name).first()
        if judge is None:
            names = ", ".join(f"“{judge.rater.name}”" for judge in judges) or "none"
            raise CommandError(f"There is no judge “{name}” in {slug}. Its judges: {names}.")
        return judge

    def say_plan(self, planned: Plan) -> None:
        self.stdout.write(f"Judge:            {planned.judge} ({planned.guard.laboratory})")
        self.stdout.write(f"Prompt:           {planned.prompt.name} {planned.prompt.version}")
        self.stdout.write(f"Responses:        {planned.responses}")
        self.stdout.write(f"Calls to ask:     {planned.size}")
        if planned.taken_up:
            self.stdout.write(f"  left by a cancelled run: {len(planned.taken_up)}")
        self.stdout.write(f"Calls under way or ended: {planned.already_called}")
        self.stdout.write(f"Responses answered:       {planned.already_marked}")
        self.stdout.write(f"Excluded, own laboratory: {planned.excluded_count}")
        for model, count in sorted(planned.excluded.items()):
            self.stdout.write(f"  {model}: {count}")
        if planned.withheld:
            self.stdout.write(f"Errors that its own laboratory marked, left out: {planned.withheld}")

    def go(self, run: Run, options: dict) -> None:
        if options["here"]:
            shards = runs.start_here(run)
            for shard in shards:
                work_through(shard, on_batch=lambda _stored: self.draw(run))
        else:
            runs.start(run)
            while options["wait"] and not Run.objects.filter(pk=run.pk, state__in=runs.OVER).exists():
                self.draw(run)
                time.sleep(0.5)
        if not (options["here"] or options["wait"]):
            self.stdout.write("Started. The workers ask; the page of the run shows how far they are.")
            return
        self.draw(run)
        self.stderr.write("")
        self.say_end(run)

    def draw(self, run: Run) -> None:
        if not sys.stderr.isatty():
            return
        counts = runs.counts(run)
        total = sum(counts.values())
        done = total - counts[CallState.PLANNED]
        bar = "#" * (WIDTH * done // max(total, 1))
        self.stderr.write(f"\r[{bar:<{WIDTH}}] {done}/{total}", ending="")

    def say_end(self, run: Run) -> None:
        run.refresh_from_db()
        counts = {state: n for state, n in runs.counts(run).items() if n}
        self.stdout.write(f"{RunState(run.state).label}: " + ", ".join(f"{n} {state}" for state, n in counts.items()))
