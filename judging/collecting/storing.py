"""Writing down what came: a response word for word, or the state that says why there is none."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from benchmark.models import Configuration
from judging.collecting.calling import Answer
from judging.collecting.configured import parameters_for, sent_with
from judging.collecting.receiving import configurations_of, receive_answer
from judging.models import CollectionCall, CollectionState
from projects.anchors import sha256
from projects.models import Prompt, Response, Segmentation, TargetModel
from providers.client.replies import storable
from rubrics.models import Rubric
from rubrics.scoring.planning import plan_open_stages

OPEN = (CollectionState.PLANNED, CollectionState.CANCELLED)
MAX_PROBLEM = 1000
MAX_RAW = 400_000
MAX_KEY = 200


def write(answers: Sequence[Answer]) -> None:
    """Each answer once, in the caller's transaction: a call that has ended is left alone."""
    open_calls = CollectionCall.objects.select_for_update(of=("self",)).filter(
        pk__in=[answer.call for answer in answers], state__in=OPEN
    )
    parts = ("prompt__variety", "endpoint__target_model", "endpoint__provider")
    calls = {call.pk: call for call in open_calls.select_related(*parts)}
    configurations = configurations_of(calls.values())
    reused = CollectionCall.objects.in_bulk({answer.reused for answer in answers if answer.reused})
    for answer in answers:
        if call := calls.pop(answer.call, None):
            call.reused = reused.get(answer.reused) if answer.reused else None
            write_answer(call, answer, configurations.get(call.endpoint.target_model_id))


def write_answer(call: CollectionCall, answer: Answer, configuration: Configuration | None = None) -> None:
    """What a call that is asked again has cost and tried before is added to. `configuration`: that of a benchmark's
    board whose answer it is."""
    reply, charge = answer.reply, answer.charge
    call.state, call.problem = answer.state, storable(answer.problem, MAX_PROBLEM)
    call.reply_model, call.finish_reason = storable(reply.model, 200), storable(reply.finish_reason, 40)
    call.attempts, call.latency_ms = call.attempts + reply.attempts, reply.latency_ms
    call.prompt_tokens, call.completion_tokens = reply.prompt_tokens, reply.completion_tokens
    call.reasoning_tokens, call.input_sha256 = reply.reasoning_tokens, answer.input_sha256
    if charge.money is not None:
        call.cost = (call.cost or 0) + charge.money
    call.cost_is_bound = call.cost_is_bound or charge.is_bound
    call.started_at, call.ended_at = answer.started_at, answer.ended_at
    if call.state == CollectionState.COLLECTED and has_response(call.prompt_id, call.endpoint.target_model_id):
        call.state, call.problem = CollectionState.UNUSABLE, "response_exists"
    call.words = answer.words
    parameters = parameters_for(call.endpoint, configuration)
    if call.state == CollectionState.COLLECTED:
        call.response = add_response(call, answer.text, parameters)
    else:  # texts of responses are stored as they are
        call.raw_output = storable(answer.text, MAX_RAW)
    call.save()
    if configuration is not None:
        receive_answer(call, configuration, response_to_judge(call, parameters), storable(reply.reasoning, MAX_RAW))


def response_to_judge(call: CollectionCall, parameters: Mapping[str, Any]) -> Response | None:
    """The response of a benchmark's answer. A refusal in words is one, since to refuse can be right; what it says is
    for rules and judges. The call stays what it is."""
    refuses = call.state == CollectionState.REFUSED and call.raw_output.strip()
    if refuses and not has_response(call.prompt_id, call.endpoint.target_model_id):
        return add_response(call, call.raw_output, parameters)
    return call.response


def has_response(prompt_id: int, target_model_id: int) -> bool:
    return Response.objects.filter(prompt=prompt_id, target_model=target_model_id).exists()


def add_response(call: CollectionCall, text: str, parameters: Mapping[str, Any] | None = None) -> Response:
    """The response that an ended call brought, exactly as it came, with how it came in its metadata. `parameters`: what
    was sent beside the prompt, where that is at hand."""
    prompt, target = call.prompt, call.endpoint.target_model
    values = {
        "project_id": prompt.project_id,
        "prompt": prompt,
        "target_model": target,
        "variety": prompt.variety,
        "text": text,
        "text_sha256": sha256(text),
        "metadata": {"collected": provenance(call, parameters)},
    }
    key = readable_key(prompt, target)
    try:
        with transaction.atomic():
            response = Response.objects.create(key=key, **values)
    except IntegrityError:  # the key is another response's
        response = Response.objects.create(key=f"{key[: MAX_KEY - 9]}-{uuid4().hex[:8]}", **values)
    plan_open_stages([response.pk])  # it is ready to be scored: its rubric was frozen before
    return response


def readable_key(prompt: Prompt, target: TargetModel) -> str:
    return f"{prompt.key[: MAX_KEY - 61]}-{slugify(target.name)[:60] or 'response'}"


def provenance(call: CollectionCall, parameters: Mapping[str, Any] | None = None) -> dict:
    """How a response was come by, and that its rubric was frozen before; it leaves with every export.

    Times are ISO 8601 in UTC. Words per second are those of the attempt that brought the answer.
    """
    common: dict = {"at": at(call.ended_at), "rubric": frozen_rubric(call.prompt_id)}
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
        "parameters": sent_with(call.endpoint) if parameters is None else dict(parameters),
        "started_at": at(call.started_at),
        "latency_ms": call.latency_ms,
        "attempts": call.attempts,
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "finish_reason": call.finish_reason,
        "words": call.words,
        "words_by": Segmentation(call.prompt.variety.segmentation).rule,
        "words_per_second": None if rate is None else round(rate, 3),
        **taken_over_from(call),
    }


def taken_over_from(call: CollectionCall) -> dict:
    """Of a response that was taken over from the same question: that it was, and when the model gave it."""
    return {} if call.reused is None else {"taken_over": True, "given_at": at(call.reused.ended_at)}


def at(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def frozen_rubric(prompt_id: int) -> dict:
    """The version that was frozen when the response came: the proof that the rubric came first."""
    rubric = Rubric.objects.filter(prompt=prompt_id, frozen_at__isnull=False).order_by("-version").first()
    return (
        {}
        if rubric is None
        else {"version": rubric.version, "sha256": rubric.sha256, "frozen_at": at(rubric.frozen_at)}
    )
