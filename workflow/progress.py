"""How far the work is: for the person who does it, and for the lead. A fixed number of queries each."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Case, Count, Q, Sum, Value, When
from django.urls import reverse
from django.utils import timezone

from projects.models import LanguageVariety, Project, Rater
from projects.zones import beginning_of, monday_of, today_in
from workflow.daily_cap import refusal_of_day
from workflow.eligibility import check_eligible
from workflow.forecast import finish_date, seconds_left
from workflow.models import HOLDING, Assignment, Stage, Status, WorkItem
from workflow.refusals import Refused
from workflow.remaining import NOTHING, Left, left_for
from workflow.task_types import task_type

PACE_DAYS = 7
STRIP_LENGTH = 60
STRIP_STATES: dict[str, str] = {
    Status.SUBMITTED: "done",
    Status.SKIPPED: "skipped",
    Status.CLAIMED: "started",
    Status.EXPIRED: "started",
}
BEGUN = (Status.CLAIMED, Status.EXPIRED)
UNFINISHED = (*BEGUN, Status.RESERVED)


@dataclass
class OwnStage:
    """One stage as one rater sees it."""

    stage: Stage
    counts: Counter = field(default_factory=Counter)
    left: Left = NOTHING
    active_seconds: int = 0
    # Why the rater may take nothing here just now; None where they may.
    refused: Refused | None = None

    @property
    def begin_url(self) -> str:
        """Where the rater begins an item of their own; empty for work that is handed out."""
        name = task_type(self.stage.kind).begin_url_name
        return reverse(name, args=[self.stage.project.slug, self.stage.pk]) if name else ""

    @property
    def begin_label(self) -> str:
        return task_type(self.stage.kind).begin_label

    @property
    def done(self) -> int:
        return self.counts[Status.SUBMITTED]

    @property
    def begun(self) -> int:
        return sum(self.counts[status] for status in BEGUN)

    @property
    def in_progress(self) -> int:
        """What is begun or kept for this person: nobody else can take it."""
        return sum(self.counts[status] for status in UNFINISHED)

    @property
    def total(self) -> int | None:
        """What there is for this person, done or not; None where the queue is too long to be counted."""
        return None if self.left.items is None else self.done + self.in_progress + self.left.items

    @property
    def mean_seconds(self) -> float | None:
        return self.active_seconds / self.done if self.done and self.active_seconds else None

    @property
    def seconds_left(self) -> int | None:
        """At their pace; None where there is none yet, or no total."""
        return None if self.total is None else seconds_left(self.total - self.done, self.done, self.active_seconds)

    @property
    def takes_work(self) -> bool:
        return self.stage.takes_work

    @property
    def begins_own(self) -> bool:
        """The rater begins something of their own here, and has nothing begun to go on with."""
        return bool(self.begin_url) and not self.begun and not self.left.is_some

    @property
    def has_work(self) -> bool:
        """Whether the rater can go on here at once: with what is begun, with an item, or with one of their own."""
        if self.refused is not None:
            return bool(self.begun)
        return self.takes_work and bool(self.in_progress or self.left.is_some or self.begin_url)

    @property
    def kind_name(self) -> str:
        return task_type(self.stage.kind).name


def own_stages(rater: Rater, stages: Iterable[Stage]) -> list[OwnStage]:
    """What this rater did and can still do in each stage; four queries and a few per stage that is open."""
    mine = {stage.pk: OwnStage(stage) for stage in stages}
    rows = Assignment.objects.filter(rater=rater, stage__in=mine).values("stage", "status")
    for row in rows.annotate(count=Count("pk"), seconds=Sum("active_seconds")):
        own = mine[row["stage"]]
        own.counts[row["status"]] = row["count"]
        if row["status"] == Status.SUBMITTED:
            own.active_seconds = row["seconds"]
    varieties = list(rater.varieties.values_list("pk", flat=True))
    day = refusal_of_day(rater) if any(own.takes_work for own in mine.values()) else None
    for own in mine.values():
        if own.takes_work:
            own.left = left_for(rater, own.stage, varieties)
            own.refused = day or refusal_of(rater, own.stage)
    return list(mine.values())


@dataclass(frozen=True)
class Done:
    """How many items one rater has submitted since a day began, and since its week did, in their own zone."""

    today: int
    week: int


def done_lately(rater: Rater, zone: ZoneInfo) -> Done:
    today = today_in(zone)
    begins = [beginning_of(day, zone) for day in (today, monday_of(today))]
    mine = Assignment.objects.filter(rater=rater, status=Status.SUBMITTED, submitted_at__gte=begins[1])
    return Done(**mine.aggregate(today=Count("pk", filter=Q(submitted_at__gte=begins[0])), week=Count("pk")))


def left_of(stages: Iterable[OwnStage]) -> int | None:
    """What stages that take work hold for this person; None where one has too many to count, or none takes work."""
    open_stages = [own for own in stages if own.takes_work and not own.begin_url]
    if not open_stages or any(own.total is None for own in open_stages):
        return None
    return sum(max(0, (own.total or 0) - own.done) for own in open_stages)


def still_theirs() -> Q:
    """Turns that a person has begun or that are kept for them, and can go on with: what ran out and was finished by
    others meanwhile is nobody's."""
    return Q(status__in=UNFINISHED) & (~Q(status=Status.EXPIRED) | Q(item__open_slots__gt=0))


def refusal_of(rater: Rater, stage: Stage) -> Refused | None:
    try:
        check_eligible(rater, stage)
    except Refused as refused:
        return refused
    return None


def strip(assignment: Assignment) -> dict:
    """The progress strip of the task screen: one's latest items of the stage, with how many are done of how many,
    where the queue is short enough to be counted."""
    own = Assignment.objects.filter(rater=assignment.rater_id, stage=assignment.stage_id)
    counts = Counter(dict(own.order_by().values_list("status").annotate(count=Count("pk"))))
    shown = own.exclude(status=Status.RELEASED).order_by("-claimed_at", "-pk").values_list("uuid", "status")
    latest = list(shown[:STRIP_LENGTH])[::-1]
    first = sum(counts.values()) - counts[Status.RELEASED] - len(latest) + 1
    items = [
        {
            "number": number,
            "url": reverse("task", args=[key]),
            "state": STRIP_STATES.get(status, "open"),
            "current": key == assignment.uuid,
        }
        for number, (key, status) in enumerate(latest, first)
    ]
    unfinished = [key for key, status in latest if status in UNFINISHED and key != assignment.uuid]
    varieties = list(assignment.rater.varieties.values_list("pk", flat=True))
    left = left_for(assignment.rater, assignment.stage, varieties) if assignment.stage.takes_work else NOTHING
    done = counts[Status.SUBMITTED]
    in_progress = sum(counts[status] for status in UNFINISHED)
    return {
        "strip": items,
        "done": done,
        "total": None if left.items is None else done + in_progress + left.items,
        "next_unfinished": reverse("task", args=[unfinished[0]]) if unfinished else "",
    }


@dataclass
class Cell:
    """A stage in one variety: `slots` answers are wanted, of which so many are in, being worked on, open."""

    variety: LanguageVariety
    items: int = 0
    slots: int = 0
    done: int = 0
    in_progress: int = 0
    recent: int = 0
    finished: date | None = None

    @property
    def left(self) -> int:
        return max(0, self.slots - self.done)


@dataclass
class Person:
    """One rater's work in a stage, named by pseudonym."""

    pseudonym: str
    varieties: str
    counts: Counter = field(default_factory=Counter)
    active_seconds: int = 0
    latest: date | None = None

    @property
    def done(self) -> int:
        return self.counts[Status.SUBMITTED]

    @property
    def in_progress(self) -> int:
        return self.counts[Status.CLAIMED] + self.counts[Status.RESERVED]

    @property
    def skipped(self) -> int:
        return self.counts[Status.SKIPPED]

    @property
    def expired(self) -> int:
        return self.counts[Status.EXPIRED]

    @property
    def mean_seconds(self) -> float | None:
        return self.active_seconds / self.done if self.done and self.active_seconds else None


@dataclass
class StageProgress:
    stage: Stage
    cells: list[Cell] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)

    @property
    def items(self) -> int:
        return sum(cell.items for cell in self.cells)

    @property
    def slots(self) -> int:
        return sum(cell.slots for cell in self.cells)

    @property
    def done(self) -> int:
        return sum(cell.done for cell in self.cells)

    @property
    def in_progress(self) -> int:
        return sum(cell.in_progress for cell in self.cells)

    @property
    def finished(self) -> date | None:
        """The last of its varieties decides; unknown where one of them has no pace."""
        dates = [cell.finished for cell in self.cells if cell.finished]
        return max(dates) if dates and len(dates) == len(self.cells) else None

    @property
    def next_step(self) -> str:
        """What a lead does next with the stage: plan, open, watch, close, lock, or read what is locked."""
        if self.stage.locked_at:
            return "read"
        # What raters begin themselves need not be planned, and is never all done.
        begins_own = bool(task_type(self.stage.kind).begin_url_name)
        if not self.slots and not begins_own:
            return "plan"
        is_done = self.done >= self.slots
        if self.stage.is_open:
            return "close" if is_done and not begins_own else "watch"
        return "lock" if is_done and self.slots else "open"

    @property
    def has_policy(self) -> bool:
        return task_type(self.stage.kind).has_policy

    @property
    def takes_layout(self) -> bool:
        return task_type(self.stage.kind).takes_layout

    @property
    def takes_rules(self) -> bool:
        return task_type(self.stage.kind).default_rules is not None

    @property
    def kind_name(self) -> str:
        return task_type(self.stage.kind).name


@dataclass(frozen=True)
class WorkSoFar:
    """All stages of a project together: answers wanted, in, and being worked on, and how many people gave one."""

    slots: int
    done: int
    in_progress: int
    people: int


def work_so_far(project: Project) -> WorkSoFar:
    """Two queries, whatever the project holds."""
    slots = WorkItem.objects.filter(stage__project=project, is_check=False).aggregate(slots=Sum("slots"))["slots"]
    is_done = Q(status=Status.SUBMITTED)
    held = Assignment.objects.filter(stage__project=project, item__is_check=False, status__in=HOLDING)
    counts = held.aggregate(
        done=Count("pk", filter=is_done),
        in_progress=Count("pk", filter=~is_done),
        people=Count("rater", filter=is_done, distinct=True),
    )
    return WorkSoFar(slots or 0, **counts)


def project_progress(project: Project, with_people: bool = True) -> list[StageProgress]:
    """Every stage by variety, and by person; the number of queries does not grow with any of them."""
    stages = {stage.pk: StageProgress(stage) for stage in project.stages.all()}
    _fill_cells(stages)
    if with_people:
        _fill_people(project, stages)
    return list(stages.values())


def _fill_cells(stages: dict[int, StageProgress]) -> None:
    items = WorkItem.objects.filter(stage__in=stages, is_check=False).order_by().values("stage", "variety")
    planned = {
        (row["stage"], row["variety"]): (row["count"], row["slots"])
        for row in items.annotate(count=Count("pk"), slots=Sum("slots"))
    }
    today = timezone.now()
    recently = Q(status=Status.SUBMITTED, submitted_at__gte=today - timedelta(days=PACE_DAYS))
    regular = Assignment.objects.filter(stage__in=stages, item__is_check=False, status__in=HOLDING)
    held = regular.order_by().values("stage", "item__variety")
    answers = {
        (row["stage"], row["item__variety"]): row
        for row in held.annotate(
            done=Count("pk", filter=Q(status=Status.SUBMITTED)),
            busy=Count("pk", filter=~Q(status=Status.SUBMITTED)),
            recent=Count("pk", filter=recently),
        )
    }
    varieties = LanguageVariety.objects.in_bulk({variety for _stage, variety in planned})
    for (stage, variety), (count, slots) in sorted(planned.items(), key=lambda entry: str(varieties[entry[0][1]])):
        row = answers.get((stage, variety), {"done": 0, "busy": 0, "recent": 0})
        cell = Cell(varieties[variety], count, slots, row["done"], row["busy"], row["recent"])
        cell.finished = finish_date(today.date(), cell.left, row["recent"], PACE_DAYS)
        stages[stage].cells.append(cell)


def _fill_people(project: Project, stages: dict[int, StageProgress]) -> None:
    rows = Assignment.objects.filter(stage__in=stages).order_by().values("stage", "rater", "status")
    submitted = Case(When(status=Status.SUBMITTED, then="active_seconds"), default=Value(0))
    raters = {rater.pk: rater for rater in Rater.objects.filter(project=project).prefetch_related("varieties")}
    people: dict[tuple[int, int], Person] = {}
    by_stage: dict[int, list[Person]] = defaultdict(list)
    for row in rows.annotate(count=Count("pk"), seconds=Sum(submitted)):
        key = (row["stage"], row["rater"])
        if key not in people:
            rater = raters[row["rater"]]
            labels = ", ".join(project.calls(variety) for variety in rater.varieties.all())
            people[key] = Person(rater.pseudonym, labels)
            by_stage[row["stage"]].append(people[key])
        people[key].counts[row["status"]] = row["count"]
        people[key].active_seconds += row["seconds"]
    for stage, of_stage in by_stage.items():
        stages[stage].people = sorted(of_stage, key=lambda person: (-person.done, person.pseudonym))
