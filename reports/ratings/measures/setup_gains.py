"""What a judge gains by an example, a rubric or a second response, everything else being asked alike."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from agreement.multiplicity import LEVEL, corrected
from projects.enumeration import enumerated
from reports.dashboard.findings import highest
from reports.dashboard.setups import Change, change_labels
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import labelled_figure
from reports.ratings.measures.judged import recipe, titles
from reports.ratings.results import RatingResults as Results

#: The deviation is a loss: what is gained makes it smaller.
BEFORE, AFTER, GAIN, P = range(4)


def gains_of_setups(results: Results) -> Table:
    """Judges of one model that differ in one thing alone, on the items that both answered."""
    gains: Mapping[Change, Any] = results.total().get("gains", {})
    setups = results.names.own.setups
    compared = [(change, name, figures) for change, by_name in gains.items() for name, figures in by_name.items()]
    p_values = corrected([figures[-1] for _change, _name, figures in compared])
    rows = [
        Row(
            (*change_labels(setups, change), titles()[name]),
            (before, after, difference, p),
            results.by_rater(change.after),
            results.marks(change.before, change.after),
        )
        for (change, name, (after, before, difference)), p in zip(compared, p_values, strict=True)
    ]
    sure = [row for row in rows if row.figures[P].value is not None and row.figures[P].number <= LEVEL]
    named = [labelled_figure(", ".join(filter(None, row.labels)), row.figures[GAIN]) for row in sure]
    return Table(
        id="setup-gains",
        headline=highest([row for row in rows if row.labels[-1] == titles()["preference"]], GAIN),
        title=_("What a way of asking gains"),
        summary=_("Differences beyond chance: %(gains)s.") % {"gains": enumerated(named)}
        if named
        else _("No way of asking makes a difference beyond chance.")
        if rows
        else _("There are not two judges of one model that differ in one thing alone."),
        dimensions=(_("model"), _("change"), _("otherwise"), _("measure")),
        measures=(_("before"), _("after"), _("difference"), _("p, corrected")),
        units={_("p, corrected"): "p"},
        rows=tuple(rows),
        recipe=recipe(
            results,
            "paired_difference",
            items="answered by both; two answers of one judge weigh a half each",
            correction="Holm, over all rows of this table",
            setups="options of judges that were set up here, metadata of imported answers",
        ),
        chart="none",
        marked=_("model"),
        note=_("A difference is after less before. Of MAD less is better; of all other measures more is."),
    )
