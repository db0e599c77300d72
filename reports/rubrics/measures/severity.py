"""Severity of people and of varieties: how much of a gap between varieties may be leniency.

Twice: by verdicts on positive criteria (how readily a person passes what another fails), and by whole scores, in
which the errors that a person recorded weigh too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, Protocol

import numpy as np
from django.utils.translation import gettext as _

from agreement import facets
from agreement.figures import Figure, Recipe
from agreement.inference import mean
from reports.dashboard.columns import Flags, Floats, Integers, each_variety, joined, means_at
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.scope import BaseContext
from reports.dashboard.severities import FIT, fit_in_words, fit_note, fit_of, parts_of, separation_table, separations
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import count_text, figure_text
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "severity"

#: People's scores are parted into so many ordered categories, about equally full.
CATEGORIES = 5
IN_VERDICTS, IN_SCORES = "verdicts", "scores"


@dataclass(frozen=True, eq=False)
class GradesAndVerdicts:
    """Of one variety, by people. Grades: response, prompt, rater, P; shape (G,). Verdicts on positive criteria:
    response, prompt, criterion, rater, passed; shape (V,). `speakers` is the variety each person names, 0 for none or
    several; `home` those who gave a first grading here."""

    variety: int
    response: Integers
    prompt: Integers
    rater: Integers
    percent: Floats
    verdict_response: Integers
    verdict_prompt: Integers
    verdict_criterion: Integers
    verdict_rater: Integers
    passed: Integers
    speakers: dict[int, int]
    home: frozenset[int]


@dataclass(frozen=True)
class Severity:
    """Figures of all varieties together.

    raters       variety (id, 0 for none), number of the linked group, and by verdicts and by scores each severity,
                 infit and outfit, in the order of `measures_of_raters`.
    varieties    severity by verdicts and by scores.
    pairs        of the first variety less the second: severity by verdicts, by scores; mean difference of their
                 scores on the responses that both graded; and of the responses' abilities, severity taken out.
    cuts         between the categories of scores, in percent.
    separations  by (IN_VERDICTS or IN_SCORES, number of the linked group).
    """

    raters: dict[int, tuple[int, int, tuple[Figure, ...]]] = field(default_factory=dict)
    varieties: dict[int, tuple[Figure, ...]] = field(default_factory=dict)
    pairs: dict[tuple[int, int], tuple[Figure, ...]] = field(default_factory=dict)
    cuts: tuple[float, ...] = ()
    separations: dict[tuple[str, int], Figure] = field(default_factory=dict)


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, GradesAndVerdicts]:
    """Per variety of the responses, of first answers."""
    loaded = loaded.at_first or loaded
    grades, responses, verdicts = loaded.grades, loaded.responses, loaded.verdicts
    by_people = grades.by_human & grades.is_latest
    people = np.flatnonzero(by_people)
    positive = np.flatnonzero(by_people[verdicts.grade] & (loaded.criteria.weight[verdicts.criterion] > 0))
    parts = {}
    for variety, in_variety in each_variety(loaded.varieties, loaded.responses.variety):
        of_people = people[in_variety[grades.response[people]]]
        of_verdicts = positive[in_variety[grades.response[verdicts.grade[positive]]]]
        first = grades.is_reference & in_variety[grades.response]
        parts[variety] = GradesAndVerdicts(
            variety,
            responses.id[grades.response[of_people]],
            responses.prompt[grades.response[of_people]],
            grades.rater[of_people],
            grades.percent[of_people],
            responses.id[grades.response[verdicts.grade[of_verdicts]]],
            responses.prompt[grades.response[verdicts.grade[of_verdicts]]],
            loaded.criteria.id[verdicts.criterion[of_verdicts]],
            grades.rater[verdicts.grade[of_verdicts]],
            verdicts.counts[of_verdicts].astype(np.int64),
            {one: loaded.variety_of_rater.get(one, 0) for one in np.unique(grades.rater[of_people]).tolist()},
            frozenset(grades.rater[first].tolist()),
        )
    return parts


def figures(parts: Sequence[GradesAndVerdicts], is_total: bool) -> Severity:
    """Of all varieties of the scope together; of one among several nothing is shown."""
    if not is_total or not sum(len(part.rater) for part in parts):
        return Severity()
    percent = joined(parts, "percent")
    cuts = facets.quantile_cuts(percent, CATEGORIES)
    grades = facets.categories(percent, cuts)
    response, rater = joined(parts, "response"), joined(parts, "rater")
    population = _population(parts, "rater")
    by_scores = facets.severities(response, rater, grades, population)
    fit_of_scores = fit_of(by_scores, response, rater, grades, joined(parts, "prompt"), population)
    by_verdicts, fit_of_verdicts = _by_verdicts(parts)
    home = varieties_of_raters(parts)
    names = sorted(set(home.values()) - {0})
    at = np.array([names.index(home[one]) if home[one] else -1 for one in by_scores.raters.tolist()], dtype=np.int64)
    fits = [(fit, at[np.searchsorted(by_scores.raters, fit.raters)]) for fit in (by_verdicts, by_scores)]
    of_verdicts = by_verdicts.by_rater()
    alone = Figure.without_value(facets.NOT_LINKED)
    raters: dict[int, tuple[int, int, tuple[Figure, ...]]] = {
        one: (
            home[one],
            int(group),
            (
                of_verdicts.get(one, alone),
                figure,
                *fit_of_verdicts.get(one, (alone, alone)),
                *fit_of_scores[one],
            ),
        )
        for one, group, figure in zip(by_scores.raters.tolist(), by_scores.group, by_scores.figures, strict=True)
    }
    of_variety = [facets.rater_group_severities(fit, of_rater, len(names)) for fit, of_rater in fits]
    varieties = {name: tuple(both) for name, *both in zip(names, *of_variety, strict=True)}
    grade_at = at[np.searchsorted(by_scores.raters, rater)]
    pairs = {}
    for one, other in combinations(range(len(names)), 2):
        gaps = [facets.severity_gap(fit, of_rater == one, of_rater == other) for fit, of_rater in fits]
        points = _difference(parts, grade_at == one, grade_at == other)
        left = facets.ability_gap(by_scores, names[one], names[other])
        pairs[names[one], names[other]] = (*gaps, points, left)
    told_apart = {
        (name, group): figure
        for name, fit in ((IN_VERDICTS, by_verdicts), (IN_SCORES, by_scores))
        for group, figure in separations(fit).items()
    }
    return Severity(raters, varieties, pairs, tuple(round(float(cut), 4) for cut in cuts), told_apart)


def _by_verdicts(parts: Sequence[GradesAndVerdicts]) -> tuple[facets.Severities, dict[int, tuple[Figure, Figure]]]:
    """What is graded is one criterion of one response, in two categories; and the fit of each rater."""
    response, criterion = joined(parts, "verdict_response"), joined(parts, "verdict_criterion")
    _, item = np.unique(np.column_stack((response, criterion)), axis=0, return_inverse=True)
    population = _population(parts, "verdict_rater")
    grades = item.reshape(-1), joined(parts, "verdict_rater"), joined(parts, "passed")
    fitted = facets.severities(*grades, population)
    return fitted, fit_of(fitted, *grades, joined(parts, "verdict_prompt"), population)


def _population(parts: Sequence[GradesAndVerdicts], like: str) -> Integers:
    return np.concatenate([np.full(len(getattr(part, like)), part.variety) for part in parts])


class AtHome(Protocol):
    """What tells in which variety people are at home; see `GradesAndVerdicts`."""

    @property
    def variety(self) -> int: ...

    @property
    def speakers(self) -> dict[int, int]: ...

    @property
    def home(self) -> frozenset[int]: ...


def varieties_of_raters(parts: Sequence[AtHome]) -> dict[int, int]:
    """Variety id of each person: the one they name, else the one where all their first gradings lie; 0 for none."""
    named_varieties: dict[int, int] = {}
    places: dict[int, set[int]] = {}
    for part in parts:
        named_varieties |= part.speakers
        for person in part.home:
            places.setdefault(person, set()).add(part.variety)
    return {person: named or _only(places.get(person, set())) for person, named in named_varieties.items()}


def _only(places: set[int]) -> int:
    return next(iter(places)) if len(places) == 1 else 0


def _difference(parts: Sequence[GradesAndVerdicts], first: Flags, second: Flags) -> Figure:
    """Mean score of the first graders less that of the second, over responses that both graded; n = responses."""
    percent, prompt = joined(parts, "percent"), joined(parts, "prompt")
    responses, at = np.unique(joined(parts, "response"), return_inverse=True)
    apart = means_at(at[first], percent[first], len(responses)) - means_at(at[second], percent[second], len(responses))
    known = ~np.isnan(apart)
    if not known.any():
        return Figure.without_value(facets.NOT_LINKED)
    prompt_of = np.zeros(len(responses), dtype=np.int64)
    prompt_of[at] = prompt
    return mean(apart[known], cluster=prompt_of[known])


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [raters(results), told_apart(results), by_variety(results), variety_pairs(results)]


def found_in(results: Results) -> Severity:
    return results.total()


def recipe(results: Results, metric: str, **more: Any) -> Recipe:
    return results.recipe(
        metric,
        gold=False,
        drawn=False,
        model="logit P(grade >= k) = ability - severity(rater) - threshold(k)",
        verdicts="ability of a response at a positive criterion; passed or failed",
        scores=f"ability of a response; people's scores in {CATEGORIES} categories cut at their quantiles",
        cuts=list(found_in(results).cuts),
        fit="penalised marginal maximum likelihood; abilities normal with a mean per variety",
        zero="mean of the raters of a linked group",
        answers=FIRST_ANSWERS,
        **more,
    )


def measures_of_raters() -> tuple[str, ...]:
    return (
        *severities(),
        _("infit in verdicts"),
        _("outfit in verdicts"),
        _("infit in scores"),
        _("outfit in scores"),
    )


def severities() -> tuple[str, str]:
    return _("severity in verdicts"), _("severity in scores")


def has_any(rows: list[Row]) -> bool:
    return any(figure.value is not None for row in rows for figure in row.figures)


def raters(results: Results) -> Table:
    rows = [
        results.people_row(
            (results.rater(one), results.variety_label(home), str(group + 1)),
            figures,
            {"rater": results.names.raters[one].pseudonym},
        )
        for one, (home, group, figures) in found_in(results).raters.items()
    ]
    rows.sort(key=lambda row: (row.figures[0].value is None, row.labels[2], row.figures[0].value or 0.0))
    linked = [row for row in rows if row.figures[1].value is not None]
    return Table(
        id="rater-severity",
        headline=NO_HEADLINE,
        title=_("Severity of people"),
        summary=_("Of %(people)s people who graded, %(linked)s share responses with others and can be compared.")
        % {"people": count_text(len(rows)), "linked": count_text(len(linked))}
        + " "
        + fit_in_words([row.figures[4] for row in linked])
        if rows
        else _("Nobody has graded a response yet."),
        dimensions=(_("rater"), _("community"), _("linked group")),
        measures=measures_of_raters(),
        rows=tuple(rows),
        recipe=recipe(results, "rater_severity", **FIT),
        unit="logits",
        units=dict.fromkeys(measures_of_raters()[2:], "score"),
        chart="bars" if has_any(rows) else "none",
        x=_("rater"),
        note=_(
            "In logits: above 0 a person is stricter than the others of their linked group on the same responses; in "
            "verdicts on positive criteria, and in scores, where the errors that they record weigh too. Raters of "
            "different linked groups cannot be compared."
        )
        + " "
        + fit_note(),
    )


def told_apart(results: Results) -> Table:
    """Of each linked group of two people or more, in verdicts and in scores."""
    names = {IN_VERDICTS: _("verdicts"), IN_SCORES: _("scores")}
    rows = [
        results.people_row((names[kind], str(group + 1)), parts_of(separation), {})
        for (kind, group), separation in found_in(results).separations.items()
    ]
    return separation_table(results, (_("severity in"), _("linked group")), rows, partial(recipe, results))


def by_variety(results: Results) -> Table:
    rows = [
        results.people_row((results.variety_label(variety),), figures, results.by_variety(variety))
        for variety, figures in found_in(results).varieties.items()
    ]
    return Table(
        id="community-severity",
        headline=NO_HEADLINE,
        title=_("Severity of communities"),
        summary=gaps_in_words(results),
        dimensions=(_("community"),),
        measures=severities(),
        rows=tuple(rows),
        recipe=recipe(results, "community_severity", community="the variety a person speaks"),
        unit="logits",
        chart="bars" if has_any(rows) else "none",
        x=_("community"),
        note=_("The mean of a community's raters; n counts them. Above 0 they grade lower than the others do."),
    )


def gaps_in_words(results: Results) -> str:
    """Which varieties are linked and how far apart they are; in plain words where they are not."""
    pairs = found_in(results).pairs
    if not pairs:
        return _("There are not two communities of graders to compare yet.")
    return " ".join(pair_in_words(results, pair, in_scores) for pair, (_verdicts, in_scores, *_rest) in pairs.items())


def pair_in_words(results: Results, pair: tuple[int, int], gap: Figure) -> str:
    first, second = (results.variety_label(one) for one in pair)
    if gap.value is None:
        return _(
            "%(first)s and %(second)s: these communities share no graded response: a gap between them may be leniency."
        ) % {"first": first, "second": second}
    low, high = gap.bounds
    if low <= 0 <= high:
        return _("%(first)s and %(second)s graders do not clearly differ in severity: %(gap)s logits in scores.") % {
            "first": first,
            "second": second,
            "gap": figure_text(gap, "logits"),
        }
    if gap.value < 0:
        first, second, gap = second, first, Figure(-gap.value, gap.n, -high, -low)
    return _("%(first)s graders are more severe than %(second)s graders by %(gap)s logits in scores.") % {
        "first": first,
        "second": second,
        "gap": figure_text(gap, "logits"),
    }


def variety_pairs(results: Results) -> Table:
    rows = [
        results.people_row([results.variety_label(one) for one in pair], figures, {})
        for pair, figures in found_in(results).pairs.items()
    ]
    return Table(
        id="community-pairs",
        headline=NO_HEADLINE,
        title=_("Communities on the same responses"),
        summary=gaps_in_words(results),
        dimensions=(_("first community"), _("second community")),
        measures=(*severities(), _("difference in scores"), _("difference in responses")),
        rows=tuple(rows),
        recipe=recipe(results, "community_severity_gap", interval_of_scores=INTERVAL),
        unit="logits",
        units={_("difference in scores"): "pp"},
        chart="none",
        note=_(
            "First less second. Scores are compared on the responses that both graded, n of them; severity uses all "
            "responses that link their raters. The difference in responses, in logits of scores, is what is left "
            "between the responses of the two communities when every grader is as severe as any other."
        ),
    )
