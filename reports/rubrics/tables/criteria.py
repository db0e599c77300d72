"""Tables criterion by criterion."""

from django.utils.translation import gettext as _

from reports.dashboard.findings import lowest
from reports.rubrics.criteria import ASPECTS, TYPES
from reports.rubrics.groups import PEOPLE
from reports.rubrics.loading import EXPLICITNESS, FAILURE_TYPES, OBJECTIVITY
from reports.rubrics.results import Results
from reports.tables import NO_HEADLINE, Row, Table
from reports.wording import said
from rubrics.models import Explicitness, FailureType, Objectivity

GROUP = "criteria"


def tables(results: Results) -> list[Table]:
    return [criterion_types(results), penalties_seen(results), error_by_aspect(results)]


def nothing() -> str:
    return _("No response has been graded a second time yet, by a judge or a person.")


def aspect_name(aspect: str) -> str:
    if aspect in FAILURE_TYPES:
        return str(FailureType(aspect).label)
    if aspect in OBJECTIVITY:
        return str(Objectivity(aspect).label)
    if aspect in EXPLICITNESS:
        return str(Explicitness(aspect).label)
    return _("Positive") if aspect == "positive" else _("Negative")


def criterion_types(results: Results) -> Table:
    found = results.total(GROUP)["types"]
    rows = [
        Row(
            (results.rater(one), *map(aspect_name, names)),
            (same, kappa, recall),
            results.by_judge(one),
            results.marks(one),
        )
        for one, figures in found.items()
        for names, (same, recall, kappa) in zip(TYPES, figures, strict=True)
        if same.n
    ]
    least = min(
        (row for row in rows if row.figures[0].value is not None), key=lambda row: row.figures[0].number, default=None
    )
    return Table(
        id="criterion-types",
        headline=lowest(rows),
        title=_("Agreement by type of criterion"),
        summary=_("Least often the same verdict: %(who)s on %(type)s criteria, %(share)s.")
        % {"who": least.labels[0], "type": ", ".join(least.labels[1:]).lower(), "share": said(least.figures[0])}
        if least
        else nothing(),
        dimensions=(_("grader"), _("polarity"), _("explicitness"), _("objectivity")),
        measures=(_("same verdict"), _("Cohen's kappa"), _("recall")),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "criterion_confusion",
            counts="passed, or error present",
            recall="of the criteria that count for the person, those that count for the other",
        ),
        unit="share",
        chart="heat",
        x=_("polarity"),
        series=_("grader"),
        note=_(
            "Negative criteria are errors that the first grader recorded, so all of them are present for that person: "
            "for them recall says it all, and kappa is undefined."
        ),
    )


def penalties_seen(results: Results) -> Table:
    found = results.total(GROUP)["failures"]
    rows = [
        Row(
            (results.rater(one), aspect_name(failure)),
            (figure,),
            {**results.by_judge(one), "failure": failure},
            results.marks(one),
        )
        for one, figures in found.items()
        for failure, figure in zip(FAILURE_TYPES, figures, strict=True)
        if figure.n
    ]
    least = min((row for row in rows), key=lambda row: row.figures[0].number, default=None)
    return Table(
        id="penalties-seen",
        headline=lowest(rows),
        title=_("Recorded errors that are seen again"),
        summary=_("Seen least: %(type)s by %(who)s, %(share)s of the errors that the first grader recorded.")
        % {"who": least.labels[0], "type": least.labels[1], "share": said(least.figures[0])}
        if least
        else _("No recorded error has been put to a judge or a second person yet."),
        dimensions=(_("grader"), _("failure type")),
        measures=(_("recall"),),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "negative_criterion_recall"),
        x=_("failure type"),
        series=_("grader"),
    )


def error_by_aspect(results: Results) -> Table:
    found = results.total(GROUP)["parts"]
    rows = [
        Row((results.rater(one), aspect_name(aspect)), figures, results.by_judge(one), results.marks(one))
        for one, of_one in found.items()
        for aspect, figures in zip(ASPECTS, of_one, strict=True)
        if figures[0].n and one != PEOPLE
    ]
    return Table(
        id="error-by-aspect",
        headline=NO_HEADLINE,
        title=_("What a judge's error is made of"),
        summary=_("The part of each score's error that criteria of one kind make, in percentage points.")
        if rows
        else nothing(),
        dimensions=(_("judge"), _("criteria")),
        measures=(_("MAD"), _("signed error")),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "deviation_by_criteria",
            part="100 * weight * (judge - person) / S_max, summed over the criteria of one kind",
            responses="those with such a criterion",
        ),
        unit="pp",
        x=_("criteria"),
        series=_("judge"),
    )
