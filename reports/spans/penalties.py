"""Points that errors cost: how far raters agree on them, and who is lenient.

Points are the rater's own where the scheme weighs single errors (MQM), else the project's per criticality. They
are added in the order of the spans' ids, unrounded: ordinal alpha takes sums that differ in the last bit for two
values (see agreement.mqm.penalties).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement import alpha, bootstrap, mqm
from agreement.deviation import Deviation, deviation, leave_one_out
from agreement.figures import Figure
from reports.dashboard.draws import SEED
from reports.spans.groups import Context, Flags, Floats, Integers
from reports.spans.loading import CRITICALITIES, Loaded


@dataclass(frozen=True, eq=False)
class Statistics:
    """Per answer: response, prompt, target model, rater by id, whether a person's, and its penalty; shape (A,)."""

    response: Integers
    prompt: Integers
    model: Integers
    rater: Integers
    by_human: Flags
    penalty: Floats
    is_weighted: bool


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """The project's points are what an error of each criticality costs, for spans without points of their own."""
    points = context.points
    marks, answers, responses = loaded.marks, loaded.answers, loaded.responses
    of_level = np.array([*(float(points.get(level, 0)) for level in CRITICALITIES), 0.0])
    weights = np.where(np.isnan(marks.penalty), of_level[marks.criticality], marks.penalty)
    penalty = mqm.penalties(marks.answer, weights, len(answers))
    is_weighted = bool(points) or not bool(np.isnan(marks.penalty).all())
    found = {}
    for variety in loaded.varieties:
        rows = responses.variety[answers.response] == variety
        response = answers.response[rows]
        found[variety] = Statistics(
            responses.id[response],
            responses.prompt[response],
            responses.model[response],
            answers.rater[rows],
            answers.by_human[rows],
            penalty[rows],
            is_weighted,
        )
    return found


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Empty where nothing weighs errors."""
    if not any(part.is_weighted for part in parts):
        return {}
    names = ("response", "prompt", "model", "rater", "by_human", "penalty")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    human = joined["by_human"]
    of_people = {name: column[human] for name, column in joined.items()}
    return {
        "overall": (
            _mean(joined["penalty"][human], of_people["prompt"]),
            alpha.alpha(of_people["response"], of_people["penalty"], "interval"),
            alpha.alpha(of_people["response"], of_people["penalty"], "ordinal"),
        ),
        "models": {
            pk: _mean(of_people["penalty"][rows], of_people["prompt"][rows])
            for pk in np.unique(of_people["model"]).tolist()
            for rows in [of_people["model"] == pk]
        },
        "raters": _raters(joined),
        "people": len(np.unique(of_people["rater"])),
        "responses": len(np.unique(joined["response"])),
    }


def _mean(penalty: Floats, prompt: Integers) -> Figure:
    return bootstrap.mean(penalty, seed=SEED, cluster=prompt)


def _raters(joined: Mapping[str, Any]) -> dict[int, tuple[Figure, ...]]:
    """Rater to (mean penalty, mean absolute deviation, signed error, root mean square error).

    A person is held against the mean of the other people on the same response, a judge against that of all. A
    score is minus the penalty, so that signed error > 0 is lenient.
    """
    human, score = joined["by_human"], -joined["penalty"]
    against: dict[int, Deviation] = leave_one_out(joined["response"][human], joined["rater"][human], score[human])
    order, index = np.unique(joined["response"], return_inverse=True)
    counts = np.bincount(index[human], minlength=len(order))
    sums = np.bincount(index[human], score[human], minlength=len(order))
    means = np.divide(sums, counts, out=np.full(len(order), np.nan), where=counts > 0)[index]
    for judge in np.unique(joined["rater"][~human]).tolist():
        rows = (joined["rater"] == judge) & ~np.isnan(means)
        against[judge] = deviation(score[rows], means[rows])
    found: dict[int, tuple[Figure, ...]] = {}
    for rater, result in sorted(against.items()):
        rows = joined["rater"] == rater
        mean = _mean(joined["penalty"][rows], joined["prompt"][rows])
        found[rater] = (mean, result.mad, result.signed_error, result.rmse)
    return found
