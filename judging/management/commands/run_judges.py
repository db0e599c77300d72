"""manage.py run_judges PROJECT --judge NAME [--plan] [--here | --wait]

Without --judge, --plan says in one table what every judge of the project would be asked.
"""

import sys
import time
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet

from judging import runs
from judging.models import CallState, Judge, Run, RunState
from judging.planning import Plan, plan
from judging.shards import work_through
from projects.command_line import project_named
from projects.models import Project, Response
from projects.problems import Invalid

WIDTH = 30
COLUMNS = ("Responses", "Own laboratory", "Not ready", "Planned", "Done or under way", "To ask")


def figures(plans: Sequence[Plan]) -> str:
    """The figures under COLUMNS, added up. Planned is what is done and what is to be asked, in calls where it is
    not yet an answer."""
    rows = []
    for planned in plans:
        done = planned.already_marked + planned.already_called
        left_out = (planned.responses, planned.excluded_count, planned.not_ready)
        rows.append((*left_out, done + planned.size, done, planned.size))
    sums = [sum(column) for column in zip(*rows, strict=True)] or [0] * len(COLUMNS)
    return "  ".join(f"{number:>{len(name)}}" for name, number in zip(COLUMNS, sums, strict=True))


class Command(BaseCommand):
    help = "Let a judge answer for the responses of a project. What it has answered before is not asked again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--judge", help="name of the judge, as its page has it")
        parser.add_argument("--variety", action="append", help="only responses of this variety, such as ar-EG")
        parser.add_argument("--round", type=int, default=1, help="another round asks everything once more")
        parser.add_argument("--plan", action="store_true", help="say what would be asked, and ask nothing")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--here", "--eager", action="store_true", help="ask from this process, without a worker")
        how.add_argument("--wait", action="store_true", help="wait until the workers are through")

    def handle(self, *args: Any, project: str, judge: str | None, **options: Any) -> None:
        if judge is None:
            if not options["plan"]:
                raise CommandError("Name a judge by --judge, or see by --plan what all of them would be asked.")
            self.say_plans(project_named(project), options)
            return
        found = self.find(project, judge)
        responses = self.responses(found.project, options)
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

    def responses(self, project: Project, options: dict) -> QuerySet[Response]:
        responses = Response.objects.filter(project=project)
        return responses.filter(variety__tag__in=options["variety"]) if options["variety"] else responses

    def say_plans(self, project: Project, options: dict) -> None:
        """A line for each judge in use, and one for all; a judge that cannot be asked says why."""
        judges = Judge.objects.filter(project=project, is_active=True).order_by("pk")
        rows: list[tuple[str, Plan | str]] = []
        for judge in judges.select_related("rater", "project", "provider__laboratory"):
            try:
                rows.append((str(judge), plan(judge, self.responses(project, options), options["round"])))
            except Invalid as invalid:
                rows.append((str(judge), str(invalid)))
        if not rows:
            raise CommandError(f"{project.slug} has no judge in use. Add one on its page of judges.")
        width = max(len("All judges"), *(len(name) for name, _planned in rows))
        self.stdout.write(f"{'Judge':<{width}}  " + "  ".join(COLUMNS))
        plans = [planned for _name, planned in rows if isinstance(planned, Plan)]
        for name, planned in rows:
            line = figures([planned]) if isinstance(planned, Plan) else planned
            self.stdout.write(f"{name:<{width}}  {line}")
        self.stdout.write(f"{'All judges':<{width}}  {figures(plans)}")

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
        if planned.not_ready:
            self.stdout.write(f"Not ready to be asked about: {planned.not_ready}")
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
