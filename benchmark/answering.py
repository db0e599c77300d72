"""What a configuration answers to a prompt is received: once, word for word, whatever came."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils.text import slugify

from benchmark.models import Answer, Configuration, Question
from projects.anchors import sha256
from projects.models import Project, Prompt, Response, TargetModel

MAX_KEY = 200


def configuration_for(project: Project, target_model: TargetModel) -> Configuration | None:
    """The row of the project's board whose answers this model gives; None where it has none."""
    return Configuration.objects.filter(project=project, target_model=target_model).first()


@transaction.atomic
def receive(
    configuration: Configuration,
    prompt: Prompt,
    text: str,
    *,
    reasoning: str = "",
    is_cut: bool = False,
    is_refusal: bool = False,
    response: Response | None = None,
) -> Answer:
    """The answer of a configuration to a prompt; the one that is there where it has answered before.

    response  that holds the text already. Otherwise one is made where there is something to be read and judged: a text
              that is not empty and was not cut off, also where it refuses.
    """
    answered = Answer.objects.filter(configuration=configuration, prompt=prompt)
    if (answer := answered.first()) is not None:
        return answer
    values: dict[str, Any] = {"reasoning": reasoning, "is_cut": is_cut, "is_refusal": is_refusal}
    try:
        with transaction.atomic():
            if response is None and is_readable(text, is_cut, is_refusal):
                response = response_of(configuration, prompt, text)
            values |= {"response": response, "text": "" if response else text}
            return Answer.objects.create(configuration=configuration, prompt=prompt, **values)
    except IntegrityError:  # received at the same moment by somebody else
        return answered.get()


def is_readable(text: str, is_cut: bool, is_refusal: bool) -> bool:
    """Whether a text becomes a response. A cut refusal is a refusal (agreement/answers/states.py)."""
    return bool(text.strip()) and (is_refusal or not is_cut)


def response_of(configuration: Configuration, prompt: Prompt, text: str) -> Response:
    """The model's response to the prompt: the one that says this already, or a new one."""
    target = configuration.target_model
    known = Response.objects.filter(prompt=prompt, target_model=target, text_sha256=sha256(text), answer=None)
    if (response := known.order_by("pk").first()) is not None:
        return response
    key = response_key(prompt.key, configuration.slug)
    if Response.objects.filter(project=prompt.project_id, key=key).exists():
        key = f"{key[: MAX_KEY - 9]}-{uuid4().hex[:8]}"
    return Response.objects.create(
        project_id=prompt.project_id,
        key=key,
        prompt=prompt,
        target_model=target,
        variety_id=prompt.variety_id,
        text=text,
        text_sha256=sha256(text),
    )


def response_key(prompt_key: str, name: str) -> str:
    return f"{prompt_key[: MAX_KEY - 61]}-{slugify(name)[:60] or 'response'}"


# --- What was there before its configuration was ---

#: Further places where answers of a project wait to be received; each returns how many it has received.
_sources: list[Callable[[Project], int]] = []


def register_source(receive_from: Callable[[Project], int]) -> None:
    """Name a place that a room above this one keeps answers in."""
    _sources.append(receive_from)


def receive_outstanding(project: Project) -> int:
    """Receive what the project's models answered before they had a configuration, or by way of an import of responses.

    Where a model has several responses to a prompt, the first one counts. Returns how many are new.
    """
    new = sum(receive_from(project) for receive_from in _sources)
    for configuration in Configuration.objects.filter(project=project).select_related("target_model"):
        answered = Answer.objects.filter(configuration=configuration, prompt=OuterRef("prompt"))
        questions = Question.objects.filter(prompt=OuterRef("prompt"))
        responses = Response.objects.filter(~Exists(answered), Exists(questions), project=project, answer=None)
        responses = responses.filter(target_model=configuration.target_model_id).select_related("prompt")
        for response in responses.order_by("prompt", "pk"):
            answer = receive(configuration, response.prompt, response.text, response=response)
            new += answer.response_id == response.pk
    return new
