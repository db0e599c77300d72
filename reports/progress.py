"""How far the work has come, per stage and variety. Read afresh each time: two grouped queries."""

from collections import Counter
from collections.abc import Mapping

from django.db.models import Count, Max, Sum
from django.utils.translation import gettext as _

from agreement.figures import Figure, Recipe
from projects.enumeration import in_parts
from projects.models import LanguageVariety, Project
from reports.dashboard.cache import code_version
from reports.dashboard.freshness.revisions import digest
from reports.dashboard.tables import Headline, Row, Table
from reports.dashboard.wording import count_text
from workflow.models import Assignment, Status, WorkItem


def progress(project: Project) -> Table:
    """Items of each stage and variety, the answers they need, and where those stand."""
    items = (
        WorkItem.objects.filter(stage__project=project, is_check=False)
        .order_by("stage__position", "stage_id", "variety__tag")
        .values_list("stage_id", "variety_id")
        .annotate(items=Count("id"), needed=Sum("slots"), open=Sum("open_slots"))
    )
    counts = {(stage, variety): numbers for stage, variety, *numbers in items}
    statuses: Counter = Counter()
    turns = Assignment.objects.filter(stage__project=project, item__is_check=False).order_by()
    newest = 0
    for stage, variety, status, count, last in turns.values_list("stage_id", "item__variety_id", "status").annotate(
        n=Count("id"), last=Max("id")
    ):
        statuses[stage, variety, status] += count
        newest = max(newest, last)
    stages = dict(project.stages.values_list("id", "name"))
    varieties = LanguageVariety.objects.in_bulk({variety for _stage, variety in counts})
    rows = []
    for (stage, variety), (count, needed, open_slots) in counts.items():
        done, held, skipped = (
            sum(statuses[stage, variety, status] for status in group)
            for group in ((Status.SUBMITTED,), (Status.CLAIMED, Status.RESERVED), (Status.SKIPPED,))
        )
        numbers = (count, needed, done, held, open_slots, skipped)
        tag = varieties[variety]
        figures = tuple(Figure(number, needed) for number in numbers)
        rows.append(Row((stages[stage], project.calls(tag)), figures, {"variety": tag.tag}))
    return Table(
        id="progress",
        headline=Headline((), 2),
        title=_("Progress"),
        summary=_summary(rows),
        dimensions=(_("stage"), _("variety")),
        measures=(_("items"), _("answers needed"), _("done"), _("in progress"), _("open"), _("skipped")),
        rows=tuple(rows),
        recipe=Recipe(
            "progress",
            n_items=sum(numbers[0] for numbers in counts.values()),
            n_raters=turns.values("rater").distinct().count(),
            code_version=code_version(),
            data_snapshot=digest([sorted(statuses.items()), list(counts.items()), newest]),
        ),
        unit="count",
    )


def _summary(rows: list[Row]) -> str:
    totals: Mapping[str, list[float]] = {}
    by_stage: dict[str, list[float]] = dict(totals)
    for row in rows:
        done, needed = by_stage.setdefault(row.labels[0], [0, 0])
        by_stage[row.labels[0]] = [done + row.figures[2].number, needed + row.figures[1].number]
    if not rows:
        return _("No work has been handed out yet.")
    parts = [
        _("%(stage)s: %(done)s of %(needed)s answers done")
        % {"stage": stage, "done": count_text(done), "needed": count_text(needed)}
        for stage, (done, needed) in by_stage.items()
    ]
    return in_parts(parts)
