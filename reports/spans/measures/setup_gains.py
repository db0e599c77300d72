"""What a judge of error spans gains by examples or by the list of categories, everything else being asked alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.multiplicity import LEVEL, corrected
from projects.enumeration import enumerated
from reports.dashboard.findings import highest
from reports.dashboard.setups import Change, change_labels, changes
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import labelled_figure
from reports.spans.measures.categories import class_names
from reports.spans.measures.ceiling import builders_note, judges_in, matching
from reports.spans.results import SpanResults as Results

BEFORE, AFTER, GAIN, P = range(4)


def gains_of_setups(results: Results) -> Table:
    """Judges of one model that differ in one thing alone, on the responses that both answered: all errors together, and
    each category and depth."""
    setups = results.names.own.setups
    compared = [
        (change, name, drill, figures)
        for change in changes(setups, judges_in(results))
        for name, drill, figures in _of_change(results, change)
    ]
    p_values = corrected([figures[GAIN] for *_of, figures in compared])
    rows = [
        Row(
            (*change_labels(setups, change), name),
            (*figures, p),
            {**results.by_rater(change.after), **drill},
            results.marks(change.before, change.after),
        )
        for (change, name, drill, figures), p in zip(compared, p_values, strict=True)
    ]
    sure = [row for row in rows if row.figures[P].value is not None and row.figures[P].number <= LEVEL]
    named = [labelled_figure(", ".join(filter(None, row.labels)), row.figures[GAIN]) for row in sure]
    return Table(
        id="span-setup-gains",
        headline=highest([row for row in rows if row.labels[-1] == _("F1")], GAIN),
        title=_("What a way of asking gains"),
        summary=_("Differences beyond chance: %(gains)s.") % {"gains": enumerated(named)}
        if named
        else _("No way of asking makes a difference beyond chance.")
        if rows
        else _("There are not two judges of one model that differ in one thing alone."),
        dimensions=(_("model"), _("change"), _("otherwise"), _("measure")),
        measures=(_("before"), _("after"), _("difference on what both answered"), _("p, corrected")),
        units={_("p, corrected"): "p"},
        rows=tuple(rows),
        recipe=results.recipe(
            "paired_score_differences",
            gold=True,
            drawn=True,
            items="of the difference: responses both answered",
            category="of the gold error",
            correction="Holm, over all rows of this table",
            setups="options of judges that were set up here, metadata of imported answers",
            **matching(results),
        ),
        chart="none",
        marked=_("model"),
        note=builders_note(results),
    )


def _of_change(results: Results, change: Change) -> Iterator[tuple[str, dict[str, str], tuple[Figure, Figure, Figure]]]:
    """Name and drill filters of each measure, and what it is before and after, and the difference."""
    total, sides = results.total(), (change.before, change.after)
    gains = _gains(total["pairs"], change)
    for at, name in enumerate((_("precision"), _("recall"), _("F1"))):
        before, after = (total["scores"][one][at] for one in sides)
        yield name, {}, (before, after, gains[at])
    gains = _gains(total["category_pairs"], change)
    for at, (label, drill) in enumerate(class_names(results)):
        before, after = (total["categories"][one]["all"][at] for one in sides)
        if gains[at].n:
            yield f"{_('recall')}, {label}", drill, (before, after, gains[at])


def _gains(pairs: Mapping[tuple[int, int], Sequence[Figure]], change: Change) -> list[Figure]:
    """After less before; a pair stands in the tables of pairs in the order of its ids."""
    if (change.after, change.before) in pairs:
        return list(pairs[change.after, change.before])
    return [_turned(figure) for figure in pairs[change.before, change.after]]


def _turned(figure: Figure) -> Figure:
    if figure.value is None:
        return figure
    turned = replace(figure, value=-figure.value)
    return turned if figure.low is None or figure.high is None else replace(turned, low=-figure.high, high=-figure.low)
