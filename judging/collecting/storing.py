"""Writing down what came: a response word for word, or the state that says why there is none.

What came of a shard is written together, in a number of statements that does not grow with it (the rows of one
statement are sent at once).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import repeat
from typing import Any, NamedTuple
from uuid import uuid4

from django.db import IntegrityError, connection, transaction
from django.utils.text import slugify

from benchmark.answering import keys_in_use
from benchmark.models import Configuration
from judging.collecting.calling import Answer, of_replicate
from judging.collecting.configured import parameters_for
from judging.collecting.planning import REPLICATES
from judging.collecting.receiving import Received, configurations_of, receive_answers
from judging.collecting.system_prompts import SYSTEM_PROMPTS, system_of
from judging.models import CollectionCall, CollectionState
from projects.among import Among
from projects.anchors import sha256
from projects.conversations import parts_asked
from projects.derived import collected
from projects.models import Prompt, Response, Segmentation, TargetModel
from providers.client.replies import storable
from rubrics.models import Rubric
from rubrics.scoring.planning import plan_open_stages

OPEN = (CollectionState.PLANNED, CollectionState.CANCELLED)
MAX_PROBLEM = 1000
MAX_RAW = 400_000
MAX_KEY = 200
COLUMNS = (
    "state",
    "problem",
    "raw_output",
    "reply_model",
    "finish_reason",
    "attempts",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "latency_ms",
    "words",
    "input_sha256",
    "cost",
    "cost_is_bound",
    "started_at",
    "ended_at",
    "reused_id",
    "response_id",
)
UPDATE = f"UPDATE judging_collectioncall SET {', '.join(f'{column} = %s' for column in COLUMNS)} WHERE id = %s"


class Came(NamedTuple):
    """A call, and what came of it."""

    call: CollectionCall
    answer: Answer


def write(answers: Sequence[Answer]) -> None:
    """Each answer once, in the caller's transaction: a call that has ended is left alone."""
    open_calls = CollectionCall.objects.select_for_update(of=("self",)).filter(
        pk__in=Among(answer.call for answer in answers), state__in=OPEN
    )
    parts = ("prompt__variety", "endpoint__target_model", "endpoint__provider", "run")
    calls = {call.pk: call for call in open_calls.select_related(*parts).defer("prompt__text")}
    came = [Came(call, answer) for answer in answers if (call := calls.pop(answer.call, None))]
    if not came:
        return
    reused = CollectionCall.objects.in_bulk({each.answer.reused for each in came if each.answer.reused})
    for call, answer in came:
        end(call, answer)
        call.reused = reused.get(answer.reused) if answer.reused else None
    configurations = configurations_of(each.call for each in came)
    refusals = add_what_came(came, configurations)
    write_calls([each.call for each in came])
    receive_answers(
        [
            Received(
                call,
                configurations[call.endpoint.target_model_id],
                refusals.get(call.pk, call.response),
                storable(answer.reply.reasoning, MAX_RAW),
            )
            for call, answer in came
            if call.endpoint.target_model_id in configurations
        ]
    )


def end(call: CollectionCall, answer: Answer) -> None:
    """What a call that is asked again has cost and tried before is added to. Nothing is written."""
    reply, charge = answer.reply, answer.charge
    call.state, call.problem = answer.state, storable(answer.problem, MAX_PROBLEM)
    call.reply_model, call.finish_reason = storable(reply.model, 200), storable(reply.finish_reason, 40)
    call.attempts, call.latency_ms = call.attempts + reply.attempts, reply.latency_ms
    call.prompt_tokens, call.completion_tokens = reply.prompt_tokens, reply.completion_tokens
    call.reasoning_tokens, call.input_sha256 = reply.reasoning_tokens, answer.input_sha256
    if charge.money is not None:
        call.cost = (call.cost or 0) + charge.money
    call.cost_is_bound = call.cost_is_bound or charge.is_bound
    call.started_at, call.ended_at, call.words = answer.started_at, answer.ended_at, answer.words


def add_what_came(came: Sequence[Came], configurations: Mapping[int, Configuration]) -> dict[int, Response]:
    """Add the responses that calls brought. Returned are, by call, those of refusals in words where the target model is
    among `configurations`: to refuse can be right, and what it says is for rules and judges. Such a call stays a
    refusal."""
    there = with_response([each.call for each in came])
    texts: list[tuple[CollectionCall, str]] = []
    for call, answer in came:
        place = call.prompt_id, call.endpoint.target_model_id
        is_new = there[place] < wanted_of(call)
        if call.state == CollectionState.COLLECTED and is_new:
            texts.append((call, answer.text))  # texts of responses are stored as they are
            there[place] += 1
            continue
        if call.state == CollectionState.COLLECTED:
            call.state, call.problem = CollectionState.UNUSABLE, "response_exists"
        call.raw_output = storable(answer.text, MAX_RAW)
        if is_new and call.state == CollectionState.REFUSED and call.raw_output.strip() and place[1] in configurations:
            texts.append((call, call.raw_output))
            there[place] += 1
    responses = zip(texts, add_responses(texts, configurations), strict=True)
    refusals = {}
    for (call, _text), response in responses:
        if call.state == CollectionState.COLLECTED:
            call.response = response
        else:
            refusals[call.pk] = response
    return refusals


def wanted_of(call: CollectionCall) -> int:
    """How many responses of its model to its prompt there may be."""
    of_run = call.run.options.get(REPLICATES, 1) if call.run is not None else 1
    return max(call.endpoint.replicates, call.replicate, of_run)


def with_response(calls: Iterable[CollectionCall]) -> Counter[tuple[int, int]]:
    """By prompt and target model of these calls how many responses of the model there are."""
    asked = {(call.prompt_id, call.endpoint.target_model_id) for call in calls}
    rows = Response.objects.filter(
        prompt__in=Among(prompt for prompt, _model in asked), target_model__in=Among(model for _prompt, model in asked)
    )
    return Counter(collected(rows).values_list("prompt_id", "target_model_id"))


def write_calls(calls: Sequence[CollectionCall]) -> None:
    """One prepared statement for all: an UPDATE built for each costs more than the call itself."""
    moment = connection.ops.adapt_datetimefield_value
    rows = [
        (
            str(call.state),
            call.problem,
            call.raw_output,
            call.reply_model,
            call.finish_reason,
            call.attempts,
            call.prompt_tokens,
            call.completion_tokens,
            call.reasoning_tokens,
            call.latency_ms,
            call.words,
            call.input_sha256,
            call.cost,
            call.cost_is_bound,
            moment(call.started_at),
            moment(call.ended_at),
            call.reused_id,
            call.response_id,
            call.pk,
        )
        for call in calls
    ]
    with connection.cursor() as cursor:
        cursor.executemany(UPDATE, rows)


def has_response(prompt_id: int, target_model_id: int, wanted: int) -> bool:
    """Whether there are as many as are wanted."""
    there = collected(Response.objects.filter(prompt=prompt_id, target_model=target_model_id))
    return there[:wanted].count() == wanted


def add_response(call: CollectionCall, text: str) -> Response:
    """The response that an ended call brought, exactly as it came, with how it came in its metadata."""
    return add_responses([(call, text)], configurations_of([call]))[0]


def add_responses(
    texts: Sequence[tuple[CollectionCall, str]], configurations: Mapping[int, Configuration]
) -> list[Response]:
    """As `add_response`, in the order of the calls; `configurations` by target model."""
    if not texts:
        return []
    rubrics = frozen_rubrics([call.prompt_id for call, _text in texts])
    wanted = [readable_key(call.prompt, call.endpoint.target_model, call.replicate) for call, _text in texts]
    project = texts[0][0].prompt.project_id
    common = repeat(rubrics), repeat(configurations)
    try:
        with transaction.atomic():
            keys = free_keys(wanted, keys_in_use(project, set(wanted)))
            responses = Response.objects.bulk_create(map(new_response, texts, keys, *common))
    except IntegrityError:  # somebody took one of the keys meanwhile
        keys = free_keys(wanted, set(wanted))
        responses = Response.objects.bulk_create(map(new_response, texts, keys, *common))
    plan_open_stages([response.pk for response in responses])  # ready to be scored: their rubrics were frozen before
    return responses


def new_response(
    came: tuple[CollectionCall, str],
    key: str,
    rubrics: Mapping[int, dict],
    configurations: Mapping[int, Configuration],
) -> Response:
    call, text = came
    parameters = parameters_sent(call, configurations.get(call.endpoint.target_model_id))
    prompt = call.prompt
    return Response(
        project_id=prompt.project_id,
        key=key,
        prompt=prompt,
        target_model=call.endpoint.target_model,
        variety=prompt.variety,
        text=text,
        text_sha256=sha256(text),
        metadata={"collected": provenance(call, rubrics.get(call.prompt_id, {}), parameters)},
    )


def free_keys(wanted: Sequence[str], taken: Collection[str]) -> list[str]:
    """The readable keys; where one is taken, it and something of its own."""
    used, keys = set(taken), []
    for key in wanted:
        free = f"{key[: MAX_KEY - 9]}-{uuid4().hex[:8]}" if key in used else key
        used.add(free)
        keys.append(free)
    return keys


def readable_key(prompt: Prompt, target: TargetModel, replicate: int = 1) -> str:
    number = f"-r{replicate}" if replicate > 1 else ""
    return f"{prompt.key[: MAX_KEY - 66]}-{slugify(target.name)[:60] or 'response'}{number}"


def parameters_sent(call: CollectionCall, configuration: Configuration | None) -> dict[str, Any]:
    """What went with the prompt of a call, as the run that asked it has it."""
    parameters = dict(of_replicate(parameters_for(call.endpoint, configuration), call.replicate))
    texts = call.run.options.get(SYSTEM_PROMPTS) if call.run is not None else None
    if texts and (system := system_of(texts, call.prompt.variety)):
        parameters["system"] = system
    return parameters


def provenance(call: CollectionCall, rubric: dict, parameters: Mapping[str, Any]) -> dict:
    """How a response was come by, and that its rubric was frozen before; it leaves with every export.
    `parameters` went with the prompt.

    Times are ISO 8601 in UTC. Words per second are those of the attempt that brought the answer.
    """
    common: dict = {"at": at(call.ended_at), "rubric": rubric, "replicate": call.replicate}
    if call.endpoint.provider is None:
        return {**common, "by_hand": True, "controls": call.controls}
    rate = call.words_per_second
    return {
        **common,
        "by_hand": False,
        "simulated": call.endpoint.provider.is_simulated,
        "provider": call.endpoint.provider.name,
        "model": call.endpoint.model,
        "reply_model": call.reply_model,
        "parameters": dict(parameters),
        "started_at": at(call.started_at),
        "latency_ms": call.latency_ms,
        "attempts": call.attempts,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "finish_reason": call.finish_reason,
        "words": call.words,
        "words_by": Segmentation(call.prompt.variety.segmentation).rule,
        "words_per_second": None if rate is None else round(rate, 3),
        **({"turns": turns} if (turns := len(parts_asked(call.prompt.messages))) > 1 else {}),
        **taken_over_from(call),
    }


def taken_over_from(call: CollectionCall) -> dict:
    """Of a response that was taken over from the same question: that it was, and when the model gave it."""
    return {} if call.reused is None else {"taken_over": True, "given_at": at(call.reused.ended_at)}


def at(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def frozen_rubrics(prompts: Iterable[int]) -> dict[int, dict]:
    """By prompt the version that was frozen when its response came: the proof that the rubric came first."""
    rows = Rubric.objects.filter(prompt__in=Among(prompts), frozen_at__isnull=False).order_by("version")
    return {
        prompt: {"version": version, "sha256": digest, "frozen_at": at(frozen_at)}
        for prompt, version, digest, frozen_at in rows.values_list("prompt_id", "version", "sha256", "frozen_at")
    }
