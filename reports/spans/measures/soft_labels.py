"""People's disagreement about places as data: does a judge mark what more people mark?

The share of people who marked each character of a text is a soft label. A judge marks or does not, and all judges
together have a share as well; the correlation of the two sides over all characters says how far they go together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from django.utils.translation import gettext as _

from agreement.distributions import correlation_of_columns
from agreement.figures import Figure
from agreement.numbering import Clusters
from agreement.soft_labels import pieces, products
from reports.dashboard.columns import Floats, Integers, people_in
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
    answers, responses = loaded.answers, loaded.responses
    n_people = np.bincount(answers.response[answers.by_human], minlength=len(responses))
    told = n_people[answers.response] >= PEOPLE_AT_LEAST
    person = np.flatnonzero(answers.by_human & told)
    person = person[np.argsort(answers.response[person], kind="stable")]
    answer, judge = _judged(loaded)
    judge, answer = judge[told[answer]], answer[told[answer]]
    # Each judge's answers to a text, variety by variety and judge by judge.
    names = np.unique(judge)
    group = responses.variety[answers.response[answer]] * len(names) + np.searchsorted(names, judge)
    group_text, share, many = np.unique(
        group * len(responses) + answers.response[answer], return_inverse=True, return_counts=True
    )
    group, text = np.divmod(group_text, max(1, len(responses)))
    weights = scipy.sparse.csr_array(
        ((1 / many)[share], (share, answer)), shape=(len(group_text), len(answers)), dtype=np.float64
    )
    found = pieces(loaded.marks.places, loaded.marks.answer, len(answers))
    made = products(found, responses.words.lengths, person, answers.response[person], weights, text)
    judges: dict[int, dict[int, Correlated]] = {variety: {} for variety in loaded.varieties}
    for one in np.unique(group).tolist():
        here = slice(*np.searchsorted(group, (one, one + 1)).tolist())
        rows = slice(*np.searchsorted(made.judge, (here.start, here.stop)).tolist())
        variety, name = divmod(one, len(names))
        judges[variety][int(names[name])] = Correlated(
            responses.prompt[text[here]],
            made.of_all[here],
            responses.prompt[answers.response[made.person[rows]]],
            made.of_judge[rows],
            made.of_person[rows],
        )
    parts = {}
    for variety in loaded.varieties:
        in_variety = responses.variety == variety
        people = answers.rater[in_variety[answers.response] & answers.by_human]
        parts[variety] = SoftLabels(judges[variety], frozenset(people.tolist()), int(in_variety.sum()))
    return parts


def _judged(loaded: Loaded) -> tuple[Integers, Integers]:
    """Answers of judges and whose they are; once more for all judges together, where a variety has several."""
    answers = loaded.answers
    rows = np.flatnonzero(np.isin(answers.rater, list(loaded.judges)))
    alone = rows[~np.isin(answers.rater[rows], list(loaded.panels))]
    variety = loaded.responses.variety[answers.response[alone]]
    several = [one for one in np.unique(variety) if len(np.unique(answers.rater[alone[variety == one]])) > 1]
    together = alone[np.isin(variety, several)]
    return np.concatenate((rows, together)), np.append(answers.rater[rows], np.full(len(together), ALL_JUDGES))


def figures(parts: Sequence[SoftLabels], is_total: bool) -> dict[str, Any]:
    judges = sorted({judge for part in parts for judge in part.judges}, key=lambda one: (one == ALL_JUDGES, one))
    made = {}
    for judge in judges:
        pool = pooled([part.judges[judge] for part in parts if judge in part.judges])
        clusters = Clusters.of(pool.footing_prompt)
        made[judge] = (
            correlation_of_columns(pool.of_all, cluster=pool.prompt),
            correlation_of_columns(pool.of_judge, cluster=clusters),
            correlation_of_columns(pool.of_person, cluster=clusters),
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
