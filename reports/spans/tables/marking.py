"""Tables of stage 1: errors per response, and people against each other."""

from django.utils.translation import gettext as _

from agreement.figures import Figure
from reports.dashboard.findings import first_of
from reports.spans.results import Results
from reports.tables import Row, Table
from reports.wording import said, said_of

GROUP = "marking"


def tables(results: Results) -> list[Table]:
    return [errors_per_response(results), human_human(results)]


def errors_per_response(results: Results) -> Table:
    rows = [
        Row((label, results.detector(one)), figures, {**drill, **results.drill(one)}, results.marks(one))
        for label, drill, pool in results.pools(GROUP)
        for one, figures in pool["errors"].items()
    ]
    every = results.total(GROUP)["errors"]
    mean = ", ".join(said_of(results.detector(one), figures[0], "per response") for one, figures in every.items())
    return Table(
        id="errors-per-response",
        headline=first_of(rows),
        title=_("Errors per response"),
        summary=_("Mean errors marked per response and rater. %(means)s.") % {"means": mean}
        if every
        else _("Nobody has marked a response yet."),
        dimensions=(_("setting"), _("detector")),
        measures=(_("all"), _("high"), _("medium"), _("low")),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "errors_per_response",
            drawn=True,
            unit="annotation: spans of one rater grouped together count once; omissions count",
            answers="latest complete round of each rater and response",
        ),
        unit="per response",
        x=_("setting"),
        series=_("detector"),
    )


def human_human(results: Results) -> Table:
    scope = results.context.scope
    measures = (
        _("F1, mean over responses"),
        _("F1, pooled"),
        _("agree on presence"),
        _("F1 in characters"),
        _("mean character IoU"),
        _("kappa, category"),
        _("kappa, type"),
        _("unitizing alpha"),
    )
    rows = [
        Row((label,), pool["agreement"], {**drill, "detector": "human"}, results.marks())
        for label, drill, pool in results.pools(GROUP)
    ]
    every: tuple[Figure, ...] = results.total(GROUP)["agreement"]
    summary = _(
        "Where two people marked the same response, %(f1)s of their errors meet (F1, pooled), and they agree on "
        "whether there is any error in %(presence)s of the pairs."
    )
    return Table(
        id="human-human",
        headline=first_of(rows, 1),
        title=_("People against each other"),
        summary=summary % {"f1": said(every[1]), "presence": said(every[2])}
        if every[1].n
        else _("No response has been marked by two people yet."),
        dimensions=(_("setting"),),
        measures=measures,
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "human_human_span_agreement",
            drawn=True,
            threshold=scope.threshold,
            matching=scope.matching,
            f1="matched spans of both sides / spans of both sides; unordered pairs of people",
            mean_f1="pairs of one response, then responses; pairs that marked nothing left out",
            mean_character_iou="pairs that marked nothing agree (1)",
            kappa="one-to-one matched spans, first against second by order of answers",
            alpha="Krippendorff's unitizing alpha, binary, overlapping spans of one rater put together",
        ),
        x=_("setting"),
        note=_(
            "Neither person is the gold, so F1 is the same whichever comes first. Omissions have no words to compare."
        ),
    )
