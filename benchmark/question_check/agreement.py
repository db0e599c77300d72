"""What checkers said of a set, round by round, and how far they agree; those of dropped questions count as well."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from agreement import alpha, inference
from agreement.figures import NO_PAIRABLE_VALUES, Figure
from agreement.statistics import share_of_sums
from benchmark.models import Decision, Fault, QuestionCheck, QuestionSet
from formats.kinds import moment_of

#: A question as it was worded when it was checked: its key, the round, and how often it had been worded anew by then.
Wording = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Said:
    """What one checker said of a question in one wording."""

    wording: Wording
    decision: str
    fault: str
    is_aligned: bool


@dataclass(slots=True)
class Round:
    """A round of checks: what was checked, what the lead made of it, the faults that were named."""

    number: int
    questions: int = 0
    checks: int = 0
    decided: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two checkers and more on the same wording. n of `same` is wordings, of the alphas ratings.

    same       share of pairs of checkers who decide alike, by wording.
    decision   Krippendorff's alpha (nominal) of keep, repair, drop; aligned: of "prompt and reference aligned".
    """

    same: Figure
    decision: Figure
    aligned: Figure


def said_of_set(question_set: QuestionSet) -> list[Said]:
    """All that was said of the questions of a set, in three statements."""
    worded: dict[str, list[datetime]] = defaultdict(list)
    repairs = question_set.revisions.filter(decision=Decision.REPAIR).order_by("decided_at")
    for key, at in repairs.values_list("key", "decided_at"):
        worded[key].append(at)

    def wording(key: str, number: int, at: datetime) -> Wording:
        return key, number, bisect_right(worded[key], at)

    rows = QuestionCheck.objects.filter(question__question_set=question_set).order_by("pk")
    columns = ("question__key", "round", "created_at", "decision", "fault", "is_aligned")
    said = [Said(wording(key, number, at), *rest) for key, number, at, *rest in rows.values_list(*columns)]
    dropped = question_set.revisions.filter(decision=Decision.DROP).values_list("key", "checks")
    for key, checks in dropped:
        for check in checks:
            of = wording(key, check["round"], moment_of(check["checked_at"]))
            said.append(Said(of, check["decision"], check["fault"], check["is_aligned"]))
    return said


def rounds_of(question_set: QuestionSet, said: Iterable[Said]) -> list[Round]:
    """The rounds there were, the first one first."""
    by_round: dict[int, Round] = {}
    keys: dict[int, set[str]] = defaultdict(set)
    for each in said:
        key, number, _version = each.wording
        row = by_round.setdefault(number, Round(number))
        row.checks += 1
        keys[number].add(key)
        if each.fault:
            row.faults[each.fault] = row.faults.get(each.fault, 0) + 1
    decided = Counter(question_set.revisions.filter(round__gte=1).values_list("round", "decision"))
    for number, row in by_round.items():
        row.questions = len(keys[number])
        row.decided = {choice.value: decided[number, choice.value] for choice in Decision}
        row.faults = {fault.value: row.faults.get(fault.value, 0) for fault in Fault}
    return [by_round[number] for number in sorted(by_round)]


def agreement_of(said: Sequence[Said]) -> Agreement:
    """How far checkers agree, with intervals over wordings."""
    decisions = counted([(each.wording, each.decision) for each in said], Decision.values)
    aligned = counted([(each.wording, each.is_aligned) for each in said], [True, False])
    return Agreement(same_share(decisions), nominal_alpha(decisions), nominal_alpha(aligned))


def counted(pairs: Sequence[tuple[Wording, Hashable]], domain: Sequence[Hashable]) -> NDArray[np.int64]:
    """How often each wording got each value, shape (wordings, len(domain))."""
    places: dict[Wording, int] = {}
    for wording, _value in pairs:
        places.setdefault(wording, len(places))
    table = np.zeros((len(places), len(domain)), dtype=np.int64)
    of_value = {value: index for index, value in enumerate(domain)}
    for wording, value in pairs:
        table[places[wording], of_value[value]] += 1
    return table


def same_share(table: NDArray[np.int64]) -> Figure:
    """Mean over wordings of the share of pairs of checkers who say the same; "no pairable values" without a pair."""
    n = table.sum(axis=1)
    paired = table[n >= 2]
    if not len(paired):
        return Figure.without_value(NO_PAIRABLE_VALUES)
    n = paired.sum(axis=1)
    return inference.mean((paired * (paired - 1)).sum(axis=1) / (n * (n - 1)), statistic=share_of_sums)


def nominal_alpha(table: NDArray[np.int64]) -> Figure:
    domain = np.arange(table.shape[1])
    figure = alpha.alpha_from_counts(table, domain, "nominal")
    if figure.value is None:
        return figure
    columns = alpha.coincidence_columns(table).toarray()
    return inference.with_interval(figure, columns, alpha.alpha_of_coincidences(domain, "nominal"))
