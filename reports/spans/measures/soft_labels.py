"""People's disagreement about places as data: does a judge mark what more people mark?

The share of people who marked each character of a text is a soft label. A judge marks or does not, and all judges
together have a share as well; the correlation of the two sides over all characters says how far they go together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.distributions import correlation_of_columns, soft_label_columns, soft_labels
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
    """Sums of products over the characters of texts, as `soft_label_columns`.

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
    crowd = {
        response: rows for response, rows in _by_response(answers.response, by_people) if len(rows) >= PEOPLE_AT_LEAST
    }
    alone = {judge: np.flatnonzero(here & (answers.rater == judge)) for judge in loaded.judges}
    members = [rows for judge, rows in alone.items() if judge not in loaded.panels and len(rows)]
    if len(members) > 1:
        alone[ALL_JUDGES] = np.concatenate(members)
    people = {response: np.array([marks.of(row) for row in rows.tolist()]) for response, rows in crowd.items()}
    judges = {}
    for judge, rows in alone.items():
        said = {
            response: np.mean([marks.of(row) for row in of_response.tolist()], axis=0)
            for response, of_response in _by_response(answers.response, rows)
            if response in people
        }
        if said:
            judges[judge] = _correlated(loaded, people, said)
    everybody = frozenset(answers.rater[by_people].tolist())
    return SoftLabels(judges, everybody, int(in_variety.sum()))


def _by_response(response: Integers, rows: Integers) -> Iterator[tuple[int, Integers]]:
    """Answers by their response, ascending."""
    rows = rows[np.argsort(response[rows], kind="stable")]
    cuts = np.flatnonzero(np.diff(response[rows])) + 1
    for of_response in np.split(rows, cuts) if len(rows) else []:
        yield int(response[of_response[0]]), of_response


class _Marks:
    """Which characters of its text an answer marked; each answer once."""

    def __init__(self, loaded: Loaded):
        self.loaded, places = loaded, loaded.marks.places
        order = np.argsort(loaded.marks.answer, kind="stable")
        self.order = order[places.anchored[order]]
        self.begin = np.searchsorted(loaded.marks.answer[self.order], np.arange(len(loaded.answers) + 1))
        self.known: dict[int, Floats] = {}

    def of(self, answer: int) -> Floats:
        if answer not in self.known:
            own = self.order[self.begin[answer] : self.begin[answer + 1]]
            places = self.loaded.marks.places
            length = self.loaded.responses.words[int(self.loaded.answers.response[answer])].length
            of_own = (np.zeros(len(own), dtype=np.int64), places.start[own], places.end[own])
            [self.known[answer]] = soft_labels([length], [0], *of_own)
        return self.known[answer]


def _correlated(loaded: Loaded, people: dict[int, Floats], said: dict[int, Floats]) -> Correlated:
    texts = list(said)
    prompt = loaded.responses.prompt[texts]
    shares = [people[text].mean(axis=0) for text in texts]
    times = [len(people[text]) for text in texts]
    others = [(people[text].sum(axis=0) - own) / (len(people[text]) - 1) for text in texts for own in people[text]]
    alone = [own for text in texts for own in people[text]]
    again = [said[text] for text in texts for _own in people[text]]
    return Correlated(
        prompt,
        soft_label_columns(shares, [said[text] for text in texts]),
        np.repeat(prompt, times),
        soft_label_columns(others, again),
        soft_label_columns(others, alone),
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
