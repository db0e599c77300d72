"""Criterion by criterion: judges, and people who grade again, against the first grading of a response."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import criteria as arithmetic
from agreement import judges
from agreement.figures import Figure
from projects.enumeration import enumerated
from reports.dashboard.columns import Floats, Integers, each_variety, joined, positions
from reports.dashboard.findings import lowest
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.intervals import Block, error_block, with_intervals
from reports.dashboard.names import PEOPLE
from reports.dashboard.results import least
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import NO_HEADLINE, Row, Table
from reports.dashboard.wording import figure_text
from reports.rubrics.measures import by_tag
from reports.rubrics.measures.biases import of_verdicts
from reports.rubrics.reader import EXPLICITNESS, OBJECTIVITY, Loaded
from reports.rubrics.results import RubricResults as Results
from rubrics.models import Explicitness, Objectivity

GROUP = "criteria"

POLARITY = ("positive", "negative")
#: Classes of criteria in the order of their counts: polarity x explicitness x objectivity.
TYPES = tuple(product(POLARITY, EXPLICITNESS, OBJECTIVITY))
#: What a judge's error is split by, before the project's failure types: each criterion is of one of every dimension,
#: or of none of the failure types.
ASPECTS = (*POLARITY, *EXPLICITNESS, *OBJECTIVITY)


@dataclass(frozen=True, eq=False)
class Compared:
    """One who graded again, in one variety, on the responses with a first grading.

    types, failures  cells per response, integers, shape (R, 8, 4) and (R, F, 4).
    parts            error of the response that each aspect makes, NaN where it has no such criterion, (R, A).
    """

    types: Integers
    failures: Integers
    parts: Floats


@dataclass(frozen=True, eq=False)
class SecondGradings:
    """By judge, and PEOPLE for all people's second gradings, one row each; `prompt` of the rows, by the same. `tags`
    are of all grades, first ones as well."""

    compared: dict[int, Compared]
    prompt: dict[int, Integers]
    tags: by_tag.ScoresByTag


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, SecondGradings]:
    """Per variety; of people first answers beside first answers."""
    grades = loaded.grades
    again = np.flatnonzero(~grades.is_reference & grades.is_latest & (loaded.reference[grades.response] >= 0))
    of_judges = _Verdicts(loaded, again)
    of_people = _Verdicts(loaded.at_first, again) if loaded.at_first else of_judges
    parts = {}
    for variety, in_variety in each_variety(loaded.varieties, loaded.responses.variety):
        compared, prompt = {}, {}
        for detector, rows in _detectors(loaded, again):
            chosen = rows[in_variety[grades.response[again[rows]]]]
            measured = of_people if detector == PEOPLE else of_judges
            if len(chosen):
                compared[detector] = Compared(measured.types[chosen], measured.failures[chosen], measured.parts[chosen])
                prompt[detector] = loaded.responses.prompt[grades.response[again[chosen]]]
        parts[variety] = SecondGradings(compared, prompt, by_tag.scores_by_tag(loaded, in_variety))
    return parts


def _detectors(loaded: Loaded, again: Integers) -> Iterator[tuple[int, Integers]]:
    """Who graded again, and which of those grades are theirs; people's together."""
    by_human = loaded.grades.by_human[again]
    yield PEOPLE, np.flatnonzero(by_human)
    for judge in loaded.judges:
        yield judge, np.flatnonzero(~by_human & (loaded.grades.rater[again] == judge))


class _Verdicts:
    """The verdicts of these grades beside those of the first grading on the same criteria, a row per grade."""

    def __init__(self, loaded: Loaded, again: Integers):
        grades, criteria, verdicts = loaded.grades, loaded.criteria, loaded.verdicts
        n = max(1, len(criteria))
        key = verdicts.grade * n + verdicts.criterion
        order = np.argsort(key)
        row = positions(again, verdicts.grade)
        of_grades = np.flatnonzero(row >= 0)
        first = loaded.reference[grades.response[verdicts.grade[of_grades]]]
        place = positions(key[order], first * n + verdicts.criterion[of_grades])
        of_grades, place = of_grades[place >= 0], order[place[place >= 0]]
        self.row, self.criterion = row[of_grades], verdicts.criterion[of_grades]
        self.other, self.human = verdicts.counts[of_grades], verdicts.counts[place]
        weight, failure = criteria.weight[self.criterion], criteria.failure[self.criterion]
        polarity = (weight < 0).astype(np.int64)
        explicitness, objectivity = criteria.explicitness[self.criterion], criteria.objectivity[self.criterion]
        shape = len(again)
        type_of = (polarity * 2 + explicitness) * 2 + objectivity
        self.types = arithmetic.confusion_counts(self.row, type_of, self.human, self.other, (shape, len(TYPES)))
        self.failures = arithmetic.confusion_counts(
            self.row, failure, self.human, self.other, (shape, len(loaded.failure_types))
        )
        maximum = loaded.maximum[grades.response[again]][self.row]
        added = judges.contributions(weight, self.other, self.human, maximum)
        aspects = (polarity, 2 + explicitness, 4 + objectivity, np.where(failure >= 0, 6 + failure, -1))
        self.n_aspects = len(ASPECTS) + len(loaded.failure_types)
        self.parts = self._parts(aspects, added, shape)

    def _parts(self, aspects: Sequence[Integers], added: Floats, shape: int) -> Floats:
        """Sum of the contributions by row and aspect, NaN where there is no such criterion."""
        sums, counts = np.zeros(shape * self.n_aspects), np.zeros(shape * self.n_aspects)
        for aspect in aspects:
            place = (self.row * self.n_aspects + aspect)[aspect >= 0]
            sums += np.bincount(place, added[aspect >= 0], minlength=len(sums))
            counts += np.bincount(place, minlength=len(counts))
        return np.where(counts > 0, sums, np.nan).reshape(shape, self.n_aspects)


def figures(parts: Sequence[SecondGradings], is_total: bool) -> dict[str, Any]:
    """Of all varieties of the scope together; of a single one among several nothing is shown.

    By judge or PEOPLE. "types": share with the same verdict, recall and kappa per type of criteria; "failures":
    recall per failure type; "parts": MAD and signed error that each aspect makes. Intervals over prompts. "evidence"
    of the judges' biases; "tags": see `by_tag.figures`.
    """
    results: dict[str, Any] = {"types": {}, "failures": {}, "parts": {}, "evidence": {}, "tags": {}}
    if not is_total:
        return results
    results["tags"] = by_tag.figures([part.tags for part in parts])
    for grader in sorted({detector for part in parts for detector in part.compared}):
        of_grader = [part.compared[grader] for part in parts if grader in part.compared]
        types, failures, errors = (joined(of_grader, name) for name in ("types", "failures", "parts"))
        prompt = np.concatenate([part.prompt[grader] for part in parts if grader in part.prompt])
        blocks = [
            *(_cells_block(types[:, at]) for at in range(len(TYPES))),
            *(_cells_block(failures[:, at]) for at in range(failures.shape[1])),
            *(error_block(errors[:, at]) for at in range(errors.shape[1])),
        ]
        drawn = with_intervals(blocks, prompt)
        ends = len(TYPES), len(TYPES) + failures.shape[1]
        kappas = [arithmetic.kappa_figure(types[:, at].sum(axis=0)) for at in range(len(TYPES))]
        results["types"][grader] = [(*pair, kappa) for pair, kappa in zip(drawn[: ends[0]], kappas, strict=True)]
        results["failures"][grader] = [recall for _same, recall in drawn[ends[0] : ends[1]]]
        results["parts"][grader] = [tuple(pair) for pair in drawn[ends[1] :]]
        results["evidence"] |= of_verdicts(grader, types, prompt, results["evidence"])
    return {**results, "evidence": {key: figure for key, figure in results["evidence"].items() if key[0] != PEOPLE}}


def _cells_block(cells: Integers) -> Block:
    total = cells.sum(axis=0)
    shown: list[Figure] = [arithmetic.same_figure(total), arithmetic.recall_figure(total)]
    return Block(shown, cells, [arithmetic.same, arithmetic.recall])


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    tagged = [by_tag.scores_by_tag_table(results)] if results.total()["tags"] else []
    return [*tagged, criterion_types(results), penalties_seen(results), error_by_aspect(results)]


def nothing() -> str:
    return _("No response has been graded a second time yet, by a judge or a person.")


def aspect_name(aspect: str) -> str:
    if aspect in OBJECTIVITY:
        return str(Objectivity(aspect).label)
    if aspect in EXPLICITNESS:
        return str(Explicitness(aspect).label)
    return _("Positive") if aspect == "positive" else _("Negative")


def criterion_types(results: Results) -> Table:
    figures_by_grader = results.total()["types"]
    rows = [
        results.row(one, (results.rater(one), *map(aspect_name, names)), (same, kappa, recall))
        for one, figures in figures_by_grader.items()
        for names, (same, recall, kappa) in zip(TYPES, figures, strict=True)
        if same.n
    ]
    rarest = least(rows)
    return Table(
        id="criterion-types",
        headline=lowest(rows),
        title=_("Agreement by type of criterion"),
        summary=_("Least often the same verdict: %(who)s on %(type)s criteria, %(share)s.")
        % {
            "who": rarest.labels[0],
            "type": enumerated(rarest.labels[1:]).lower(),
            "share": figure_text(rarest.figures[0]),
        }
        if rarest
        else nothing(),
        dimensions=(_("grader"), _("polarity"), _("explicitness"), _("objectivity")),
        measures=(_("same verdict"), _("Cohen's kappa"), _("recall")),
        rows=tuple(rows),
        recipe=results.recipe(
            "criterion_confusion",
            counts="passed, or error present",
            recall="of the criteria that count for the person, those that count for the other",
            people=FIRST_ANSWERS,
        ),
        chart="heat",
        note=_(
            "Negative criteria are errors that the first grader recorded, so all of them are present for that person: "
            "for them recall says it all, and kappa is undefined."
        ),
    )


def penalties_seen(results: Results) -> Table:
    figures_by_grader = results.total()["failures"]
    slugs = [word.slug for word in results.context.failure_types]
    rows = [
        Row(
            (results.rater(one), results.context.failure_name(failure)),
            (figure,),
            {**results.by_rater(one), "failure": failure},
            results.marks(one),
        )
        for one, figures in figures_by_grader.items()
        for failure, figure in zip(slugs, figures, strict=True)
        if figure.n
    ]
    rarest = least(rows)
    return Table(
        id="penalties-seen",
        headline=lowest(rows),
        title=_("Recorded errors that are seen again"),
        summary=_("Seen least: %(type)s by %(who)s, %(share)s of the errors that the first grader recorded.")
        % {"who": rarest.labels[0], "type": rarest.labels[1], "share": figure_text(rarest.figures[0])}
        if rarest
        else _("No recorded error has been put to a judge or a second person yet."),
        dimensions=(_("grader"), _("failure type")),
        measures=(_("recall"),),
        rows=tuple(rows),
        recipe=results.recipe("negative_criterion_recall", people=FIRST_ANSWERS),
    )


def error_by_aspect(results: Results) -> Table:
    figures_by_grader = results.total()["parts"]
    names = [*map(aspect_name, ASPECTS), *(word.label for word in results.context.failure_types)]
    rows = [
        results.row(one, (results.rater(one), name), figures)
        for one, of_one in figures_by_grader.items()
        for name, figures in zip(names, of_one, strict=True)
        if figures[0].n and one != PEOPLE
    ]
    return Table(
        id="error-by-aspect",
        headline=NO_HEADLINE,
        title=_("What a judge's error is made of"),
        summary=_("The part of each score's error that criteria of one kind make, in percentage points.")
        if rows
        else nothing(),
        dimensions=(_("judge"), _("criteria")),
        measures=(_("MAD"), _("signed error")),
        rows=tuple(rows),
        recipe=results.recipe(
            "deviation_by_criteria",
            part="100 * weight * (judge - person) / S_max, summed over the criteria of one kind",
            responses="those with such a criterion",
        ),
        unit="pp",
    )
