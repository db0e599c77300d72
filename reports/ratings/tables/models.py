"""Tables of target models: wins and losses, and means that a judge's scores make sharper."""

from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure
from reports.dashboard.findings import first_of, highest
from reports.ratings.groups import PEOPLE
from reports.ratings.results import Results
from reports.tables import Row, Table
from reports.wording import said

GROUP = "models"


def tables(results: Results) -> list[Table]:
    return [wins(results), powered(results)]


def wins(results: Results) -> Table:
    found = results.total(GROUP)
    pair = found["models"]
    names = [results.names.models[one] for one in pair] if pair else []
    title = (
        _("%(first)s against %(second)s") % {"first": names[0], "second": names[1]} if pair else _("Wins and losses")
    )
    rows = [
        Row(
            (results.rater(one),),
            tuple(figure or alone() for figure in figures),
            {**results.by_judge(one), "model": names[0]},
            results.marks(one),
        )
        for one, figures in found["wins"].items()
    ]
    return Table(
        id="wins",
        headline=first_of(rows),
        title=title,
        summary=wins_in_words(results, found["wins"], names)
        if pair
        else _("There are no pairs of two target models yet."),
        dimensions=(_("rater"),),
        measures=(
            _("wins of the first"),
            _("ties"),
            _("losses"),
            _("difference in grades"),
            _("overstated difference"),
            _("overstated wins"),
        ),
        units=dict.fromkeys((_("difference in grades"), _("overstated difference")), "grade"),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "win_tie_loss",
            first=names[0] if pair else None,
            second=names[1] if pair else None,
            people="gold of each pair",
            judges="the mean of a judge's answers to a pair counts, in one order or in both",
            overstated="judge less people, on pairs that both know",
        ),
        x=_("rater"),
        note=_(
            "Overstated wins are wins less losses by the judge, less the same by people: above 0 a judge favours the "
            "first model more than people do. Choose two target models above."
        ),
    )


def alone() -> Figure:
    """What a judge is compared with has nothing to overstate."""
    return Figure.without_value("people are the measure")


def wins_in_words(results: Results, found: dict[int, Any], names: list[str]) -> str:
    people = found[PEOPLE]
    parts = [
        _("People prefer %(first)s in %(wins)s and %(second)s in %(losses)s of pairs.")
        % {"first": names[0], "second": names[1], "wins": said(people[0]), "losses": said(people[2])}
    ]
    known = [
        (one, figures[4] if figures[4].value is not None else figures[5])
        for one, figures in found.items()
        if one != PEOPLE
    ]
    known = [(one, figure) for one, figure in known if figure.value is not None]
    if known:
        one, most = max(known, key=lambda pair: abs(pair[1].number))
        parts.append(
            _("%(judge)s is furthest from people: its difference is off by %(much)s.")
            % {"judge": results.rater(one), "much": said(most, "grade")}
        )
    return " ".join(parts)


def powered(results: Results) -> Table:
    found = results.total(GROUP)["powered"]
    rows = [
        Row(
            (results.rater(judge), results.names.models[model]),
            figures,
            {**results.by_judge(judge), "model": results.names.models[model]},
            results.marks(judge),
        )
        for (judge, model), figures in found.items()
    ]
    defined = [row for row in rows if row.figures[2].value is not None]
    best = max(defined, key=lambda row: row.figures[2].number, default=None)
    return Table(
        id="prediction-powered",
        headline=highest(rows, 2),
        title=_("Mean grade of a target model, with a judge's help"),
        summary=_("%(judge)s saves most: with its scores %(labels)d labels of %(model)s are worth %(more)s more.")
        % {
            "judge": best.labels[0],
            "model": best.labels[1],
            "labels": best.figures[2].n,
            "more": said(best.figures[2], "count"),
        }
        if best
        else _("A judge's scores add nothing yet: it must have scored responses that no person graded."),
        dimensions=(_("judge"), _("target model")),
        measures=(_("prediction-powered mean"), _("mean by people"), _("labels saved")),
        unit="grade",
        units={_("labels saved"): "count"},
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "prediction_powered_mean",
            drawn=False,
            power_tuned=True,
            labels="gold of the items that people graded, taken for a random draw of all that the judge scored",
            judge="the mean of its grades of an item",
            interval="normal, 95 %",
        ),
        chart="bars" if defined else "none",
        x=_("target model"),
        series=_("judge"),
        marked=_("judge"),
        note=_(
            "Labels saved are those that people would have to add for a mean as sharp. Below 0 the judge does more "
            "harm than good."
        ),
    )
