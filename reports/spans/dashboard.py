"""The dashboard of error spans, as page, command and programming interface know it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.models import Marking, Review
from projects.models import Project, Response
from reports.dashboard import cache
from reports.dashboard.dashboards import Dashboard, Tile, ceiling_tile, count_tile, judge_tile, list_address, n_tile
from reports.dashboard.figures import Group, Source
from reports.dashboard.freshness.revisions import revisions
from reports.dashboard.results import most
from reports.dashboard.tables import Row, Table, by_id
from reports.dashboard.wording import count_text
from reports.progress import progress
from reports.spans import reader
from reports.spans.alphas import ALPHAS
from reports.spans.context import Context
from reports.spans.gold import errors_in_gold
from reports.spans.measures import (
    blindness,
    coding,
    error_categories,
    footing,
    judges_coding,
    judging,
    kinds,
    marking,
    own_laboratory,
    penalties,
    rounds,
    same_issues,
    sentence_verdicts,
    soft_labels,
    validation,
)
from reports.spans.results import SpanResults
from reports.spans.scope import MISSED, SpanListScope, SpanScope


def tiles(project: Project, chosen: Mapping[str, Any], tables: Sequence[Table]) -> list[Tile]:
    """Responses, errors, and F1 of people, of people against the gold, and of the best judge."""
    counts = counts_of(project, SpanScope.of(chosen))
    of_responses = ngettext("in %(n)d variety", "in %(n)d varieties", counts["varieties"]) % {"n": counts["varieties"]}
    of_errors = ngettext("in %(n)s response", "in %(n)s responses", counts["answered"])
    of_errors %= {"n": count_text(counts["answered"])}
    made = [
        count_tile(_("Responses"), counts["responses"], counts["responses"], of_responses),
        count_tile(_("Errors in the gold"), counts["errors"], counts["errors"], of_errors),
    ]
    people, judges = by_id(tables, "human-human"), by_id(tables, "judge-scores")
    if people is not None and people.rows:  # the last row is of all varieties together
        made.append(n_tile(_("F1 of people with each other"), people.rows[-1].figures[1], "share"))
    if judges is not None:
        made += ceiling_tile(_("F1 of people against the gold"), judges.ceilings.get(judges.measures[2]), "share")
        of_all = {row.labels[0]: row for row in judges.rows}  # of each judge the row of all varieties, which comes last
        made += judge_tile(_("Best F1 of a judge"), most(of_all.values(), 2), 2, "share")
    return made


def counts_of(project: Project, scope: SpanScope) -> dict[str, int]:
    """Responses and their varieties, errors of the gold and the responses that these are in; counted again only when
    such a row is written."""
    state = revisions(project).of("responses", "gold")
    key = cache.key_of("counts", project.pk, scope.filters, state)
    return cache.remembered({"counts": key}, lambda _missing: {"counts": counted_now(project, scope)})["counts"]


def counted_now(project: Project, scope: SpanScope) -> dict[str, int]:
    responses = Response.objects.filter(project=project)
    errors = errors_in_gold(project)
    if scope.variety:
        responses = responses.filter(variety__tag=scope.variety)
        errors = errors.filter(response__variety__tag=scope.variety)
    if scope.model:
        responses = responses.filter(target_model__name=scope.model)
        errors = errors.filter(response__target_model__name=scope.model)
    if scope.criticality:
        errors = errors.filter(criticality=scope.criticality)
    return {
        "responses": responses.count(),
        "varieties": responses.values("variety").distinct().count(),
        "errors": errors.count(),
        "answered": errors.values("response").distinct().count(),
    }


def address(project: Project, chosen: Mapping[str, Any], row: Row) -> str:
    """The list of responses a row counts: its own filters, and of the page's those the list knows."""
    if not row.drill:
        return ""
    filters = {**chosen, **row.drill}
    if filters.get("missed"):
        filters["outcome"] = MISSED
    return list_address("responses", SpanListScope, project, filters)


SPANS = Dashboard(
    area="spans",
    page="results",
    title=gettext_lazy("Results"),
    lead=gettext_lazy(
        "How far people agree with each other, and judges with people. Brackets hold the 95 % interval; dashed lines "
        "are what people reach among themselves."
    ),
    empty=gettext_lazy("Figures appear here once responses are in the project and people or judges have marked them."),
    scope=SpanScope,
    source=Source(reader, SpanResults, Context),
    groups=(
        Group(marking, ("responses", "answers"), gettext_lazy("Errors that people and judges mark")),
        Group(kinds, ("responses", "answers"), gettext_lazy("Which errors, and what kind of them")),
        Group(soft_labels, ("responses", "answers"), gettext_lazy("Where people are divided")),
        Group(validation, ("responses", "answers", "reviews"), gettext_lazy("Which errors are kept")),
        Group(blindness, ("responses", "answers"), gettext_lazy("Are reviewers blind?"), together_only=True),
        Group(
            judging,
            ("responses", "answers", "reviews", "gold", "calls"),
            gettext_lazy("Judges and the final set of errors"),
        ),
        Group(
            own_laboratory,
            ("responses", "answers"),
            gettext_lazy("Judges and their own laboratory"),
            together_only=True,
        ),
        Group(
            sentence_verdicts,
            ("responses", "answers", "reviews", "gold", "asked apart"),
            gettext_lazy("Judges asked of each sentence"),
        ),
        Group(
            same_issues,
            ("responses", "answers", "gold", "asked apart"),
            gettext_lazy("Which overlap is the same issue"),
            together_only=True,
        ),
        Group(
            rounds,
            ("responses", "answers", "reviews", "gold", "calls"),
            gettext_lazy("Judges asked again"),
            together_only=True,
        ),
        Group(
            footing,
            ("responses", "answers", "reviews", "gold"),
            gettext_lazy("Judges beside people"),
            together_only=True,
        ),
        Group(
            error_categories,
            ("responses", "answers", "reviews", "gold"),
            gettext_lazy("Categories of errors"),
        ),
        Group(coding, ("responses", "codings"), gettext_lazy("What kind of errors")),
        Group(judges_coding, ("responses", "codings"), gettext_lazy("What kind of errors, by people and by judges")),
        Group(penalties, ("responses", "answers"), gettext_lazy("Errors as points")),
    ),
    first=(progress,),
    answers=lambda project: [
        Response.objects.filter(project=project),  # each is cut into words, whether anybody has marked it or not
        Marking.objects.filter(response__project=project),
        Review.objects.filter(span__response__project=project),
    ],
    tiles=tiles,
    row_address=address,
    alphas=ALPHAS,
)
