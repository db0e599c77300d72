"""From open calls to prompts as they are sent: their words, what is set for the model, and responses that are there
already."""

from collections.abc import Sequence
from dataclasses import replace

from benchmark.exposure import endpoint_name
from judging.collecting.calling import Earlier, Prepared, Question, Setup, prepare, read
from judging.collecting.configured import sent_with
from judging.engine.calling import key_of
from judging.models import CollectionCall, CollectionState, Run, Shard, TargetEndpoint
from projects.among import Among
from projects.laboratories import laboratory_of
from projects.models import Laboratory, Prompt, Segmentation
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
    rows = calls.values_list("pk", "retries", "prompt__text", "prompt__variety__segmentation")
    name = f"target {shard.run.project_id} {shard.run.endpoint_id}"
    return [
        Question(pk, text, Segmentation(segmentation).rule, key_of(name, pk, retries))
        for pk, retries, text, segmentation in rows
    ]


def with_earlier(setup: Setup, prepared: Sequence[Prepared]) -> list[Prepared]:
    """The same, each with the response that the same question has had, where the lead has chosen to take such over.

    The same is: the same provider, and the same body (model, parameters, system prompt, prompt). Whoever asks holds
    the prompt already, so it may come from another project. A reply is never handed on twice: it is found where it
    first came.
    """
    if not setup.takes_over or not prepared:
        return list(prepared)
    known = CollectionCall.objects.exclude(input_sha256="").filter(
        input_sha256__in=[question.digest for question in prepared],
        endpoint__provider=setup.provider,
        state=CollectionState.COLLECTED,
        reused=None,
    )
    rows = known.order_by("-pk").values_list("pk", "input_sha256", "response__text", "reply_model", "finish_reason")
    earlier = {}
    for pk, digest, text, model, finish_reason in rows:
        reply = Reply(text=text, model=model, finish_reason=finish_reason, attempts=0)
        if read(reply, setup.guard)[0] == CollectionState.COLLECTED:
            earlier[digest] = Earlier(pk, reply)
    return [
        replace(question, earlier=earlier[question.digest]) if question.digest in earlier else question
        for question in prepared
    ]


def planned_prompts(setup: Setup, prompts: Sequence[int]) -> list[Prepared]:
    """Prompts, by their ids, as they would be sent to a target model."""
    texts = Prompt.objects.filter(pk__in=Among(prompts)).values_list("text", flat=True)
    return [prepare(setup, Question(0, text)) for text in texts]
