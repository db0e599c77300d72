"""The table of people, by pseudonym."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reports.dashboard.findings import lowest
from reports.ratings.raters import MEASURES
from reports.ratings.results import Results
from reports.tables import HEADING, Row, Table
from reports.wording import said

GROUP = "raters"
#: Rows on the page; the files hold all.
SHOWN = 100


def tables(results: Results) -> list[Table]:
    rows, unlinked, groups = [], 0, 0
    for setting in results.names.settings:
        found = results.figures[GROUP][setting.id]
        groups += max(0, found["linked"] - 1)
        for one, (group, figures) in found["raters"].items():
            unlinked += figures[MEASURES.index("severity")].undefined == "not linked"
            drill = {"variety": setting.tag, "rater": results.names.raters[one].pseudonym}
            rows.append(Row((results.rater(one), setting.label, str(group + 1)), figures, drill, results.marks()))
    near = MEASURES.index("within")
    rows.sort(key=lambda row: (row.figures[near].value is None, row.figures[near].value or 0.0, row.labels))
    return [
        Table(
            id="raters",
            headline=lowest(rows, 1),
            title=_("People beside the others"),
            summary=in_words(rows, unlinked, groups),
            dimensions=(_("rater"), _("variety"), _("linked group")),
            measures=(
                _("grades"),
                _("within 1 of the others"),
                _("signed error"),
                _("within 1 of experts"),
                _("severity"),
            ),
            units={_("grades"): "count", _("signed error"): "grade", _("severity"): "logits"},
            rows=tuple(rows),
            recipe=results.recipe(
                GROUP,
                "rater_agreement_and_severity",
                gold=False,
                drawn=False,
                within=1,
                others="all other people of the item; signed error against their mean",
                interval="t over the grades of a rater; of severity a normal approximation",
                model="logit P(grade >= k) = ability - severity(rater) - threshold(k)",
                fit="penalised marginal maximum likelihood, variety by variety",
                zero="mean of the raters of a linked group",
            ),
            chart="none",
            marked=HEADING,
            shown=SHOWN,
            note=_(
                "Those who agree least with the others stand first. A signed error above 0 is lenient. Severity is in "
                "logits: above 0 stricter than the others of the linked group on the same responses. Raters of "
                "different varieties or linked groups cannot be compared by it."
            ),
        )
    ]


def in_words(rows: list[Row], unlinked: int, groups: int) -> str:
    if not rows:
        return _("Nobody has graded a response yet.")
    sentences = [ngettext("%(n)d person graded.", "%(n)d people graded.", len(rows)) % {"n": len(rows)}]
    least = rows[0]
    if least.figures[1].value is not None:
        sentences.append(
            _("%(rater)s agrees least with the others: within one grade of them in %(near)s.")
            % {"rater": least.labels[0], "near": said(least.figures[1])}
        )
    if unlinked:
        sentences.append(
            ngettext(
                "%(n)d shares no response with anybody, so how severe that person is cannot be told.",
                "%(n)d share no response with anybody, so how severe they are cannot be told.",
                unlinked,
            )
            % {"n": unlinked}
        )
    elif groups:
        sentences.append(
            _(
                "Within a variety some people share no response, and no chain of shared ones joins them: where linked "
                "groups differ, a gap between their people may be severity or may be their responses."
            )
        )
    return " ".join(sentences)
