"""What each judge's error is drawn by, all at once: the regression of `agreement/joint_biases.py` as a table.

An area gives the errors of each judge with what may draw it; how they are put together, corrected and written down is
the same everywhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import NO_ITEMS, Figure
from agreement.joint_biases import CONSTANT, indicators, joint_effects
from agreement.multiplicity import LEVEL, corrected
from projects.enumeration import enumerated, in_parts
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.drawn_by import MARKUP
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.parts import pooled
from reports.dashboard.results import Results
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import figure_text

LENGTH, MARKS, OWN, POSITION, LANGUAGE = "length", "markup", "own laboratory", "position", "language"
#: In this order in the columns of `Errors` and in tables.
FEATURES = (LENGTH, POSITION, OWN, MARKS)
LABELS = {
    LENGTH: gettext_lazy("twice the length"),
    POSITION: gettext_lazy("shown first, not second"),
    OWN: gettext_lazy("of the judge's own laboratory"),
    MARKS: gettext_lazy("one mark of markup more in 1,000 characters"),
}
#: Each of more varieties would be a column of its own; they are then held fixed and have no effects.
VARIETIES_AT_MOST = 6
FOLLOWS = "follows from the others"


@dataclass(frozen=True, eq=False)
class Errors:
    """Errors of one judge. error  judge less people; prompt, variety  ids; held  what is held fixed, by number (a
    question type, a domain); shape (N,). features  in the order of FEATURES, shape (N, 4)."""

    error: Floats
    prompt: Integers
    variety: Integers
    held: Integers
    features: Floats

    def of(self, chosen: Any) -> "Errors":
        return Errors(**{name: column[chosen] for name, column in vars(self).items()})


@dataclass(frozen=True)
class Effects:
    """Of one judge by name: of FEATURES, and "language <id of the variety>". base  id of the variety that the others
    are compared with, 0 where varieties are held fixed or there is but one."""

    figures: Mapping[str, Figure] = field(default_factory=dict)
    base: int = 0


def within(by_judge: Mapping[int, Errors], variety: int) -> dict[int, Errors]:
    """The errors in this variety (id), of judges that have any."""
    cut = {judge: errors.of(errors.variety == variety) for judge, errors in by_judge.items()}
    return {judge: errors for judge, errors in cut.items() if len(errors.error)}


def effects_of(parts: Sequence[Errors], apart: str = "", *, by_language: bool = True) -> Effects:
    """apart  why the errors are on no common scale. by_language  whether a language can draw the error at all: of two
    responses in one language it cannot."""
    errors = pooled(parts) if parts else None
    if errors is None or not len(errors.error):
        return Effects(dict.fromkeys(FEATURES, Figure.without_value(NO_ITEMS)))
    if apart:
        return Effects(dict.fromkeys(FEATURES, Figure.without_value(apart, len(errors.error))))
    varieties = np.unique(errors.variety)
    names, columns, held, base = list(FEATURES), errors.features, errors.held, 0
    if by_language and 1 < len(varieties) <= VARIETIES_AT_MOST:
        flags, of_varieties = indicators([str(one) for one in errors.variety.tolist()])
        names += [f"{LANGUAGE} {one}" for one in of_varieties]
        columns = np.column_stack((columns, flags))
        [base] = [one for one in varieties.tolist() if str(one) not in of_varieties]
    else:
        held = held * (int(varieties.max()) + 1) + errors.variety
    found = joint_effects(_without_means(errors.error, held), _without_means(columns, held), names, errors.prompt)
    figures = dict(found.effects)
    for name, reason in found.dropped.items():
        why: dict[str, Any] = {} if reason == CONSTANT else {"because": reason}
        figures[name] = Figure.without_value(CONSTANT if reason == CONSTANT else FOLLOWS, found.n, **why)
    return Effects({name: figures[name] for name in names}, base)


def _without_means(columns: Floats, held: Integers) -> Floats:
    """Less the mean of each group: the same effects as with a column for every group (Frisch, Waugh and Lovell)."""
    _, group = np.unique(held, return_inverse=True)
    count = np.bincount(group)
    flat = columns.reshape(len(columns), -1)
    means = np.column_stack([np.bincount(group, column) / count for column in flat.T])
    # Columns of one value in each group have to be exactly 0, not what rounding leaves of them.
    left = flat - means[group]
    left[np.abs(left) <= 1e-9 * (1 + np.abs(flat))] = 0.0
    return left.reshape(columns.shape)


# --- The table ----------------------------------------------------------------------------------------------


def table(
    table_id: str, results: Results, title: str, by_judge: Mapping[int, Effects], unit: str, recipe: Mapping[str, Any]
) -> Table:
    """A row for each judge and what may draw it; recipe  what the area's errors are."""
    keys = [(judge, name) for judge, effects in by_judge.items() for name in effects.figures]
    figures = [by_judge[judge].figures[name] for judge, name in keys]
    p = corrected(figures)
    varieties = {variety.id: variety.label for variety in results.names.varieties}
    rows = [
        results.row(
            judge,
            (results.rater(judge), label_of(name, by_judge[judge].base, varieties)),
            (figure, of_spread(figure), of_row),
        )
        for (judge, name), figure, of_row in zip(keys, figures, p, strict=True)
    ]
    return Table(
        id=table_id,
        headline=NO_HEADLINE,
        title=title,
        summary=in_words(rows),
        findings=findings(rows, unit),
        dimensions=(_("judge"), _("drawn by")),
        measures=(_("effect"), _("effect of one standard deviation"), _("p, corrected")),
        rows=tuple(rows),
        recipe=results.recipe(
            "joint_biases",
            drawn=False,
            regression="least squares of the error on all of these together",
            length="log2(1 + characters)",
            markup=MARKUP,
            own_laboratory="1 for a model of the judge's laboratory, as the project has it",
            language=f"a column for each variety but the commonest; of more than {VARIETIES_AT_MOST} varieties none: "
            "they are held fixed",
            interval=INTERVAL,
            correction="Holm, over all rows",
            **recipe,
        ),
        unit=unit,
        units={_("p, corrected"): "p"},
        chart="bars" if any(figure.value is not None for figure in figures) else "none",
        x=_("drawn by"),
        series=_("judge"),
        marked=_("judge"),
        note=_(
            "Each effect is what is left when the others are held fixed: a judge that favours its own laboratory, "
            "whose models write long, is not taken for one that favours length. Above 0 the judge is more lenient "
            "there than people are. What hardly varies, or follows from the others, has no effect of its own. "
            "p-values are corrected for all rows (Holm); intervals are of 95 in 100, each by itself."
        ),
    )


def label_of(name: str, base: int, varieties: Mapping[int, str]) -> str:
    if name in LABELS:
        return str(LABELS[name])
    variety = int(name.removeprefix(f"{LANGUAGE} "))
    return _("%(variety)s, not %(base)s") % {"variety": varieties[variety], "base": varieties[base]}


def of_spread(figure: Figure) -> Figure:
    """The effect of as much of the feature as it usually varies by."""
    if figure.value is None:
        return figure
    times = figure.detail["spread"]
    low, high = (None if bound is None else times * bound for bound in (figure.low, figure.high))
    return Figure(times * figure.value, figure.n, low, high, detail={"spread": times})


def is_sure(row: Row) -> bool:
    effect, _of_spread, p = row.figures
    return effect.value is not None and p.value is not None and p.number <= LEVEL


def in_words(rows: Sequence[Row]) -> str:
    if not rows:
        return _("No judge has been compared with people yet.")
    drawn = list(dict.fromkeys(row.labels[0] for row in rows if is_sure(row)))
    if drawn:
        return _("Drawn by more than the answer: %(judges)s.") % {"judges": enumerated(drawn)}
    if all(row.figures[0].value is None for row in rows):
        return _("What draws judges cannot be told yet: there are too few prompts, or nothing that varies.")
    return _("No judge is surely drawn by any of these.")


def findings(rows: Sequence[Row], unit: str) -> tuple[str, ...]:
    """Of each judge that something draws, all that does, in a line."""
    lines: dict[str, list[str]] = {}
    for row in rows:
        if is_sure(row):
            effect = figure_text(row.figures[0], unit)
            lines.setdefault(row.labels[0], []).append(
                _("%(feature)s: %(effect)s") % {"feature": row.labels[1], "effect": effect}
            )
    return tuple(
        _("%(judge)s: %(sentences)s.") % {"judge": judge, "sentences": in_parts(words)}
        for judge, words in lines.items()
    )
