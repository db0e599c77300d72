"""What a run would ask, before anything is asked or written."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db.models import QuerySet

from annotation.models import Marking
from judging.kinds import judge_kind
from judging.laboratories import Guard, guard_of
from judging.models import Call, CallState, Judge
from judging.prompts import PromptText
from projects.models import Response


@dataclass(slots=True)
class Plan:
    """What would be asked of a judge, and what would not, with the reason.

    `calls` are (response id, unit) without a row; `taken_up` are ids of calls that a cancelled run left unasked.
    """

    judge: Judge
    round: int
    prompt: PromptText
    guard: Guard
    responses: int = 0
    calls: list[tuple[int, int]] = field(default_factory=list)
    taken_up: list[int] = field(default_factory=list)
    # Responses kept from the judge because its own laboratory wrote them, by target model.
    excluded: dict[str, int] = field(default_factory=dict)
    already_marked: int = 0  # responses this judge has answered in this round
    already_called: int = 0  # calls whose answer stands, or is under way

    @property
    def size(self) -> int:
        return len(self.calls) + len(self.taken_up)

    @property
    def excluded_count(self) -> int:
        return sum(self.excluded.values())


def plan(judge: Judge, responses: QuerySet[Response], round: int = 1) -> Plan:
    """The plan of a run of `judge` over `responses`. Reads only.

    Raises projects.problems.Invalid where the laboratory behind the judge's model is not known.
    """
    kind = judge_kind(judge.kind)
    planned = Plan(judge, round, kind.prompt_text(judge), guard_of(judge.model, judge.provider))
    known = existing_calls(planned)
    marked = set(Marking.objects.filter(rater=judge.rater_id, round=round).values_list("response_id", flat=True))
    for pk, text, model, laboratory in texts(responses):
        planned.responses += 1
        if planned.guard.forbids(model, laboratory):
            planned.excluded[model] = planned.excluded.get(model, 0) + 1
        elif pk in marked:
            planned.already_marked += 1
        else:
            for unit in kind.units(judge.granularity, text):
                place(planned, known.get((pk, unit)), pk, unit)
    return planned


def place(planned: Plan, existing: tuple[int, str] | None, response: int, unit: int) -> None:
    if existing is None:
        planned.calls.append((response, unit))
    elif existing[1] == CallState.CANCELLED:
        planned.taken_up.append(existing[0])
    else:
        planned.already_called += 1


def existing_calls(planned: Plan) -> dict[tuple[int, int], tuple[int, str]]:
    """(call id, state) by (response id, unit), of this judge, prompt and round."""
    row = planned.prompt.existing_row()
    if row is None:
        return {}
    calls = Call.objects.filter(judge=planned.judge, prompt_version=row, round=planned.round)
    found = calls.values_list("response_id", "unit", "pk", "state")
    return {(response, unit): (pk, state) for response, unit, pk, state in found}


def texts(responses: QuerySet[Response]) -> Iterator[tuple[int, str, str, str]]:
    rows = responses.order_by("pk").values_list("pk", "text", "target_model__name", "target_model__laboratory__slug")
    yield from rows.iterator(chunk_size=500)
