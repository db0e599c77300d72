"""How the work goes for each person, by pseudonym. How far the stages have come stands in workflow/progress.py."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median

from django.db.models import Count, Max

from agreement.figures import NO_ITEMS, NO_SPANS, Figure, share
from annotation.models import Marking, Review, Span
from annotation.settlement import KEPT, REJECTED, cases, in_chunks
from projects.models import Project, Rater, RaterKind, Response
from reports.cache import key_of, remembered
from reports.spans.fingerprints import fingerprints
from workflow.models import Assignment, Status


@dataclass
class Member:
    """One person's work. Times are minutes; n of each figure is what it rests on: items, or settled spans."""

    rater: Rater
    submitted: int = 0
    skipped: int = 0
    marked: int = 0
    reviewed: int = 0
    minutes: Figure = field(default_factory=lambda: Figure.without_value(NO_ITEMS))
    spans: Figure = field(default_factory=lambda: Figure.without_value(NO_ITEMS))
    retained: Figure = field(default_factory=lambda: Figure.without_value(NO_SPANS))
    last_active: datetime | None = None


def members(project: Project) -> list[Member]:
    """Everybody who works or has worked in the project, by pseudonym."""
    raters = Rater.objects.filter(project=project, kind=RaterKind.HUMAN).prefetch_related("varieties")
    team = {rater.pk: Member(rater) for rater in raters.order_by("pseudonym")}
    add_items(team, project)
    add_answers(team, project)
    add_retained(team, project)
    return list(team.values())


def add_items(team: dict[int, Member], project: Project) -> None:
    """Items done and skipped, the median of the time on them, the last sign of work."""
    seconds = defaultdict(list)
    assignments = Assignment.objects.filter(stage__project=project, rater__in=team)
    rows = assignments.values_list("rater", "status", "active_seconds", "submitted_at", "claimed_at", "draft__saved_at")
    for rater_id, status, active_seconds, *moments in rows:
        member = team[rater_id]
        member.submitted += status == Status.SUBMITTED
        member.skipped += status == Status.SKIPPED
        member.last_active = max((moment for moment in [member.last_active, *moments] if moment), default=None)
        if status == Status.SUBMITTED and active_seconds:
            seconds[rater_id].append(active_seconds)
    for rater_id, times in seconds.items():
        team[rater_id].minutes = Figure(median(times) / 60, len(times))


def add_answers(team: dict[int, Member], project: Project) -> None:
    """Responses marked, spans in them, spans of others reviewed; answers given elsewhere count as well."""
    markings = Marking.objects.filter(response__project=project, rater__in=team).values("rater")
    spans = dict(Span.objects.filter(rater__in=team).values_list("rater").annotate(n=Count("pk")).order_by())
    for row in markings.annotate(n=Count("pk"), last=Max("created_at")).order_by():
        member = team[row["rater"]]
        member.marked = row["n"]
        member.spans = Figure(spans.get(row["rater"], 0) / row["n"], row["n"])
        member.last_active = max(filter(None, (member.last_active, row["last"])))
    reviews = Review.objects.filter(rater__in=team).values_list("rater").order_by()
    for rater_id, n, last in reviews.annotate(n=Count("span", distinct=True), last=Max("created_at")):
        team[rater_id].reviewed = n
        team[rater_id].last_active = max(filter(None, (team[rater_id].last_active, last)))


def add_retained(team: dict[int, Member], project: Project) -> None:
    """Share of a person's settled spans that the others kept; read again only when answers or reviews changed."""
    states = [(variety, parts["answers"], parts["reviews"]) for variety, parts in sorted(fingerprints(project).items())]
    key = key_of("kept by others", project.pk, states)
    settled = remembered({"settled": key}, lambda _missing: {"settled": settled_spans(project)})["settled"]
    for rater_id, member in team.items():
        kept, of = settled.get(rater_id, (0, 0))
        member.retained = share(kept, of, NO_SPANS)


def settled_spans(project: Project) -> dict[int, tuple[int, int]]:
    """Rater id to the numbers of that rater's spans that were kept, and that were kept or rejected."""
    kept: Counter[int] = Counter()
    settled: Counter[int] = Counter()
    for chunk in in_chunks(Response.objects.filter(project=project).values_list("pk", flat=True)):
        for case in cases(chunk):
            kept[case.span.rater_id] += case.outcome == KEPT
            settled[case.span.rater_id] += case.outcome in (KEPT, REJECTED)
    return {rater_id: (kept[rater_id], number) for rater_id, number in settled.items()}
