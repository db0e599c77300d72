"""From open calls to prompts as they are sent: their words, what is set for the model, and responses that are there
already."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import Exists, OuterRef
from django.utils import timezone

from benchmark.exposure import endpoint_name
from judging.collecting.calling import Earlier, Prepared, Question, Setup, prepare, read
from judging.collecting.configured import sent_with
from judging.collecting.system_prompts import SYSTEM_PROMPTS, Texts, system_of
from judging.engine.calling import key_of
from judging.models import CollectionCall, CollectionState, Run, Shard, TargetEndpoint
from projects.among import Among
from projects.laboratories import laboratory_of
from projects.models import Laboratory, LanguageVariety, Prompt, Segmentation
from projects.validation import not_validated
from providers.client.replies import Reply
from providers.laboratories import guard_of
from providers.prices import price_of

TAKES_OVER = "takes_over"


def setup_for(run: Run) -> Setup:
    """Raises Invalid where the laboratory of the model is not known."""
    return replace(setup_of(run.asked_endpoint), takes_over=bool(run.options.get(TAKES_OVER)))


def setup_of(endpoint: TargetEndpoint) -> Setup:
    """What the prompts of a target model share. Raises Invalid where its laboratory is not known."""
    provider = endpoint.provider
    assert provider is not None, "a model without a provider is never asked"
    guard = guard_of(endpoint.model, provider)
    parameters = sent_with(endpoint)
    system = parameters.pop("system", "")
    # OpenAI's own models refuse the older name; everybody else understands it.
    if guard.laboratory == "openai" and "max_tokens" in parameters:
        parameters["max_completion_tokens"] = parameters.pop("max_tokens")
    return Setup(guard, endpoint.model, system, parameters, price_of(endpoint), provider.pk)


def seen_by(endpoint: TargetEndpoint) -> tuple[Laboratory, str]:
    """Who sees what an endpoint is asked: the laboratory of its model and the endpoint's name, as exposures have it."""
    name = endpoint_name(endpoint.model, endpoint.provider.name) if endpoint.provider else endpoint.target_model.name
    return laboratory_of(endpoint.project, endpoint.target_model), name


def open_questions(shard: Shard) -> list[Question]:
    calls = CollectionCall.objects.filter(shard=shard, state=CollectionState.PLANNED).order_by("pk")
    if shard.run.project.only_validated_prompts:  # which may have been settled after the run was planned
        held = Prompt.objects.filter(not_validated(), pk=OuterRef("prompt"))
        calls.filter(Exists(held)).order_by().update(
            state=CollectionState.FAILED, problem="not_validated", ended_at=timezone.now()
        )
    rows = list(calls.values_list("pk", "retries", "replicate", "prompt__text", "prompt__messages", "prompt__variety"))
    name = f"target {shard.run.project_id} {shard.run.endpoint_id}"
    spoken = spoken_in((row[-1] for row in rows), shard.run.options.get(SYSTEM_PROMPTS, {}))
    return [
        Question(pk, text, rule, key_of(name, pk, retries), replicate, system, messages)
        for pk, retries, replicate, text, messages, variety in rows
        for rule, system in (spoken[variety],)
    ]


def spoken_in(varieties: Iterable[int], texts: Texts) -> dict[int, tuple[str, str]]:
    """By id of a variety how its words are counted and what goes before its prompts."""
    return {
        pk: (Segmentation(variety.segmentation).rule, system_of(texts, variety))
        for pk, variety in LanguageVariety.objects.in_bulk(set(varieties)).items()
    }


def with_earlier(setup: Setup, prepared: Sequence[Prepared]) -> list[Prepared]:
    """The same, each with the response that the same question has had, where the lead has chosen to take such over.

    The same is: the same provider, and the same body (model, parameters, system prompt, prompt). Whoever asks holds
    the prompt already, so it may come from another project. A reply is never handed on twice: it is found where it
    first came; of several to one prompt, each for that of its number.
    """
    if not setup.takes_over or not prepared:
        return list(prepared)
    known = CollectionCall.objects.exclude(input_sha256="").filter(
        input_sha256__in=[question.digest for question in prepared],
        endpoint__provider=setup.provider,
        state=CollectionState.COLLECTED,
        reused=None,
    )
    columns = ("pk", "input_sha256", "replicate", "response__text", "reply_model", "finish_reason")
    earlier: dict[tuple[str, int], Earlier] = {}
    for pk, digest, replicate, text, model, finish_reason in known.order_by("-pk").values_list(*columns):
        reply = Reply(text=text, model=model, finish_reason=finish_reason, attempts=0)
        if read(reply, setup.guard)[0] == CollectionState.COLLECTED:
            earlier[digest, replicate] = Earlier(pk, reply)
    return [
        replace(each, earlier=earlier[place]) if (place := (each.digest, each.question.replicate)) in earlier else each
        for each in prepared
    ]


def planned_prompts(setup: Setup, prompts: Sequence[int], texts: Texts | None = None) -> list[Prepared]:
    """Prompts, by their ids, as they would be sent to a target model, with these system prompts."""
    rows = list(Prompt.objects.filter(pk__in=Among(prompts)).values_list("text", "messages", "variety"))
    spoken = spoken_in((row[-1] for row in rows), texts or {})
    return [
        prepare(setup, Question(0, text, system=spoken[variety][1], messages=messages))
        for text, messages, variety in rows
    ]
