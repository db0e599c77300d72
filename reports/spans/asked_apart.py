"""What judges were asked beside marking errors: of each sentence, and whether two errors are one issue.

Their answers stand in the calls themselves (`judging.kinds.kept_in_calls`). Three statements, or one where the project
has no such judge.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from django.db.models import F

from judging.kinds.same_issue.kind import GOLD, MARKED, SameIssue
from judging.kinds.sentences.kind import Sentences
from judging.models import ANSWERED, Call, CallState, Judge
from reports.dashboard.columns import Flags, Integers, Rows, as_it_comes, columns, latest, positions
from reports.dashboard.reader import Reading


@dataclass(frozen=True, eq=False)
class SentenceVerdicts(Rows):
    """Of each judge that was asked sentence by sentence its latest round: index of the response, id of the rater,
    number of the sentence, whether it was answered and whether it is erroneous then; shape (V,)."""

    response: Integers
    rater: Integers
    sentence: Integers
    is_answered: Flags
    is_error: Flags


@dataclass(frozen=True, eq=False)
class ComparedErrors(Rows):
    """Pairs of an error of the gold and one that a judge marked, by id, of which another judge said whether they are
    one issue, the latest word of each: ids, its rater, and what it said; shape (P,)."""

    gold: Integers
    marked: Integers
    oracle: Integers
    is_same: Flags


NONE, NO_FLAGS = np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)
NO_VERDICTS = SentenceVerdicts(NONE, NONE, NONE, NO_FLAGS, NO_FLAGS)
NONE_COMPARED = ComparedErrors(NONE, NONE, NONE, NO_FLAGS)


def asked_apart(reading: Reading, responses: Any) -> tuple[SentenceVerdicts, ComparedErrors]:
    """Both, of the responses that are read; `responses` has their ids and target models."""
    kinds = (Sentences.kind, SameIssue.kind)
    judges: dict[str, set[int]] = defaultdict(set)
    for kind, pk in Judge.objects.filter(project=reading.project, kind__in=kinds).values_list("kind", "pk"):
        judges[kind].add(pk)
    return (
        sentence_verdicts(reading, responses, judges[Sentences.kind]),
        compared_errors(reading, responses, judges[SameIssue.kind]),
    )


def sentence_verdicts(reading: Reading, responses: Any, judges: set[int]) -> SentenceVerdicts:
    if not judges:
        return NO_VERDICTS
    calls = Call.objects.filter(**reading.within("response"), judge__in=judges).exclude(state=CallState.CANCELLED)
    names = ("response_id", "judge__rater_id", "round", "unit", "state")
    rows = calls.order_by("id").values_list(*names, as_it_comes(F("parsed")))
    response, rater, turn, sentence, state, parsed = columns(rows, "iiiioo")
    place = positions(responses.id, response)
    answered = np.isin(state, [str(one) for one in ANSWERED])
    said = [is_there and _read(one).get("is_error") is True for is_there, one in zip(answered, parsed, strict=True)]
    counts = (place >= 0) & reading.may_count(rater, responses.model[np.maximum(place, 0)])
    # A prompt that changed meanwhile asks about a sentence anew: the last answer of the last round counts.
    kept = np.flatnonzero(counts)
    kept = kept[_of_last_round(response[kept], rater[kept], turn[kept])]
    kept = kept[latest((response[kept], rater[kept], sentence[kept]), kept)]
    is_error = np.array(said, dtype=bool)
    return SentenceVerdicts(place[kept], rater[kept], sentence[kept], answered[kept], is_error[kept])


def _of_last_round(response: Integers, rater: Integers, turn: Integers) -> Flags:
    """Which rows are of the last round of their rater and response."""
    _pairs, pair = np.unique(np.column_stack((response, rater)), axis=0, return_inverse=True)
    pair = pair.reshape(-1)
    last = np.zeros(pair.max(initial=-1) + 1, dtype=np.int64)
    np.maximum.at(last, pair, turn)
    return turn == last[pair]


def compared_errors(reading: Reading, responses: Any, judges: set[int]) -> ComparedErrors:
    if not judges:
        return NONE_COMPARED
    calls = Call.objects.filter(**reading.within("response"), judge__in=judges, state__in=ANSWERED)
    rows = calls.order_by("round", "id").values_list(
        "response_id", "judge__rater_id", as_it_comes(F("about")), as_it_comes(F("parsed"))
    )
    response, oracle, about, parsed = columns(rows, "iioo")
    counts = reading.may_count(oracle, responses.model[np.maximum(positions(responses.id, response), 0)])
    said: dict[tuple[int, int, int], bool] = {}
    for row in np.flatnonzero(counts).tolist():
        ids = dict(str(name).split(":", 1) for name in _read(about[row]))
        if ids.keys() == {GOLD, MARKED}:
            said[int(ids[GOLD]), int(ids[MARKED]), int(oracle[row])] = _read(parsed[row]).get("is_same") is True
    pairs = np.array(list(said), dtype=np.int64).reshape(-1, 3)
    is_same = np.array(list(said.values()), dtype=bool)
    return ComparedErrors(pairs[:, 0], pairs[:, 1], pairs[:, 2], is_same)


def _read(value: Any) -> Any:
    """JSON as the driver gives it, which is text or what it says."""
    return orjson.loads(value) if isinstance(value, str | bytes) else value
