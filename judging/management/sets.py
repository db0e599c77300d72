"""Run sets on the command line: what is planned, how far they are, and the verbs that stop them and set them going."""

import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser, OutputWrapper

from jobs.models import JobState
from jobs.sweeping import sweep
from judging.engine import run_sets, runs
from judging.engine.choice import Choice
from judging.engine.estimates import Estimate, Range
from judging.engine.run_kinds import kind_of
from judging.engine.run_sets import SetPlan, Suffices
from judging.engine.shards import work_through
from judging.engine.summaries import Spend, set_progress
from judging.models import Judge, PausedBecause, Purpose, Run, RunSet, RunState
from projects.models import Project, Split
from projects.problems import Invalid
from projects.terminal import ProgressBar, interrupted_with
from providers.prices import in_billionths, in_dollars

DRAW_SECONDS = 0.5
VERBS = ("pause", "resume", "cancel", "retry")
ENOUGH = {
    Suffices.YES: "enough",
    Suffices.MAYBE: "may not be enough",
    Suffices.NO: "not enough: the runs pause when it is spent",
}
WAITING = {
    PausedBecause.PERSON: "Somebody paused it.",
    PausedBecause.BUDGET: "The budget is spent. Go on with more: --resume {uuid} --money DOLLARS (or --tokens NUMBER).",
    PausedBecause.PROVIDER: "The provider does not answer. Go on when it does: --resume {uuid}.",
}


def add_arguments(parser: CommandParser) -> None:
    chosen = parser.add_argument_group("which responses", "What is left out here stands for all.")
    chosen.add_argument("--variety", action="append", default=[], help="only of this variety, such as ar-EG")
    chosen.add_argument("--target-model", action="append", default=[], help="only of this model")
    chosen.add_argument("--domain", action="append", default=[], help="only to prompts of this domain")
    chosen.add_argument("--split", choices=Split.values, default="", help="only to prompts on this side of the split")
    chosen.add_argument("--search", default="", help="only those whose id contains this")
    chosen.add_argument("--sample", type=int, help="so many of them, drawn by --seed")
    chosen.add_argument("--seed", type=int, default=0)
    limits = parser.add_argument_group("how often, and for how much")
    limits.add_argument("--replicates", type=int, default=1, help="ask everything so many times, from --round on")
    add_limits_and_verbs(parser, limits)
    parser.add_argument(
        "--purpose",
        choices=Purpose.values,
        default="",
        help="gold: people review what is found. evaluation: the answers stand in the judge's figures alone. "
        "Left out: gold for error spans, evaluation for ratings and rubrics",
    )


def add_limits_and_verbs(parser: CommandParser, limits: Any) -> None:
    """What run sets of whatever kind have."""
    limits.add_argument("--money", type=dollars, help="pause when so many US dollars may be spent")
    limits.add_argument("--tokens", type=int, help="pause when so many tokens may be used")
    verbs = parser.add_argument_group(
        "runs there are", "UUID of a run set, or of a run."
    ).add_mutually_exclusive_group()
    for verb in VERBS:
        verbs.add_argument(f"--{verb}", metavar="UUID")


def dollars(text: str) -> int:
    """In billionths."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise ArgumentTypeError(f"“{text}” is no amount of US dollars.") from None
    if not amount.is_finite() or not 0 < amount < 10**9:
        raise ArgumentTypeError("An amount of US dollars is more than nothing.")
    return in_billionths(amount)


def choice_of(options: dict[str, Any]) -> Choice:
    return Choice(
        varieties=tuple(options["variety"]),
        target_models=tuple(options["target_model"]),
        domains=tuple(options["domain"]),
        split=options["split"],
        search=options["search"],
        sample=options["sample"],
        seed=options["seed"],
    )


def money(billionths: int) -> str:
    return f"${in_dollars(billionths):.4f}"


def between(range: Range, unit: str = "") -> str:
    if unit == "$":
        return f"{money(range.low)} to {money(range.high)}"
    return f"{range.low:,} to {range.high:,}{unit}"


def cost_lines(planned: SetPlan) -> list[str]:
    """What a plan costs, from what, and whether the limits are enough."""
    estimates = [run.estimate for run in planned.runs if run.estimate]
    if not estimates:
        return []
    about = "about " if planned.hits_are_drawn else ""
    lines = [f"Answered before:  {about}{planned.hits} (the same was asked already: nothing is sent)"]
    lines.append(f"Tokens:           {between(planned.tokens)}, at most {planned.most_tokens:,}")
    if planned.money is not None and planned.most_money is not None:
        lines.append(f"Cost:             {between(planned.money, '$')}, at most {money(planned.most_money)}")
    if planned.unpriced:
        lines.append(f"No price known:   {', '.join(map(str, planned.unpriced))}")
    lines.append(f"  {basis(estimates)}")
    for name, limit, suffices in (
        ("money", planned.money_limit and money(planned.money_limit), planned.money_suffices),
        ("tokens", planned.token_limit and f"{planned.token_limit:,}", planned.tokens_suffice),
    ):
        if suffices is not None:
            lines.append(f"Limit in {name}:  {limit} is {ENOUGH[suffices]}")
    return lines


def basis(estimates: Sequence[Estimate]) -> str:
    ended = sum(estimate.ended_calls for estimate in estimates)
    if all(estimate.ended_calls for estimate in estimates):
        return f"from what {ended} like calls used, between the tenth and the ninetieth of a hundred"
    return "from the size of the prompts and what judges may write, as far as no like calls have ended"


class Sets:
    """Run sets in this process or with the workers, told to a terminal."""

    def __init__(self, out: OutputWrapper, err: OutputWrapper) -> None:
        self.out, self.err = out, err
        self._drawn = 0.0

    def begin(self, project: Project, judges: Sequence[Judge], options: dict[str, Any]) -> None:
        arguments = (project, judges, choice_of(options), options["replicates"], options["money"], options["tokens"])
        asked = {"first_round": options["round"], "purpose": options["purpose"]}
        try:
            if options["plan"]:
                for line in cost_lines(run_sets.plan_set(*arguments, **asked)):
                    self.out.write(line)
                return
            run_set = run_sets.create_set(*arguments, **asked)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        self.start(run_set, options)

    def start(self, run_set: RunSet, options: dict[str, Any]) -> None:
        progress = set_progress(run_set)
        self.out.write(f"Run set {run_set.uuid}: {progress.whole.total} calls in {len(progress.runs)} runs.")
        if not options["here"]:
            run_sets.start_set(run_set)
        self.follow(run_set, options)

    def do(self, project: Project, verb: str, named: str, options: dict[str, Any]) -> None:
        """Pause, resume, cancel or retry a set, or a run by itself."""
        batch = self.find(project, named)
        if isinstance(batch, Run):
            verbs: dict[str, Callable[[Run], bool]] = {
                "pause": runs.pause,
                "resume": runs.resume,
                "cancel": runs.cancel,
                "retry": runs.retry_failed,
            }
            try:
                is_changed = verbs[verb](batch)
            except Invalid as invalid:
                raise CommandError(str(invalid)) from None
            self.out.write(f"Run {batch.uuid}: {RunState(batch.state).label}" if is_changed else "Nothing was changed.")
            return
        try:
            if verb == "resume" and (options["money"] or options["tokens"]):
                money_limit = options["money"] or batch.money_limit
                run_sets.raise_limits(batch, money_limit, options["tokens"] or batch.token_limit)
            acts = {
                "pause": run_sets.pause_set,
                "resume": run_sets.resume_set,
                "cancel": run_sets.cancel_set,
                "retry": run_sets.retry_failed_set,
            }
            changed = acts[verb](batch)
        except Invalid as invalid:
            raise CommandError(str(invalid)) from None
        if not changed:
            self.out.write("Nothing was changed.")
        elif verb in ("resume", "retry"):
            self.follow(batch, options)
        else:
            self.say_end(batch)

    def find(self, project: Project, named: str) -> RunSet | Run:
        try:
            run_set = RunSet.objects.select_related("project").filter(project=project, uuid=named).first()
            known = Run.objects.select_related("project", "judge", "endpoint__target_model")
            run = known.filter(project=project, uuid=named).first()
        except ValidationError:
            run_set = run = None
        if run_set is None and run is None:
            newest = ", ".join(str(row.uuid) for row in project.run_sets.all()[:5]) or "none yet"
            raise CommandError(f"{project.slug} has no run set or run {named}. The newest sets: {newest}.")
        return run_set or run  # type: ignore[return-value]

    def follow(self, run_set: RunSet, options: dict[str, Any]) -> None:
        if not (options["here"] or options["wait"]):
            self.out.write("Started. The workers ask; the page of the run set shows how far they are.")
            return
        with ProgressBar(sys.stderr) as bar, interrupted_with(lambda: goes_on(run_set.uuid)):
            if options["here"]:
                self.work_here(run_set, bar)
            else:
                while run_set.runs.filter(state__in=[RunState.PLANNED, RunState.RUNNING]).exists():
                    self.draw(run_set, bar)
                    time.sleep(DRAW_SECONDS)
            self.draw(run_set, bar, is_last=True)
        self.say_end(run_set)

    def work_here(self, run_set: RunSet, bar: ProgressBar) -> None:
        sweep()  # what a worker was killed over is free again
        for run in run_set.runs.order_by("pk"):
            runs.start_here(run)
            queued = run.shards.filter(job__state=JobState.QUEUED).order_by("number")
            for shard in queued.values_list("pk", flat=True):
                work_through(shard, on_batch=lambda _stored: self.draw(run_set, bar))

    def draw(self, run_set: RunSet, bar: ProgressBar, is_last: bool = False) -> None:
        if time.monotonic() - self._drawn < DRAW_SECONDS and not is_last:
            return
        self._drawn = time.monotonic()
        progress = set_progress(run_set)
        bar.show(progress.whole.ended, progress.whole.total, money(progress.row.money_spent))

    def say_end(self, run_set: RunSet) -> None:
        set_progress_now = set_progress(run_set)
        for run, progress in set_progress_now.runs:
            counts = ", ".join(f"{n} {state.value}" for state, n in progress.states)
            self.out.write(f"{kind_of(run).asked(run)}: {RunState(run.state).label}: {counts}")
        for because in set_progress_now.paused_because:
            self.out.write(WAITING[PausedBecause(because)].format(uuid=run_set.uuid))
        self.out.write(f"Spent: {spent(set_progress_now.whole.spend, set_progress_now.row)}")


def goes_on(uuid: UUID | str) -> str:
    """What is said where Ctrl-C ends the command."""
    return (
        f"What was answered is stored. Workers, where there are any, go on with the rest; --pause {uuid} lets it wait, "
        f"--cancel {uuid} ends it."
    )


def spent(spend: Spend, row: RunSet) -> str:
    """What the set's row counts: beside its calls also what attempts without a result may have cost."""
    parts = [f"{row.tokens_spent:,} tokens"]
    if spend.money is not None:
        parts.insert(0, money(row.money_spent))
    if spend.bounds:
        parts.append(f"{spend.bounds} calls counted by the most they may have cost")
    if spend.unpriced:
        parts.append(f"{spend.unpriced} calls without a price")
    if spend.reused:
        parts.append(f"{spend.reused} replies taken over")
    return ", ".join(parts)
