"""What a judge of error spans gains by examples or by the list of categories, everything else being asked alike."""

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.multiplicity import LEVEL, corrected
from projects.enumeration import enumerated
from reports.dashboard.findings import highest
from reports.dashboard.setups import change_labels, changes
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import labelled_figure
from reports.spans.measures.ceiling import builders_note, judges_in, matching
from reports.spans.results import SpanResults as Results


def gains_of_setups(results: Results) -> Table:
    """Judges of one model that differ in one thing alone, on the responses that both answered."""
    total, setups = results.total(), results.names.own.setups
    compared = [
        (change, _gain(total["pairs"], change.before, change.after)) for change in changes(setups, judges_in(results))
    ]
    p_values = corrected([gain for _change, gain in compared])
    rows = [
        Row(
            change_labels(setups, change),
            (total["scores"][change.before][2], total["scores"][change.after][2], gain, p),
            results.by_rater(change.after),
            results.marks(change.before, change.after),
        )
        for (change, gain), p in zip(compared, p_values, strict=True)
    ]
    sure = [row for row in rows if row.figures[-1].value is not None and row.figures[-1].number <= LEVEL]
    named = [labelled_figure(", ".join(filter(None, row.labels)), row.figures[2]) for row in sure]
    return Table(
        id="span-setup-gains",
        headline=highest(rows, 2),
        title=_("What a way of asking gains"),
        summary=_("Differences beyond chance: %(gains)s.") % {"gains": enumerated(named)}
        if named
        else _("No way of asking makes a difference beyond chance.")
        if rows
        else _("There are not two judges of one model that differ in one thing alone."),
        dimensions=(_("model"), _("change"), _("otherwise")),
        measures=(_("F1 before"), _("F1 after"), _("difference on what both answered"), _("p, corrected")),
        units={_("p, corrected"): "p"},
        rows=tuple(rows),
        recipe=results.recipe(
            "paired_f1_difference",
            gold=True,
            drawn=True,
            items="of the difference: responses both answered",
            correction="Holm, over all rows of this table",
            setups="options of judges that were set up here, metadata of imported answers",
            **matching(results),
        ),
        chart="none",
        marked=_("model"),
        note=builders_note(results),
    )


def _gain(pairs: Mapping[tuple[int, int], Figure], before: int, after: int) -> Figure:
    """After less before; a pair stands in the table of pairs in the order of its ids."""
    if (after, before) in pairs:
        return pairs[after, before]
    figure = pairs[before, after]
    if figure.value is None:
        return figure
    turned = replace(figure, value=-figure.value)
    return turned if figure.low is None or figure.high is None else replace(turned, low=-figure.high, high=-figure.low)
