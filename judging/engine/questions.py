"""From calls to questions: all that may be shown of them, looked up for hundreds at once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db.models import QuerySet

from judging.engine.calling import Prepared, Question, Setup, key_of, prepare
from judging.engine.planning import Plan
from judging.engine.setups import setup_of
from judging.kinds import About, Material, judge_kind
from judging.models import Call, CallState, Judge, PromptVersion, Run, Shard
from judging.prompts import PromptText
from projects.among import Among
from projects.laboratories import laboratory_slug
from projects.models import Response
from providers.prices import Price, price_of


def shown_columns(response: str = "") -> tuple[Any, ...]:
    """Of a response, to which this leads, what its question is made of."""
    names = (f"{response}{name}" for name in ("prompt__text", "text", "variety__name", "target_model__name"))
    return (*names, laboratory_slug(f"{response}target_model", f"{response}project"))


class StoredCall(NamedTuple):
    """A call with what its response says, as it stands in the database."""

    call: int
    response: int
    unit: int
    about: Sequence[About]
    retries: int
    prompt: str
    text: str
    language: str
    model: str
    laboratory: str


def open_questions(shard: Shard) -> Iterator[Question]:
    """The calls still to be asked."""
    return questions_of(shard.run, Call.objects.filter(shard=shard, state=CallState.PLANNED).order_by("pk"))


def questions_of(run: Run, calls: QuerySet[Call]) -> Iterator[Question]:
    """Calls of a run as questions. The statements do not grow with the calls."""
    return questions(run.asked_judge, PromptText.of(run.pinned_prompt), stored_calls(calls))


def stored_calls(calls: QuerySet[Call]) -> list[StoredCall]:
    fields = ("pk", "response_id", "unit", "about", "retries", *shown_columns("response__"))
    return [StoredCall._make(row) for row in calls.values_list(*fields)]


def questions(judge: Judge, text_of_run: PromptText, rows: Sequence[StoredCall]) -> Iterator[Question]:
    """With prompt, response, the language's name, and the errors, criteria or other rows that are asked about."""
    kind = judge_kind(judge.kind)
    subjects: Mapping[Any, Any] = kind.subjects({pk for row in rows for pk in row.about})
    for row in rows:
        shown = [subjects[pk] for pk in row.about if pk in subjects]
        bare = Material(row.prompt, row.text, row.language)
        yield Question(
            call=row.call,
            response=row.response,
            unit=row.unit,
            material=kind.material(bare, shown, row.model, text_of_run),
            target_model=row.model,
            target_laboratory=row.laboratory,
            markers=tuple(subject.author for subject in shown if subject.author),
            is_whole=len(shown) == len(row.about) and kind.is_in(text_of_run, shown),
            asks_anew=kind.asks_anew(row.about),
            key=key_of(judge.rater.uuid, row.call, row.retries),
        )


def setup_for(run: Run) -> Setup:
    """What all calls of a run share. Raises projects.problems.Invalid where the laboratory is not known."""
    return replace(
        setup_of(run), price=price_of(run.asked_judge), provider=run.asked_judge.provider_id, round=run.round
    )


def planned_questions(planned: Plan, price: Price | None, most: int) -> tuple[Setup, list[Prepared]]:
    """Some of a plan's calls as they would be sent: all of them, or `most` that lie evenly among them."""
    judge, text = planned.judge, planned.prompt
    run = Run(judge=judge, prompt_version=PromptVersion(name=text.name, version=text.version, text=text.text))
    setup = replace(setup_of(run), price=price, provider=judge.provider_id, round=planned.round)
    step = max(1, -(-planned.size // most))
    chosen = planned.calls[::step]
    responses = Response.objects.filter(pk__in=Among(response for response, _unit in chosen))
    shown = {row[0]: row[1:] for row in responses.values_list("pk", *shown_columns())}
    rows = [
        StoredCall(0, response, unit, planned.about.get((response, unit), ()), 0, *shown[response])
        for response, unit in chosen
        if response in shown
    ]
    rows += stored_calls(Call.objects.filter(pk__in=Among(planned.taken_up[::step])))
    return setup, [prepare(setup, question) for question in questions(judge, text, rows)]
