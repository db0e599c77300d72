"""manage.py run_judges PROJECT --judge NAME [NAME ...] [--plan] [--here | --wait]
manage.py run_judges PROJECT --judge NAME [NAME ...] --replicates 3 --money 20 [--sample 100] [--plan] [--here | --wait]
manage.py run_judges PROJECT --pause | --resume | --cancel | --retry UUID
manage.py run_judges PROJECT --setups MODEL@PROVIDER [MODEL@PROVIDER ...] [--plan] [--here | --wait]

--setups rates with a model in all eight ways: one by one or in pairs (in both orders), without examples or with three,
without the rubric or with it. Judges that are missing are added. What was begun and broken off is gone on with.
Without --judge and --setups, --plan says in one table what every judge of the project would be asked.
"""

import sys
import time
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.db.models import QuerySet

from jobs.sweeping import sweep
from judging.engine import runs
from judging.engine.listing import calls_by_state
from judging.engine.planning import Plan, plan
from judging.engine.shards import work_through
from judging.engine.summaries import outcomes
from judging.judges import eight_setups
from judging.kinds import judge_kind
from judging.management import sets
from judging.models import ANSWERED, CallState, Judge, PausedBecause, Run, RunState
from projects.command_line import project_named
from projects.models import Project, Response
from projects.problems import Invalid
from projects.terminal import ProgressBar, interrupted_with
from providers.command_line import model_at

# A run in one of these moves on only where somebody sees to it.
STILL = (*runs.OVER, RunState.PAUSED)
OF_JUDGE = ("rater", "project", "provider__laboratory")
OUTCOMES = (
    ("Scored", ANSWERED),
    ("Unreadable", (CallState.MALFORMED,)),
    ("Refused", (CallState.REFUSED,)),
    ("Cut short", (CallState.TRUNCATED,)),
    ("Failed", (CallState.FAILED,)),
    ("Not asked", (CallState.PLANNED, CallState.CANCELLED)),
)
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
        who = parser.add_mutually_exclusive_group()
        who.add_argument("--judge", nargs="+", action="extend", help="names of judges, as their pages have them")
        who.add_argument(
            "--setups", nargs="+", metavar="MODEL@PROVIDER", help="let these models rate in all eight ways"
        )
        parser.add_argument("--round", type=int, default=1, help="another round asks everything once more")
        parser.add_argument("--plan", action="store_true", help="say what would be asked, and ask nothing")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--here", "--eager", action="store_true", help="ask from this process, without a worker")
        how.add_argument("--wait", action="store_true", help="wait until the workers are through")
        sets.add_arguments(parser)

    def handle(self, *args: Any, project: str, judge: list[str] | None, **options: Any) -> None:
        if verb := next((verb for verb in sets.VERBS if options[verb]), None):
            sets.Sets(self.stdout, self.stderr).do(project_named(project), verb, options[verb], options)
            return
        if options["setups"]:
            self.rate_in_all_ways(project_named(project), options)
            return
        if judge is None:
            if not options["plan"]:
                raise CommandError("Name a judge by --judge, or see by --plan what all of them would be asked.")
            in_use = Judge.objects.filter(project__slug=project, is_active=True).order_by("pk")
            self.say_plans(project_named(project), list(in_use.select_related(*OF_JUDGE)), options)
            return
        judges = [self.find(project, name) for name in judge]
        if options["plan"]:
            self.say_plans_and_cost(judges, options)
        elif len(judges) > 1 or options["replicates"] > 1 or options["money"] or options["tokens"]:
            sets.Sets(self.stdout, self.stderr).begin(judges[0].project, judges, options)
        else:
            self.run_one(judges[0], options)

    def say_plans_and_cost(self, judges: Sequence[Judge], options: dict) -> None:
        project = judges[0].project
        if len(judges) > 1:
            self.say_plans(project, judges, options)
        else:
            try:
                self.say_plan(plan(judges[0], self.responses(project, options), options["round"]))
            except Invalid as invalid:
                raise CommandError(str(invalid)) from None
        sets.Sets(self.stdout, self.stderr).begin(project, judges, options)

    def run_one(self, judge: Judge, options: dict) -> None:
        try:
            asked = {"round": options["round"], "purpose": options["purpose"]}
            run = runs.create_run(judge, self.responses(judge.project, options), **asked)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        self.stdout.write(f"Run {run.uuid}: {run.calls.count()} calls, {run.excluded} responses excluded.")
        self.go(run, options)

    def rate_in_all_ways(self, project: Project, options: dict) -> None:
        """The eight setups of each model; without a plan, all of them are run and compared at the end."""
        try:
            if options["plan"]:
                with transaction.atomic():
                    judges = self.setups(project, options["setups"])
                    self.say_plans(project, judges, options)
                    transaction.set_rollback(True)  # judges that are missing are added when they are asked
                return
            judges = self.setups(project, options["setups"])
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        under_way = [run for judge in judges for run in self.begin(judge, project, options)]
        self.follow(under_way, options)
        self.say_outcomes(judges, options["round"])

    def setups(self, project: Project, named: Sequence[str]) -> list[Judge]:
        judges: list[Judge] = []
        for setup in named:
            model, row = model_at(setup)
            judges += eight_setups(project, row, model)
        return judges

    def begin(self, judge: Judge, project: Project, options: dict) -> list[Run]:
        """The judge's runs to be gone through: those broken off before, and a new one where something is left."""
        begun = list(judge.runs.filter(round=options["round"]).exclude(state__in=runs.OVER))
        try:
            asked = {"round": options["round"], "purpose": options["purpose"]}
            begun.append(runs.create_run(judge, self.responses(project, options), **asked))
        except Invalid as invalid:
            if not begun:
                self.stdout.write(f"{judge}: {invalid}")
        return begun

    def follow(self, under_way: Sequence[Run], options: dict) -> None:
        """Set the runs going, and show how far they are together where this process waits for them."""
        uuids = " ".join(str(run.uuid) for run in under_way)
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: sets.goes_on(uuids)):
            if options["here"]:
                self.work_here(under_way, bar)
            else:
                for run in under_way:
                    runs.start(run)
            pks = [run.pk for run in under_way]
            while options["wait"] and Run.objects.filter(pk__in=pks).exclude(state__in=STILL).exists():
                self.draw(under_way, bar)
                time.sleep(sets.DRAW_SECONDS)
            if options["here"] or options["wait"]:
                self.draw(under_way, bar)

    def work_here(self, under_way: Sequence[Run], bar: ProgressBar) -> None:
        sweep()  # what a worker was killed over is free again
        for run in under_way:
            runs.start_here(run)
            for shard in run.shards.order_by("number").values_list("pk", flat=True):
                work_through(shard, on_batch=lambda _stored: self.draw(under_way, bar))

    def draw(self, under_way: Sequence[Run], bar: ProgressBar) -> None:
        counts = calls_by_state(under_way).values()
        total = sum(n for of_run in counts for n in of_run.values())
        bar.show(total - sum(of_run.get(CallState.PLANNED, 0) for of_run in counts), total)

    def say_outcomes(self, judges: Sequence[Judge], round: int) -> None:
        """What became of the questions to each, over all its runs of the round."""
        counts_by_judge = outcomes(judges, round)
        width = max(len(str(judge)) for judge in judges)
        names = ("Questions", *(name for name, _states in OUTCOMES))
        self.stdout.write(f"{'Judge':<{width}}  " + "  ".join(names))
        for judge in judges:
            counts = counts_by_judge[judge.pk]
            row = [sum(counts.values()), *(sum(counts.get(state, 0) for state in states) for _n, states in OUTCOMES)]
            cells = (f"{number:>{len(name)}}" for number, name in zip(row, names, strict=True))
            self.stdout.write(f"{judge!s:<{width}}  " + "  ".join(cells))

    def find(self, slug: str, name: str) -> Judge:
        project = project_named(slug)
        judges = Judge.objects.filter(project=project).select_related(*OF_JUDGE)
        judge = judges.filter(rater__name=name).first()
        if judge is None:
            names = ", ".join(f"“{judge.rater.name}”" for judge in judges) or "none"
            raise CommandError(f"There is no judge “{name}” in {slug}. Its judges: {names}.")
        return judge

    def responses(self, project: Project, options: dict) -> QuerySet[Response]:
        try:
            return sets.choice_of(options).check(project).responses(project)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None

    def say_plans(self, project: Project, judges: Sequence[Judge], options: dict) -> None:
        """A line for each judge, and one for all; a judge that cannot be asked says why."""
        rows: list[tuple[str, Plan | str]] = []
        for judge in judges:
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
        for reason, count in sorted(planned.reasons.items()):
            self.stdout.write(f"  {reason}: {count}")
        if planned.withheld:
            self.stdout.write(f"Left out, {judge_kind(planned.judge.kind).withheld}: {planned.withheld}")

    def go(self, run: Run, options: dict) -> None:
        self.follow([run], options)
        if options["here"] or options["wait"]:
            self.say_end(run)
        else:
            self.stdout.write("Started. The workers ask; the page of the run shows how far they are.")

    def say_end(self, run: Run) -> None:
        run.refresh_from_db()
        counts = {state: n for state, n in runs.counts(run).items() if n}
        self.stdout.write(f"{RunState(run.state).label}: " + ", ".join(f"{n} {state}" for state, n in counts.items()))
        if run.state == RunState.PAUSED:
            self.stdout.write(sets.WAITING[PausedBecause(run.paused_because)].format(uuid=run.uuid))
