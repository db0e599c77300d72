"""Replies read again by a better reading, without anybody being asked again.

What a call came back with stays as it came, with the number that its answer had to carry. So when the reading
improves (`parsing.VERSION`), the material is put together once more, the stored reply is read as any reply is, and the
answers that change are taken back and stored anew. What people have worked on stays as it is, and is counted.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.models import Job
from judging.engine.calling import MAX_RAW, Question, Setup, outcome_of
from judging.engine.parsing import VERSION, Outcome
from judging.engine.questions import questions_of
from judging.engine.runs import OVER
from judging.engine.setups import setup_of
from judging.engine.storing import MAX_PROBLEM, origin, write_answers
from judging.kinds import UnitAnswer
from judging.models import ANSWERED, Call, CallState, Run, Shard, Signal
from projects.among import Among
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem
from providers.client.replies import Reply, storable

# A reply came in these states, and of the failed ones where another model answered.
REPLIED = Q(state__in=[*ANSWERED, CallState.REFUSED, CallState.TRUNCATED, CallState.MALFORMED]) | Q(
    state=CallState.FAILED, problem__startswith="other_model"
)
COLUMNS = ("pk", "response_id", "unit", "about", "state", "problem", "parsed", "nonce", "raw_output", "signal")
MORE_COLUMNS = ("reply_model", "finish_reason", "parser", "ended_at")
# They tell whether a call was read or asked again meanwhile.
MOVING_COLUMNS = ("pk", "state", "problem", "parsed", "parser", "ended_at")
# So often a shard is read before its lock is taken, where its calls change each time.
ATTEMPTS = 3
# Why a stored reply cannot be read again, by code.
CANNOT = {
    "no_number": gettext_lazy("The number that the answer had to carry was not kept when it was asked for."),
    "kept_in_part": gettext_lazy("The reply was so long that only its beginning was kept."),
    "kept_otherwise": gettext_lazy("The reply held characters that no database can keep."),
    "gone": gettext_lazy("Something that was asked about is no longer there."),
    "own_laboratory": gettext_lazy("By today's mapping, the judge's own laboratory has a part in what was judged."),
}


UPDATE = "UPDATE judging_call SET state = %s, parsed = %s, problem = %s, parser = %s WHERE id = %s"


class Stored(NamedTuple):
    """A call as it stands."""

    pk: int
    response: int
    unit: int
    about: list
    state: str
    problem: str
    parsed: dict | None
    nonce: str
    raw_output: str
    signal: str
    reply_model: str
    finish_reason: str
    parser: int | None
    ended_at: datetime | None

    @property
    def standing(self) -> tuple[Any, ...]:
        """What `standing_calls` says of it."""
        return (self.pk, self.state, self.problem, self.parsed, self.parser, self.ended_at)

    @property
    def answer(self) -> UnitAnswer:
        return UnitAnswer(self.unit, self.state, self.parsed, tuple(self.about))

    @property
    def reply(self) -> Reply:
        """What came back, as far as reading it depends on it."""
        is_refusal = self.signal == Signal.REFUSAL
        return Reply(
            text="" if is_refusal else self.raw_output,
            model=self.reply_model,
            finish_reason=self.finish_reason,
            refusal=self.raw_output if is_refusal else "",
            has_tool_call=self.signal == Signal.TOOL_CALL,
        )


@dataclass(slots=True)
class Rereading:
    """What reading again comes to: how many calls say the same, how many change from which state to which (from one to
    the same where only what was read differs), how many stay because of people's work, and how many cannot be read.
    """

    same: int = 0
    changes: Counter[tuple[str, str]] = field(default_factory=Counter)
    held: int = 0
    cannot: Counter[str] = field(default_factory=Counter)

    @property
    def read(self) -> int:
        return self.same + self.changed + self.held

    @property
    def changed(self) -> int:
        return sum(self.changes.values())

    @property
    def changes_in_words(self) -> list[tuple[str, str, int]]:
        """(state before, state after, calls), the most frequent first."""
        counted = self.changes.most_common()
        return [(str(CallState(old).label), str(CallState(new).label), n) for (old, new), n in counted]

    @property
    def cannot_in_words(self) -> list[tuple[str, int]]:
        return [(str(CANNOT[code]), n) for code, n in self.cannot.most_common()]

    def as_json(self) -> dict[str, Any]:
        changes = [{"before": old, "after": new, "calls": n} for (old, new), n in self.changes.most_common()]
        numbers = {"same": self.same, "changed": self.changed, "held": self.held}
        return {**numbers, "changes": changes, "cannot": dict(self.cannot)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Rereading":
        changes = Counter({(change["before"], change["after"]): change["calls"] for change in values["changes"]})
        return cls(values["same"], changes, values["held"], Counter(values["cannot"]))

    def add(self, other: "Rereading") -> None:
        self.same += other.same
        self.held += other.held
        self.changes.update(other.changes)
        self.cannot.update(other.cannot)


@dataclass(slots=True)
class Reading:
    """The calls of a shard read again: as they stood, what they are now, and what is to be written."""

    stood: list[tuple[Any, ...]]
    counts: Rereading = field(default_factory=Rereading)
    same: list[int] = field(default_factory=list)
    changed: list[tuple[Stored, Outcome]] = field(default_factory=list)


def replied_calls(run: Run) -> QuerySet[Call]:
    """Calls of a run to which a reply came."""
    return Call.objects.filter(REPLIED, run=run)


def older_calls(run: Run) -> QuerySet[Call]:
    """Those whose reply was read by an older reading and can be looked at again."""
    return replied_calls(run).filter(Q(parser__lt=VERSION) | Q(parser=None))


@dataclass(frozen=True, slots=True)
class RereadingProgress:
    """How far a reading again has come: shards that were read before, and what they came to.

    `on_shard` is called with the counts so far and the number of shards done, within the transaction of the shard:
    where it raises, the shard is as it was. `on_end` is called within the transaction that records the end.
    """

    shards: int = 0
    counts: Rereading = field(default_factory=Rereading)
    on_shard: Callable[[Rereading, int], object] = lambda counts, done: None
    on_end: Callable[[Rereading], object] = lambda counts: None


def plan_rereading(run: Run, everything: bool = False, progress: RereadingProgress | None = None) -> Rereading:
    """What `reread` would come to. Reads only. Raises Invalid as it does."""
    setup, progress = checked(run), progress or RereadingProgress()
    counts = progress.counts
    for done, shard in enumerate(run.shards.order_by("number")[progress.shards :], start=progress.shards + 1):
        reading = read_shard(setup, run, shard, everything)
        leave_what_is_held(setup, run, reading)
        counts.add(reading.counts)
        progress.on_shard(counts, done)
    return counts


def reread(
    run: Run, by: User | None = None, everything: bool = False, progress: RereadingProgress | None = None
) -> Rereading:
    """Read the stored replies of a run again, those of an older reading or all, and store what has changed.

    No model is asked. A shard's calls and the answers they become are written together; its replies are read before
    that, while nothing is locked. Raises Invalid where the run still goes on, or the laboratory behind the judge's
    model is not known.
    """
    setup, progress = checked(run), progress or RereadingProgress()
    counts = progress.counts
    for done, shard in enumerate(run.shards.order_by("number")[progress.shards :], start=progress.shards + 1):
        reread_shard(setup, run, shard, everything, partial(count, progress, counts, done))
    changes = [[old, new, n] for (old, new), n in sorted(counts.changes.items())]
    details = {"read": counts.read, "changes": changes, "held": counts.held, "cannot": dict(counts.cannot)}
    with transaction.atomic():
        record("run.read_again", actor=by, project=run.project, subject=run.uuid, version=VERSION, **details)
        progress.on_end(counts)
    return counts


def count(progress: RereadingProgress, counts: Rereading, done: int, of_shard: Rereading) -> None:
    counts.add(of_shard)
    progress.on_shard(counts, done)


def reread_shard(
    setup: Setup, run: Run, shard: Shard, everything: bool, before_commit: Callable[[Rereading], object]
) -> None:
    """Read first, then write in one transaction what still is as it was read; what changed meanwhile is read anew."""
    for attempt in range(1, ATTEMPTS + 1):
        reading = read_shard(setup, run, shard, everything)
        with transaction.atomic():
            # Late results of a cancelled run are written under this lock as well.
            Job.objects.select_for_update(of=("self",)).get(pk=shard.job_id)
            if standing_calls(run, shard, everything) != reading.stood:
                if attempt < ATTEMPTS:
                    continue
                reading = read_shard(setup, run, shard, everything)  # changed each time; the lock keeps it as it is now
            leave_what_is_held(setup, run, reading)
            write(setup, run, reading)
            before_commit(reading.counts)
        return


def checked(run: Run) -> Setup:
    if run.state not in OVER:
        message = _("The run goes on. Its replies can be read again when it is over.")
        raise Invalid(Problem("run_goes_on", message))
    return setup_of(run)


def calls_of(run: Run, shard: Shard, everything: bool) -> QuerySet[Call]:
    calls = replied_calls(run) if everything else older_calls(run)
    return calls.filter(shard=shard).order_by("pk")


def standing_calls(run: Run, shard: Shard, everything: bool) -> list[tuple[Any, ...]]:
    """The calls of a shard as they stand, without what was said: another list, and what was read is out of date."""
    return list(calls_of(run, shard, everything).values_list(*MOVING_COLUMNS))


def read_shard(setup: Setup, run: Run, shard: Shard, everything: bool) -> Reading:
    """The replies of a shard as they are read now. Writes nothing, and takes its time."""
    calls = calls_of(run, shard, everything)
    stored = {row[0]: Stored._make(row) for row in calls.values_list(*COLUMNS, *MORE_COLUMNS)}
    reading = Reading([call.standing for call in stored.values()])
    for call, question in pairs(run, stored, calls):
        if reason := why_not(setup, call, question):
            reading.counts.cannot[reason] += 1
            continue
        outcome = outcome_of(setup, question, call.reply, call.nonce)
        if (outcome.state, outcome.parsed) == (call.state, call.parsed):
            reading.same.append(call.pk)
        else:
            reading.changed.append((call, outcome))
    reading.counts.same = len(reading.same)
    return reading


def leave_what_is_held(setup: Setup, run: Run, reading: Reading) -> None:
    """Leave out of what is to be written where people have worked on the answer, and count the rest as changed."""
    changed = reading.changed
    held = held_of(setup, run, [call for call, _outcome in changed])
    reading.changed = [(call, outcome) for call, outcome in changed if (call.response, call.unit) not in held]
    reading.counts.held = len(changed) - len(reading.changed)
    reading.counts.changes.update((call.state, outcome.state) for call, outcome in reading.changed)


def pairs(run: Run, stored: dict[int, Stored], calls: QuerySet[Call]) -> Iterator[tuple[Stored, Question]]:
    for question in questions_of(run, calls) if stored else ():
        if question.call in stored:  # it may have come in between the two statements
            yield stored[question.call], question


def why_not(setup: Setup, call: Stored, question: Question) -> str:
    """The code of the reason why a stored reply is not read again; empty where it is."""
    if not call.nonce:
        return "no_number"
    if len(call.raw_output) >= MAX_RAW:
        return "kept_in_part"
    if call.problem.startswith("unstorable_characters"):
        return "kept_otherwise"
    if not question.is_whole:
        return "gone"
    if any(setup.guard.forbids(model, laboratory) for model, laboratory in question.authors):
        return "own_laboratory"
    return ""


def held_of(setup: Setup, run: Run, changed: Sequence[Stored]) -> set[tuple[int, int]]:
    """Of the calls whose answer would change those whose answer stays, as (response, unit)."""
    if not changed:
        return set()
    return setup.kind.held(run.asked_judge, run.round, origin(run)["prompt"], by_response(changed))


def by_response(calls: Sequence[Stored]) -> dict[int, list[UnitAnswer]]:
    answers: dict[int, list[UnitAnswer]] = {}
    for call in calls:
        answers.setdefault(call.response, []).append(call.answer)
    return answers


def write(setup: Setup, run: Run, reading: Reading) -> None:
    """Calls as they are read now, and what becomes of them in place of what became of them before."""
    if reading.changed:
        before = by_response([call for call, _outcome in reading.changed])
        setup.kind.take_back(run.asked_judge, run.round, origin(run)["prompt"], before)
    Call.objects.filter(pk__in=Among(reading.same)).update(parser=VERSION)
    with connection.cursor() as cursor:
        cursor.executemany(UPDATE, [columns(call, outcome) for call, outcome in reading.changed])
    if reading.changed:
        write_answers(run, {call.response for call, _outcome in reading.changed})


def columns(call: Stored, outcome: Outcome) -> tuple[str, str | None, str, int, int]:
    parsed = None if outcome.parsed is None else json.dumps(outcome.parsed, ensure_ascii=False)
    return outcome.state, parsed, storable(outcome.problem, MAX_PROBLEM), VERSION, call.pk
