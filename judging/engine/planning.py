"""What a run would ask, before anything is asked or written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet

from judging.engine.submitted_answers import unpaid_responses
from judging.kinds import About, Pass, Unit, judge_kind
from judging.models import Call, CallState, Judge
from judging.prompts import PromptText
from projects.laboratories import laboratory_slug
from projects.models import Response
from providers.laboratories import Guard, guard_of

CHUNK = 400  # responses at a time: what is looked up for all of them is one statement each


@dataclass(slots=True)
class Plan:
    """What would be asked of a judge, and what would not, with the reason.

    `calls` are (response id, unit) without a row, `about` the errors, criteria or other rows they ask about;
    `taken_up` are ids of calls that a cancelled run left unasked.
    """

    judge: Judge
    round: int
    prompt: PromptText
    guard: Guard
    responses: int = 0
    calls: list[tuple[int, int]] = field(default_factory=list)
    about: dict[tuple[int, int], tuple[About, ...]] = field(default_factory=dict)
    taken_up: list[int] = field(default_factory=list)
    # Responses kept from the judge because its own laboratory wrote them, by target model.
    excluded: dict[str, int] = field(default_factory=dict)
    already_marked: int = 0  # responses this judge has answered in this round
    already_called: int = 0  # calls whose answer stands, or is under way
    withheld: int = 0  # errors or pairs kept from the judge because its own laboratory has a part in them
    not_ready: int = 0  # responses that cannot be asked about yet; what is missing says the kind
    reasons: dict[str, int] = field(default_factory=dict)  # how many of them for want of what, where it differs

    @property
    def size(self) -> int:
        return len(self.calls) + len(self.taken_up)

    @property
    def excluded_count(self) -> int:
        return sum(self.excluded.values())


class TextRow(NamedTuple):
    response: int
    text: str
    model: str
    laboratory: str


def plan(judge: Judge, responses: QuerySet[Response], round: int = 1) -> Plan:
    """The plan of a run of `judge` over `responses`. Reads only.

    Raises projects.problems.Invalid where the laboratory behind the judge's model is not known, or the project
    lacks what the questions need.
    """
    kind = judge_kind(judge.kind)
    planned = Plan(judge, round, kind.prompt_text(judge), guard_of(judge.model, judge.provider))
    known = existing_calls(planned)
    answered = kind.answered(judge, round)
    rows = texts(responses)
    unpaid = unpaid_responses(judge, responses)
    over = Pass(judge, planned.guard, round)
    while chunk := list(islice(rows, CHUNK)):
        units = kind.units(over, to_ask(planned, chunk, answered, unpaid))
        planned.withheld += units.withheld
        planned.not_ready += units.not_ready
        planned.already_called += units.answered
        for reason, count in units.reasons.items():
            planned.reasons[reason] = planned.reasons.get(reason, 0) + count
        for response, asked in units.of_response.items():
            for unit in asked:
                place(planned, known.get((response, unit.number)), response, unit)
    if planned.size:
        for response, asked_besides in kind.beside(over).items():
            for unit in asked_besides:
                place(planned, known.get((response, unit.number)), response, unit)
    return planned


def to_ask(planned: Plan, chunk: list[TextRow], answered: set[int], unpaid: Mapping[int, str]) -> dict[int, str]:
    """Texts by response id of those that the judge may see and has not answered; the others are counted."""
    left = {}
    for row in chunk:
        planned.responses += 1
        if planned.guard.forbids(row.model, row.laboratory):
            planned.excluded[row.model] = planned.excluded.get(row.model, 0) + 1
        elif row.response in answered:
            planned.already_marked += 1
        elif reason := unpaid.get(row.response):
            planned.not_ready += 1
            planned.reasons[reason] = planned.reasons.get(reason, 0) + 1
        else:
            left[row.response] = row.text
    return left


def place(planned: Plan, existing: tuple[int, str] | None, response: int, unit: Unit) -> None:
    if existing is None:
        planned.calls.append((response, unit.number))
        if unit.about:
            planned.about[response, unit.number] = unit.about
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
    rows = calls.values_list("response_id", "unit", "pk", "state")
    return {(response, unit): (pk, state) for response, unit, pk, state in rows}


def texts(responses: QuerySet[Response]) -> Iterator[TextRow]:
    rows = responses.order_by("pk").values_list("pk", "text", "target_model__name", laboratory_slug())
    yield from map(TextRow._make, rows.iterator(chunk_size=CHUNK))
