"""What the grades of a judge show of its habits: leniency, length, what it does not see, what it does not answer."""

from collections.abc import Mapping

import numpy as np

from agreement.correlation import spearman
from agreement.criteria import BOTH, JUDGE_ONLY, NEITHER, PERSON_ONLY
from agreement.figures import Figure
from agreement.habits import length_slope, mean_error, recall_gap, share_beyond
from reports.rubrics.groups import PEOPLE, Flags, Floats, Integers

#: A point of a hundred; and a point for twice the length.
POINTS = 1.0
#: Of recalls, ten in a hundred.
GAP = 0.1
#: Answers that do not come or cannot be read: such a share is usual, such a share is much.
USUAL, MUCH = 0.05, 0.1


def rank_correlation(scores: Floats, references: Floats) -> Figure:
    """Spearman's. Without the interval for single items: a prompt has several responses."""
    found = spearman(scores, references)
    return Figure(found.value, found.n, undefined=found.undefined)


def of_scores(
    judge: int, errors: Floats, human: Floats, length: Integers, prompt: Integers, asked: Mapping[str, Flags]
) -> dict[tuple[int, str], Figure]:
    """errors, human, length, prompt  of all responses, shape (R,), NaN where judge or person has no score.
    asked  by "scored", "refused" and "unreadable" whether the judge's answer came to that, shape (R,)."""
    ended = asked["scored"] | asked["refused"] | asked["unreadable"]
    return {
        (judge, "leniency"): mean_error(errors, prompt, POINTS),
        (judge, "length"): length_slope(errors, human, length, prompt, POINTS),
        (judge, "refusals"): share_beyond(asked["refused"][ended], prompt[ended], USUAL, MUCH),
        (judge, "unreadable"): share_beyond(asked["unreadable"][ended], prompt[ended], USUAL, MUCH),
    }


def of_verdicts(
    one: int, types: Integers, prompt: Integers, known: Mapping[tuple[int, str], Figure]
) -> dict[tuple[int, str], Figure]:
    """What is seen of the faults that the first grader found, by what kind of criterion says so.

    types  cells per response and type of criterion, shape (R, 8, 4), see `criteria.TYPES`. known  figures made before:
    those of PEOPLE, who come first, are what a judge is compared with. A fault is a positive criterion that the person
    failed, or a negative one whose error the person found.
    """
    # Polarity, explicitness, objectivity, cell.
    cells = types.reshape(len(types), 2, 2, 2, 4)
    positive, negative = cells[:, 0], cells[:, 1]
    seen = positive[..., NEITHER] + negative[..., BOTH]
    there = seen + positive[..., JUDGE_ONLY] + negative[..., PERSON_ONLY]
    found = {}
    for name, other in (("explicitness", 2), ("objectivity", 1)):
        people = known.get((PEOPLE, name))
        found_of, all_of = (np.asarray(counts.sum(axis=other)) for counts in (seen, there))
        found[one, name] = recall_gap(found_of, all_of, prompt, GAP, people.value if people else None)
    return found
