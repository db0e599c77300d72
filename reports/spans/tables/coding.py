"""Table of the doubly coded sample."""

from django.utils.translation import gettext as _

from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import said
from reports.spans.results import Results

GROUP = "coding"


def tables(results: Results) -> list[Table]:
    total = results.total(GROUP)
    raters = results.names.raters
    rows = [
        Row(
            (raters[one].label, raters[other].label),
            (figure,),
            {"rater": raters[one].pseudonym},
            results.marks(one, other),
        )
        for (one, other), figure in total["pairs"].items()
    ]
    if rows:
        coders = [rater for pair in total["pairs"] for rater in pair]
        rows.append(Row((_("All coders"), _("alpha")), (total["alpha"],), {}, results.marks(*coders)))
    best = list(total["pairs"].values())
    return [
        Table(
            id="classification-kappa",
            title=_("Agreement on categories"),
            summary=_("%(spans)d errors were given a category by two coders; kappa %(kappa)s.")
            % {"spans": total["responses"], "kappa": ", ".join(said(figure) for figure in best)}
            if rows
            else _("No error has been given a category by two coders yet."),
            dimensions=(_("first coder"), _("second coder")),
            measures=(_("Cohen's kappa"),),
            rows=tuple(rows),
            recipe=results.recipe(GROUP, "cohen_kappa", weights="unweighted", all_coders="nominal alpha"),
            unit="share",
            chart="none",
            note=_("Categories that judges propose are left out, and so is what people chose in sight of a proposal."),
        )
    ]
