"""Disagreement within and between groups of people, as a table that ratings and rubrics have alike."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.multiplicity import LEVEL, corrected
from agreement.rater_groups import GroupPair, pairs_of_groups
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.results import Results
from reports.dashboard.tables import NO_HEADLINE, Row, Table

#: What people are told apart by: the variety they speak (its id), and whether they are experts (1 or 0).
COMMUNITY, ROLE = "community", "role"
ByGroup = dict[str, dict[tuple[int, int], GroupPair]]


def by_group(
    item: Integers,
    rater: Integers,
    value: Floats,
    prompt: Integers,
    communities: Mapping[int, int],
    experts: frozenset[int],
) -> ByGroup:
    """Pairs of groups that share an item; ratings of shape (N,). communities  id of the variety that each person
    speaks, 0 for none or several, who are in no group."""
    raters, index = np.unique(rater, return_inverse=True)
    people = raters.tolist()
    groups = {
        COMMUNITY: np.array([communities.get(one, 0) or -1 for one in people], dtype=np.int64),
        ROLE: np.array([int(one in experts) for one in people], dtype=np.int64),
    }
    return {
        name: pairs_of_groups(item, of_rater[index.reshape(-1)], value, prompt) for name, of_rater in groups.items()
    }


def disagreement_by_group(
    results: Results, found: ByGroup, spoken: Mapping[int, str], unit: str, **settings: Any
) -> Table:
    """The table of these pairs. spoken  labels of the varieties that people speak; unit  of the distances."""
    names: Mapping[str, Callable[[int], str]] = {COMMUNITY: spoken.__getitem__, ROLE: _role}
    told_apart = {COMMUNITY: _("community"), ROLE: _("role")}
    pairs = list(_pairs(found))
    adjusted = corrected([pair.excess for _name, _groups, pair in pairs])
    rows = tuple(
        Row((told_apart[name], *(names[name](one) for one in groups)), (*pair, p), {}, results.marks())
        for (name, groups, pair), p in zip(pairs, adjusted, strict=True)
    )
    apart = [row for row in rows if row.figures[4].value is not None and row.figures[4].number <= LEVEL]
    return Table(
        id="disagreement-by-group",
        headline=NO_HEADLINE,
        title=_("Disagreement within and between groups of people"),
        summary=_("%(apart)d of %(pairs)d pairs of groups differ from each other otherwise than among themselves.")
        % {"apart": len(apart), "pairs": len(rows)}
        if rows
        else _("No response was graded by people of two groups."),
        dimensions=(_("told apart by"), _("first group"), _("second group")),
        measures=(
            _("distance within the first"),
            _("distance within the second"),
            _("distance between"),
            _("excess"),
            _("p, corrected"),
        ),
        unit=unit,
        units={_("p, corrected"): "p"},
        rows=rows,
        recipe=results.recipe(
            "disagreement_by_group",
            gold=False,
            drawn=False,
            distance="of two people's grades of one item; mean over pairs of people",
            excess="between less the mean of the two within",
            communities="the one variety a person speaks; who names none or several is in no group",
            roles="experts, and all others",
            correction="Holm, over all pairs of groups",
            interval=f"{INTERVAL}; these people on other prompts",
            **settings,
        ),
        chart="none",
        note=_(
            "An excess above 0: two people of different groups are further apart than two of the same. That may be "
            "another view of the same text, or another strictness; n counts pairs of grades."
        ),
    )


def _pairs(found: ByGroup) -> Iterator[tuple[str, tuple[int, int], GroupPair]]:
    for name in (COMMUNITY, ROLE):
        for groups, pair in found.get(name, {}).items():
            yield name, groups, pair


def _role(one: int) -> str:
    return _("experts") if one else _("other people")
