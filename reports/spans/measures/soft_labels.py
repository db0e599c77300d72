"""People's disagreement about places as data: does a judge mark what more people mark?

The share of people who marked each character of a text is a soft label. A judge marks or does not, and all judges
together have a share as well; the correlation of the two sides over all characters says how far they go together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.distributions import correlation_of_columns
from agreement.figures import Figure
from reports.dashboard.columns import Flags, Floats, Integers, people_in
from reports.dashboard.findings import highest
from reports.dashboard.parts import pooled
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import figure_text, no_figure_yet
from reports.spans.context import Context
from reports.spans.reader import Loaded
from reports.spans.results import SpanResults as Results

GROUP = "soft-labels"

#: Stands for all judges together among judges; no rater has this id.
ALL_JUDGES = -1
#: So many people at least make a share.
PEOPLE_AT_LEAST = 2


@dataclass(frozen=True, eq=False)
class Correlated:
    """Sums of products over the characters of texts, as `distributions.soft_label_columns`.

    prompt, of_all          of each text that two people or more and the judge answered: share of all people against
                            what the judge marked; shape (N,) and (N, 6).
    footing_prompt          of each person's answer to such a text, shape (M,); the others' share against what the
    of_judge, of_person     judge marked, and against what this person marked, shape (M, 6).
    """

    prompt: Integers
    of_all: Floats
    footing_prompt: Integers
    of_judge: Floats
    of_person: Floats


@dataclass(frozen=True, eq=False)
class SoftLabels:
    judges: dict[int, Correlated]
    people: frozenset[int]
    responses: int


def statistics(loaded: Loaded, context: Context) -> dict[int, SoftLabels]:
    return {variety: _of_variety(loaded, loaded.responses.variety == variety) for variety in loaded.varieties}


def _of_variety(loaded: Loaded, in_variety: Flags) -> SoftLabels:
    answers = loaded.answers
    marks = _Marks(loaded)
    here = in_variety[answers.response]
    by_people = np.flatnonzero(here & answers.by_human)
    alone = {judge: np.flatnonzero(here & (answers.rater == judge)) for judge in loaded.judges}
    members = [rows for judge, rows in alone.items() if judge not in loaded.panels and len(rows)]
    if len(members) > 1:
        alone[ALL_JUDGES] = np.concatenate(members)
    of_judges: dict[int, dict[int, Integers]] = {}
    for judge, rows in alone.items():
        for text, of_text in _by_response(answers.response, rows):
            of_judges.setdefault(text, {})[judge] = of_text
    found: dict[int, list[tuple[int, Floats, Floats, Floats]]] = {}
    for text, people in _by_response(answers.response, by_people):
        if len(people) < PEOPLE_AT_LEAST or text not in of_judges:
            continue
        of_all, of_each, of_person = _products(marks.of(text, (people, *of_judges[text].values())))
        for at, judge in enumerate(of_judges[text]):
            found.setdefault(judge, []).append((text, of_all[at], of_each[at], of_person))
    judges = {judge: _correlated(loaded, found[judge]) for judge in alone if judge in found}
    everybody = frozenset(answers.rater[by_people].tolist())
    return SoftLabels(judges, everybody, int(in_variety.sum()))


def _by_response(response: Integers, rows: Integers) -> Iterator[tuple[int, Integers]]:
    """Answers by their response, ascending."""
    rows = rows[np.argsort(response[rows], kind="stable")]
    cuts = np.flatnonzero(np.diff(response[rows])) + 1
    for of_response in np.split(rows, cuts) if len(rows) else []:
        yield int(response[of_response[0]]), of_response


class _Marks:
    """Which characters of its text an answer marked."""

    def __init__(self, loaded: Loaded):
        self.loaded, places = loaded, loaded.marks.places
        order = np.argsort(loaded.marks.answer, kind="stable")
        order = order[places.anchored[order]]
        self.begin = np.searchsorted(loaded.marks.answer[order], np.arange(len(loaded.answers) + 1)).tolist()
        self.places = list(zip(places.start[order].tolist(), places.end[order].tolist(), strict=True))

    def of(self, text: int, raters: Sequence[Integers]) -> tuple[Floats, Floats]:
        """What people marked, a row each, and the share that each judge marked; `raters` are the answers of people, and
        those of each judge."""
        length = self.loaded.responses.words[text].length
        answers = np.concatenate(raters).tolist()
        marked = np.zeros((len(answers), length))
        for row, answer in zip(marked, answers, strict=True):
            for start, end in self.places[self.begin[answer] : self.begin[answer + 1]]:
                row[start:end] = 1
        people, *judges = np.split(marked, np.cumsum([len(rows) for rows in raters])[:-1])
        return people, np.array([rows.mean(axis=0) if len(rows) > 1 else rows[0] for rows in judges])


def _products(said: tuple[Floats, Floats]) -> tuple[Floats, Floats, Floats]:
    """Of one text the sums of `soft_label_columns`, from those of products of every two rows, which cost one
    multiplication of matrices: all people and each judge, shape (J, 6); the others and each judge, (J, people, 6); the
    others and the person left out, (people, 6)."""
    people, judges = said
    n, rest = len(people), len(people) - 1
    ones, of_judges = people.sum(axis=1), judges.sum(axis=1)
    together, across = people @ people.T, people @ judges.T
    squares, with_all = np.diagonal(together), together.sum(axis=1)
    everybody, judges_squares = with_all.sum(), (judges**2).sum(axis=1)
    with_judge = across.sum(axis=0)
    of_all = np.empty((len(judges), 6))
    of_each, of_person = np.empty((len(judges), n, 6)), np.empty((n, 6))
    of_all[:, 0] = of_each[:, :, 0] = of_person[:, 0] = people.shape[1]
    of_all[:, 1], of_all[:, 3], of_all[:, 5] = ones.sum() / n, everybody / n**2, with_judge / n
    of_each[:, :, 1] = of_person[:, 1] = (ones.sum() - ones) / rest
    of_each[:, :, 3] = of_person[:, 3] = (everybody - 2 * with_all + squares) / rest**2
    of_all[:, 2], of_all[:, 4] = of_judges, judges_squares
    of_each[:, :, 2], of_each[:, :, 4] = of_judges[:, None], judges_squares[:, None]
    of_each[:, :, 5] = (with_judge - across).T / rest
    of_person[:, 2], of_person[:, 4], of_person[:, 5] = ones, squares, (with_all - squares) / rest
    return of_all, of_each, of_person


def _correlated(loaded: Loaded, found: Sequence[tuple[int, Floats, Floats, Floats]]) -> Correlated:
    """From each text and what `_products` has of it."""
    texts, of_all, of_judge, of_person = zip(*found, strict=True)
    prompt = loaded.responses.prompt[list(texts)]
    times = [len(rows) for rows in of_person]
    return Correlated(
        prompt, np.array(of_all), np.repeat(prompt, times), np.concatenate(of_judge), np.concatenate(of_person)
    )


def figures(parts: Sequence[SoftLabels], is_total: bool) -> dict[str, Any]:
    judges = sorted({judge for part in parts for judge in part.judges}, key=lambda one: (one == ALL_JUDGES, one))
    made = {}
    for judge in judges:
        pool = pooled([part.judges[judge] for part in parts if judge in part.judges])
        made[judge] = (
            correlation_of_columns(pool.of_all, cluster=pool.prompt),
            correlation_of_columns(pool.of_judge, cluster=pool.footing_prompt),
            correlation_of_columns(pool.of_person, cluster=pool.footing_prompt),
        )
    return {
        "correlations": made,
        "people": people_in(parts),
        "judges": len([one for one in judges if one != ALL_JUDGES]),
        "responses": sum(part.responses for part in parts),
    }


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    rows = []
    total: dict[int, tuple[Figure, ...]] = results.total()["correlations"]
    for judge in total:
        for label, drill, pool in results.pools():
            found = pool["correlations"].get(judge)
            if found and judge == ALL_JUDGES:
                rows.append(Row((_("All judges together"), label), found, drill, results.marks()))
            elif found:
                rows.append(results.row(judge, (results.rater(judge), label), found, **drill))
    known = [made for made in total.values() if None not in (made[0].value, made[2].value)]
    best = max(known, key=_first, default=None)
    return [
        Table(
            id="soft-span-labels",
            headline=highest(tuple(rows), 0),
            title=_("Judges against the share of people who marked each character"),
            summary=_(
                "The judge that goes best with people's shares reaches a correlation of %(judge)s; one person with the "
                "others reaches %(person)s."
            )
            % {"judge": figure_text(best[0]), "person": figure_text(best[2])}
            if best
            else no_figure_yet()
            if rows
            else _("No response has been marked by two people and by a judge."),
            dimensions=(_("judge"), _("variety")),
            measures=(
                _("correlation with all people"),
                _("correlation with the others"),
                _("correlation of a person with the others"),
            ),
            rows=tuple(rows),
            recipe=results.recipe(
                "soft_span_label_correlation",
                drawn=True,
                position="characters (code points); omissions have none",
                correlation="Pearson, over all characters of all texts",
                texts="marked or answered by two people or more, and by the judge",
                others="each person is left out in turn; judge and person against the share of the rest",
                all_judges="the share of judges who marked each character, panels left out",
            ),
            unit="score",
            chart="none",
            note=_(
                "Compare a judge with a person in the columns of the others: both are measured there against the same "
                "people, one left out. All judges together are several, so their share is finer than any single mark. "
                "n counts texts, in those columns once for each person."
            ),
        )
    ]


def _first(figures: tuple[Figure, ...]) -> float:
    return figures[0].number
