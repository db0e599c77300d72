"""The table of the alternative-annotator test."""

from django.utils.translation import gettext as _

from agreement.alternative import EPSILON, FALSE_DISCOVERIES, MIN_ITEMS
from reports.dashboard.findings import highest
from reports.ratings.results import Results
from reports.tables import Row, Table
from reports.wording import number

GROUP = "alternative"


def tables(results: Results) -> list[Table]:
    found = results.total(GROUP)
    rows = sorted(
        (
            Row((results.rater(one),), (test.winning_rate, test.advantage), results.by_judge(one), results.marks(one))
            for one, test in found.items()
        ),
        key=lambda row: (row.figures[0].value is None, -(row.figures[0].value or 0.0), row.labels),
    )
    return [
        Table(
            id="alternative-annotator",
            headline=highest(rows),
            title=_("May a judge stand in for a person"),
            summary=in_words(rows),
            dimensions=(_("judge"),),
            measures=(_("winning rate"), _("advantage")),
            rows=tuple(rows),
            recipe=results.recipe(
                GROUP,
                "alternative_annotator_test",
                gold=False,
                drawn=False,
                epsilon=EPSILON,
                min_items=MIN_ITEMS,
                false_discovery_rate=FALSE_DISCOVERIES,
                correction="Benjamini-Yekutieli",
                score="negative RMSE to the others; of preferences alone the share who say the same",
                judge="the mean of its grades of an item; of preferences its answer to the pair as it stands",
                people="experts left out",
            ),
            chart="bars" if any(row.figures[0].value is not None for row in rows) else "none",
            x=_("judge"),
            note=_(
                "Of the people who share enough items with others and the judge, the share that the judge comes out "
                "ahead of, when a person may be %(epsilon)s better: from 0.5 on it may stand in for one. The advantage "
                "is the share of items on which it is at least as close to the others as the person is. n counts "
                "people; a person must share %(items)d items."
            )
            % {"epsilon": number(EPSILON), "items": MIN_ITEMS},
        )
    ]


def in_words(rows: list[Row]) -> str:
    tested = [row for row in rows if row.figures[0].value is not None]
    if not rows:
        return _("No judge has answered yet.")
    if not tested:
        return _("Nobody shares enough items with others and with a judge to be tested.")
    passing = [row.labels[0] for row in tested if row.figures[0].number >= 0.5]
    if not passing:
        return _("No judge passes: a person is closer to the others than any of them.")
    return _("These pass: %(judges)s.") % {"judges": ", ".join(passing)}
