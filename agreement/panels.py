"""Several judges as one: what the votes of a panel's members come to, by stated rules, or that they come to nothing.

A tie is no verdict: it is None, which the caller counts. Weights of a panel whose rule weighs nobody are all 1.
Shares of weights are compared to within `EXACT`, so that sums of equal weights in another order decide alike.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from agreement.consensus import nearest_grade
from agreement.figures import Figure

EXACT = 1e-9
Name = TypeVar("Name", bound=Hashable)
Number = TypeVar("Number", int, float)


def share_of(weight: float, total: float) -> float:
    """What part of the votes' weight this is, in [0, 1]. Raises ValueError where nobody votes."""
    if total <= 0:
        raise ValueError("nobody whose vote weighs anything has voted")
    return weight / total


def is_more_than_half(share: float) -> bool:
    return share > 0.5 + EXACT


def is_half(share: float) -> bool:
    return abs(share - 0.5) <= EXACT


def yes_or_no(votes: Sequence[bool], weights: Sequence[float]) -> bool | None:
    """True where those who say yes weigh more than half, False where less; None at exactly half, a tie.

    votes  whether each member says yes, length M >= 1; weights  as long, none below 0, together above 0.
    Of yes and no the mean of the votes (1 and 0) is this share, so the rule "mean" is the same one: its verdict is
    yes above 0.5. Raises ValueError for different lengths or weights that come to nothing.
    """
    share = share_of(sum(weight for vote, weight in zip(votes, weights, strict=True) if vote), sum(weights))
    return None if is_half(share) else is_more_than_half(share)


def most_said(values: Sequence[Number], weights: Sequence[float]) -> Number | None:
    """The value with the most weight behind it; where several have the most, the one of them that is the median.

    values  grades, numbers, or preferences as -1, 0 and 1, length M >= 1; weights  as long.
    A value is a median where neither those below it nor those above it weigh more than half. Three members who say
    2, 3 and 4 come to 3; of 3 and 4, or 1, 1, 5 and 5, both are medians, and of 2, 2, 3, 4, 4 neither of the two
    said most: those are ties (None). Raises ValueError for different lengths or weights that come to nothing.
    """
    behind = weight_behind(values, weights)
    total = sum(behind.values())
    modes = leading(behind)
    if len(modes) == 1:
        return modes[0]

    def is_median(value: Number) -> bool:
        below = sum(weight for other, weight in behind.items() if other < value)
        above = sum(weight for other, weight in behind.items() if other > value)
        return not is_more_than_half(below / total) and not is_more_than_half(above / total)

    medians = [value for value in modes if is_median(value)]
    return medians[0] if len(medians) == 1 else None


def named_most(values: Sequence[Name], weights: Sequence[float]) -> Name | None:
    """The name with the most weight behind it; None, a tie, where several have the most: no name lies between others.

    Shapes and errors as of `most_said`.
    """
    modes = leading(weight_behind(values, weights))
    return modes[0] if len(modes) == 1 else None


def weight_behind(values: Sequence[Name], weights: Sequence[float]) -> dict[Name, float]:
    behind: dict[Name, float] = {}
    for value, weight in zip(values, weights, strict=True):
        behind[value] = behind.get(value, 0.0) + weight
    return behind


def leading(behind: Mapping[Name, float]) -> list[Name]:
    """Those with the most weight behind them. Raises ValueError for weights that come to nothing."""
    total = sum(behind.values())
    most = max(share_of(weight, total) for weight in behind.values())
    return [value for value, weight in behind.items() if share_of(weight, total) >= most - EXACT]


def mean_ranks(ranks: Sequence[Mapping[Name, float]], weights: Sequence[float]) -> dict[Name, float]:
    """The weighted mean of the ranks that each member gave what all of them ranked, from 1, the best.

    Where members ranked different things, each ranking is first brought down to what is common: a rank is then one more
    than the number of what is ranked better, so what was tied stays tied. Empty where less than two are common.
    Raises ValueError for different lengths or weights that come to nothing.
    """
    common = [name for name in ranks[0] if all(name in of_member for of_member in ranks)]
    if len(common) < 2:
        return {}
    given = [
        of_member
        if len(of_member) == len(common)
        else {name: 1 + sum(of_member[other] < of_member[name] for other in common) for name in common}
        for of_member in ranks
    ]
    total = sum(weights)
    return {
        name: round(sum(share_of(w, total) * of[name] for of, w in zip(given, weights, strict=True)), 9)
        for name in common
    }


def ranked(means: Mapping[Name, float], has_ties: bool) -> dict[Name, int] | None:
    """Ranks from 1 by mean ranks; the same mean shares a rank, or is a tie (None) where none may be shared."""
    if not has_ties and len(set(means.values())) < len(means):
        return None
    return {name: 1 + sum(other < mean for other in means.values()) for name, mean in means.items()}


def mean_on_scale(grades: Sequence[float], weights: Sequence[float], lowest: int, highest: int) -> tuple[int, float]:
    """The grade nearest the weighted mean, and that mean.

    Halfway between two grades it is the one nearer the middle of the scale, at the very middle the lower
    (`consensus.nearest_grade`), so that rounding favours neither end. A mean is never a tie.
    Raises ValueError for different lengths or weights that come to nothing.
    """
    total = sum(weights)
    sums = sum(grade * share_of(weight, total) for grade, weight in zip(grades, weights, strict=True))
    # Means of weights that are equal but for the last bits lie on the half where whole arithmetic puts them.
    mean = round(sums, 9)
    return int(nearest_grade([mean], lowest, highest)[0]), mean


def weight_of(agreement: Figure) -> float | None:
    """What a member's vote weighs: its agreement with people, at least 0; None where that is undefined.

    Agreement is corrected for chance (kappa) or an F1, so 0 is what guessing earns, and who does worse than guessing
    has no vote. That votes are weighed by the voters' measured competence is S. Nitzan and J. Paroush's rule,
    International Economic Review 23 (1982), 289-297; theirs are log odds, which are without bounds for a judge that
    was right throughout a small half, so the agreement itself is taken, which is at most 1.
    Rounded to six decimals: it is kept and exported.
    """
    return None if agreement.value is None else round(max(0.0, agreement.value), 6)


def pooled(agreements: Sequence[Figure], undefined: str) -> Figure:
    """The mean of figures of several scales, each by its n; those that are undefined are left out."""
    defined = [figure for figure in agreements if figure.value is not None and figure.n]
    n = sum(figure.n for figure in defined)
    if not n:
        return Figure.without_value(undefined, sum(each.n for each in agreements))
    values = np.array([figure.number for figure in defined])
    return Figure(float(values @ np.array([figure.n for figure in defined]) / n), n)
