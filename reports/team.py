"""How the work goes for each person, by pseudonym. How far the stages have come stands in workflow/progress.py."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from statistics import median
from typing import Any

from django.db.models import Count, Max, Q
from django.utils.translation import gettext_lazy

from agreement.figures import NO_ITEMS, NO_SPANS, Figure, share
from annotation.models import Marking, Review, Span
from annotation.outcomes import KEPT, REJECTED, cases
from projects.among import Among
from projects.chunks import in_chunks
from projects.models import Project, Rater, RaterKind, Response
from reports.dashboard.cache import key_of
from reports.dashboard.figures import Look, OnPart, look_at, unheard
from reports.dashboard.freshness.revisions import revisions
from reports.signals import submitted
from reports.spans.reader import fingerprints
from reports.warming import FiguredPage
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


def members(project: Project, figures: Mapping[int, Mapping[str, Figure]] | None = None) -> list[Member]:
    """Everybody who works or has worked in the project, by pseudonym. `figures` as `look` reads them: those that take
    long; all else is counted as it is now."""
    if figures is None:
        figures = look(project, {}).read()
    raters = Rater.objects.filter(project=project, kind=RaterKind.HUMAN).prefetch_related("varieties")
    team = {rater.pk: Member(rater, **figures.get(rater.pk, {})) for rater in raters.order_by("pseudonym")}
    add_items(team, project)
    add_answers(team, project)
    return list(team.values())


def add_items(team: dict[int, Member], project: Project) -> None:
    """Items done and skipped, the last sign of work."""
    assignments = Assignment.objects.filter(stage__project=project, rater__in=Among(team)).order_by()
    rows = assignments.values_list("rater").annotate(
        done=Count("pk", filter=Q(status=Status.SUBMITTED)),
        skipped=Count("pk", filter=Q(status=Status.SKIPPED)),
        submitted_last=Max("submitted_at"),
        claimed_last=Max("claimed_at"),
        saved_last=Max("draft__saved_at"),
    )
    for rater_id, done, skipped, *moments in rows:
        member = team[rater_id]
        member.submitted, member.skipped = done, skipped
        member.last_active = max((moment for moment in [member.last_active, *moments] if moment), default=None)


def add_answers(team: dict[int, Member], project: Project) -> None:
    """Responses marked, spans in them, spans of others reviewed; answers given elsewhere count as well."""
    markings = Marking.objects.filter(response__project=project, rater__in=Among(team)).values("rater")
    spans = dict(Span.objects.filter(rater__in=Among(team)).values_list("rater").annotate(n=Count("pk")).order_by())
    for row in markings.annotate(n=Count("pk"), last=Max("created_at")).order_by():
        member = team[row["rater"]]
        member.marked = row["n"]
        member.spans = Figure(spans.get(row["rater"], 0) / row["n"], row["n"])
        member.last_active = max(filter(None, (member.last_active, row["last"])))
    reviews = Review.objects.filter(rater__in=Among(team)).values_list("rater").order_by()
    for rater_id, n, last in reviews.annotate(n=Count("span", distinct=True), last=Max("created_at")):
        team[rater_id].reviewed = n
        team[rater_id].last_active = max(filter(None, (team[rater_id].last_active, last)))


# --- What takes long -------------------------------------------------------------------------------------


def look(project: Project, _filters: Mapping[str, Any]) -> Look:
    """By rater id the figures of each person that are made from all answers, before they are computed."""
    states = [(variety, parts["answers"], parts["reviews"]) for variety, parts in sorted(fingerprints(project).items())]
    key = key_of("team", project.pk, [states, *revisions(project).of("turns", "raters")])
    return look_at(key, partial(computed, project))


def computed(project: Project, on_part: OnPart) -> dict[int, dict[str, Figure]]:
    figures: defaultdict[int, dict[str, Figure]] = defaultdict(dict)
    timed = submitted(project).filter(active_seconds__gt=0).order_by("rater_id")
    for rater_id, rows in groupby(timed.values_list("rater_id", "active_seconds").iterator(), itemgetter(0)):
        times = [seconds for _rater, seconds in rows]
        figures[rater_id]["minutes"] = Figure(median(times) / 60, len(times))
    for rater_id, (kept, of) in settled_spans(project, on_part).items():
        figures[rater_id]["retained"] = share(kept, of, NO_SPANS)
    return dict(figures)


def settled_spans(project: Project, on_part: OnPart = unheard) -> dict[int, tuple[int, int]]:
    """Rater id to the numbers of that rater's spans that were kept, and that were kept or rejected."""
    kept: Counter[int] = Counter()
    settled: Counter[int] = Counter()
    responses = list(Response.objects.filter(project=project).values_list("pk", flat=True))
    chunks = list(in_chunks(responses))
    for done, chunk in enumerate(chunks):
        on_part(done, len(chunks))
        for case in cases(chunk):
            kept[case.span.rater_id] += case.outcome == KEPT
            settled[case.span.rater_id] += case.outcome in (KEPT, REJECTED)
    return {rater_id: (kept[rater_id], number) for rater_id, number in settled.items()}


TEAM = FiguredPage(
    "team",
    gettext_lazy("Team"),
    look,
    lambda project: [Span.objects.filter(rater__project=project), submitted(project)],
)
