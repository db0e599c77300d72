"""The dashboard of rubrics, as page, command and programming interface know it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.models import LanguageVariety, Project
from reports.dashboard.dashboards import Dashboard, Tile, ceiling_tile, count_tile, judge_tile, list_address, n_tile
from reports.dashboard.figures import Group, Source
from reports.dashboard.names import TOTAL
from reports.dashboard.tables import Row, Table, by_id
from reports.progress import progress
from reports.rubrics import reader
from reports.rubrics.context import Context
from reports.rubrics.measures import (
    authoring,
    criteria,
    failures,
    footing,
    groups,
    joint,
    judging,
    own_laboratory,
    rounds,
    scores,
    severity,
    unsure,
)
from reports.rubrics.results import RubricResults
from reports.rubrics.scope import GradedScope, RubricScope
from rubrics.models import Verdict

BY_PEOPLE = ("responses", "people")
VERDICTS = ("verdicts", "verdicts_of_judges")


def tiles(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    """Responses graded and their mean score, the nearest judge, and how near people are to each other."""
    scores, judges, people = (
        by_id(tables, name) for name in ("human-scores", "judges-against-people", "human-ceiling")
    )
    made = []
    if scores is not None and scores.rows:
        # The row of all targets, all varieties and both domains; of one variety where there is one.
        mean = min(scores.rows, key=lambda row: len(row.drill)).figures[0]
        varieties = len({row.labels[1] for row in scores.rows if "variety" in row.drill})
        note = ngettext("in %(n)d community", "in %(n)d communities", varieties) % {"n": varieties}
        made += [
            count_tile(_("Responses graded"), mean.n, mean.n, note),
            n_tile(_("Mean score by people, in percent"), mean, "percent"),
        ]
    if judges is not None and judges.rows:
        made += judge_tile(_("Smallest MAD of a judge"), judges.rows[0], 0, "pp")
    # Beside the judges people on their task; where no judge was asked people against each other.
    drawn = [table for table in (judges, people) if table is not None and table.rows and table.ceilings]
    if drawn:
        [ceiling] = drawn[0].ceilings.values()
        made += ceiling_tile(_("MAD of people"), ceiling, "pp")
    return made


def address(project: Project, chosen: Mapping[str, Any], row: Row) -> str:
    """The list of responses a row counts, or the one response that it is about."""
    filters = {**chosen, **row.drill}
    if "response" in filters:
        page = reverse("rubric-response", args=[project.slug, filters["response"]])
        return f"{page}?{urlencode({'judge': filters['judge']})}" if "judge" in filters else page
    return list_address("rubric-responses", GradedScope, project, filters)


def options(project: Project, scope: RubricScope, group: str, variety: int) -> dict[str, Any]:
    """Which community's rates others are divided by, in the total alone; a tag of none changes nothing."""
    if variety == TOTAL and group == "failures" and scope.baseline:
        return {
            "baseline": LanguageVariety.objects.filter(tag=scope.baseline).values_list("id", flat=True).first() or 0
        }
    return {}


RUBRICS = Dashboard(
    area="rubrics",
    page="rubric-results",
    title=gettext_lazy("Rubric results"),
    lead=gettext_lazy(
        "What people's grades say of the target models, how near judges come to them, and how strict each grader is. "
        "Brackets hold the 95 % interval."
    ),
    empty=gettext_lazy("Figures appear here once rubrics are frozen and responses have been graded."),
    scope=RubricScope,
    source=Source(reader, RubricResults, Context),
    groups=(
        Group(scores, BY_PEOPLE, gettext_lazy("How people grade")),
        Group(authoring, (*BY_PEOPLE, "errors"), gettext_lazy("What people write")),
        Group(judging, (*BY_PEOPLE, "judges", "calls"), gettext_lazy("Judges and people"), ("criteria",)),
        Group(joint, (*BY_PEOPLE, "judges", "laboratories"), gettext_lazy("What draws judges"), together_only=True),
        Group(
            own_laboratory,
            (*BY_PEOPLE, "judges", "laboratories"),
            gettext_lazy("Judges and their own laboratory"),
            together_only=True,
        ),
        Group(footing, (*BY_PEOPLE, "judges"), gettext_lazy("Judges beside people"), together_only=True),
        Group(rounds, (*BY_PEOPLE, "judges", "calls"), gettext_lazy("Judges asked again"), together_only=True),
        Group(
            criteria,
            (*BY_PEOPLE, "judges", "errors", *VERDICTS),
            gettext_lazy("Criterion by criterion"),
            together_only=True,
        ),
        Group(failures, (*BY_PEOPLE, "errors"), gettext_lazy("What goes wrong")),
        Group(
            severity, (*BY_PEOPLE, "verdicts", "speakers"), gettext_lazy("How severe people are"), together_only=True
        ),
        Group(
            groups,
            (*BY_PEOPLE, "speakers", "experts"),
            gettext_lazy("Groups of people"),
            ("scores",),
            together_only=True,
        ),
        Group(unsure, BY_PEOPLE, gettext_lazy("Sure and unsure answers"), together_only=True),
    ),
    options=options,
    first=(progress,),
    answers=lambda project: [Verdict.objects.filter(grade__response__project=project)],
    tiles=tiles,
    responses="rubric-responses",
    row_address=address,
)
