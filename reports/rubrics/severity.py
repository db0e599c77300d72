"""Severity of people and of communities: how much of a gap between communities may be leniency."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from agreement import facets
from agreement.bootstrap import mean
from agreement.figures import Figure
from reports.draws import SEED
from reports.rubrics.groups import Context, Flags, Floats, Integers, joined, of_setting
from reports.rubrics.loading import Loaded

#: People's scores are parted into so many ordered categories, about equally full.
CATEGORIES = 5


@dataclass(frozen=True, eq=False)
class Statistics:
    """People's grades in one setting: response, prompt, rater, P; shape (G,). `speakers` is the variety each person
    names, 0 for none or several; `home` those who gave a first grading here."""

    variety: int
    response: Integers
    prompt: Integers
    rater: Integers
    percent: Floats
    speakers: dict[int, int]
    home: frozenset[int]


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety of the responses."""
    grades, responses = loaded.grades, loaded.responses
    people = np.flatnonzero(grades.by_human & grades.is_latest)
    found = {}
    for variety, here in of_setting(loaded):
        mine = people[here[grades.response[people]]]
        first = grades.is_reference & here[grades.response]
        found[variety] = Statistics(
            variety,
            responses.id[grades.response[mine]],
            responses.prompt[grades.response[mine]],
            grades.rater[mine],
            grades.percent[mine],
            {one: loaded.communities.get(one, 0) for one in np.unique(grades.rater[mine]).tolist()},
            frozenset(grades.rater[first].tolist()),
        )
    return found


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Of all settings of the scope together. "raters": community, number of the linked group and severity of each;
    "communities": severity of each; "pairs": severity of one less that of the other, the mean difference of their
    scores on the responses that both graded, and how much better the one's responses are with severity taken out."""
    found: dict[str, Any] = {"raters": {}, "communities": {}, "pairs": {}, "cuts": [], "groups": 0, "grades": 0}
    if not is_total or not sum(len(part.rater) for part in parts):
        return found
    response, rater, percent = (joined(parts, name) for name in ("response", "rater", "percent"))
    population = np.concatenate([np.full(len(part.rater), part.variety) for part in parts])
    cuts = facets.quantile_cuts(percent, CATEGORIES)
    fitted = facets.severities(response, rater, facets.categories(percent, cuts), population)
    home = communities_of(parts)
    names = sorted(set(home.values()) - {0})
    at = np.array([names.index(home[one]) if home[one] else -1 for one in fitted.raters.tolist()], dtype=np.int64)
    found["cuts"] = [round(float(cut), 4) for cut in cuts]
    found["grades"] = len(rater)
    found["groups"] = int(fitted.group.max()) + 1
    found["raters"] = {
        one: (home[one], int(group), figure)
        for one, group, figure in zip(fitted.raters.tolist(), fitted.group, fitted.figures, strict=True)
    }
    of_community = facets.community_severities(fitted, at, len(names))
    found["communities"] = dict(zip(names, of_community, strict=True))
    grade_at = at[np.searchsorted(fitted.raters, rater)]
    prompt = joined(parts, "prompt")
    for one, other in combinations(range(len(names)), 2):
        gap = facets.severity_gap(fitted, at == one, at == other)
        points = _difference(response, prompt, percent, grade_at == one, grade_at == other)
        responses = facets.ability_gap(fitted, names[one], names[other])
        found["pairs"][names[one], names[other]] = (gap, points, responses)
    return found


def communities_of(parts: Sequence[Statistics]) -> dict[int, int]:
    """Variety id of each person: the one they name, else the one where all their first gradings lie; 0 for none."""
    found: dict[int, int] = {}
    places: dict[int, set[int]] = {}
    for part in parts:
        found |= part.speakers
        for one in part.home:
            places.setdefault(one, set()).add(part.variety)
    return {one: named or _only(places.get(one, set())) for one, named in found.items()}


def _only(places: set[int]) -> int:
    return next(iter(places)) if len(places) == 1 else 0


def _difference(response: Integers, prompt: Integers, percent: Floats, first: Flags, second: Flags) -> Figure:
    """Mean score of the first graders less that of the second, over responses that both graded; n = responses."""
    responses, at = np.unique(response, return_inverse=True)
    means = [_means(at[side], percent[side], len(responses)) for side in (first, second)]
    apart = means[0] - means[1]
    kept = ~np.isnan(apart)
    prompt_of = np.zeros(len(responses), dtype=np.int64)
    prompt_of[at] = prompt
    if not kept.any():
        return Figure.without_value(facets.NOT_LINKED)
    return mean(apart[kept], seed=SEED, cluster=prompt_of[kept])


def _means(at: Integers, values: Floats, n: int) -> Floats:
    counts = np.bincount(at, minlength=n)
    return np.divide(np.bincount(at, values, minlength=n), counts, out=np.full(n, np.nan), where=counts > 0)
