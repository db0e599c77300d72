"""What a configuration answers to a prompt is received: once, word for word, whatever came."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils.text import slugify

from benchmark.models import Answer, Configuration, Question
from projects.among import Among
from projects.anchors import sha256
from projects.chunks import CHUNK
from projects.derived import collected
from projects.models import Project, Prompt, Response, TargetModel

MAX_KEY = 200


def configuration_for(project: Project, target_model: TargetModel) -> Configuration | None:
    """The row of the project's board whose answers this model gives; None where it has none."""
    rows = Configuration.objects.select_related("card").filter(project=project, target_model=target_model)
    return rows.first()


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


def receive_many(answers: Sequence[tuple[Configuration, Prompt, str, Mapping[str, Any]]]) -> list[Answer]:
    """As `receive`, for many that are known to be new, in a number of statements that does not grow with them; the
    last of each is what `receive` takes by name (`reasoning`, `is_cut`, `is_refusal`, and `response` where it is there
    already)."""
    worded = [
        (configuration, prompt, text)
        for configuration, prompt, text, how in answers
        if how.get("response") is None and is_readable(text, how["is_cut"], how["is_refusal"])
    ]
    responses = responses_of(worded)
    rows = []
    for configuration, prompt, text, how in answers:
        response = how.get("response") or responses.get((configuration.pk, prompt.pk))
        values = {**how, "response": response, "text": "" if response else text}
        rows.append(Answer(configuration=configuration, prompt=prompt, **values))
    return Answer.objects.bulk_create(rows)


def receive_new(answers: Sequence[tuple[Configuration, Prompt, str, Mapping[str, Any]]]) -> None:
    """As `receive_many`, where some may have been received before, or be received by somebody else meanwhile."""
    rows = Answer.objects.filter(
        configuration__in=Among(configuration.pk for configuration, *_rest in answers),
        prompt__in=Among(prompt.pk for _configuration, prompt, *_rest in answers),
    )
    answered = set(rows.values_list("configuration_id", "prompt_id"))
    new = [each for each in answers if (each[0].pk, each[1].pk) not in answered]
    try:
        with transaction.atomic():
            receive_many(new)
    except IntegrityError:
        for configuration, prompt, text, how in new:
            receive(configuration, prompt, text, **how)


def responses_of(worded: Sequence[tuple[Configuration, Prompt, str]]) -> dict[tuple[int, int], Response]:
    """Responses with these texts by configuration and prompt: those that say this already, and new ones."""
    if not worded:
        return {}
    known = known_responses(worded)
    wanted = {response_key(prompt, configuration) for configuration, prompt, _text in worded}
    taken = keys_in_use(worded[0][1].project_id, wanted)
    found: dict[tuple[int, int], Response] = {}
    new: list[Response] = []
    for configuration, prompt, text in worded:
        place = configuration.target_model_id, prompt.pk, sha256(text)
        if place not in known:
            key = response_key(prompt, configuration)
            key = f"{key[: MAX_KEY - 9]}-{uuid4().hex[:8]}" if key in taken else key
            taken.add(key)
            known[place] = new_response(configuration, prompt, text, key)
            new.append(known[place])
        found[configuration.pk, prompt.pk] = known[place]
    Response.objects.bulk_create(new)
    return found


def known_responses(worded: Sequence[tuple[Configuration, Prompt, str]]) -> dict[tuple[int, int, str], Response]:
    """Responses of these models to these prompts that are no answer yet, by model, prompt and hash of the text."""
    rows = Response.objects.filter(
        prompt__in=Among(prompt.pk for _configuration, prompt, _text in worded),
        target_model__in=Among(configuration.target_model_id for configuration, _prompt, _text in worded),
        answer=None,
    )
    # Of two that say the same, the first counts.
    return {(row.target_model_id, row.prompt_id, row.text_sha256): row for row in rows.defer("text").order_by("-pk")}


def keys_in_use(project_id: int, keys: set[str]) -> set[str]:
    """Those of these keys that responses of the project have."""
    taken = set[str]()
    wanted = sorted(keys)
    for begin in range(0, len(wanted), CHUNK):
        rows = Response.objects.filter(project=project_id, key__in=wanted[begin : begin + CHUNK])
        taken |= set(rows.values_list("key", flat=True))
    return taken


def is_readable(text: str, is_cut: bool, is_refusal: bool) -> bool:
    """Whether a text becomes a response. A cut refusal is a refusal (agreement/answers/states.py)."""
    return bool(text.strip()) and (is_refusal or not is_cut)


def response_of(configuration: Configuration, prompt: Prompt, text: str) -> Response:
    """The model's response to the prompt: the one that says this already, or a new one."""
    return responses_of([(configuration, prompt, text)])[configuration.pk, prompt.pk]


def new_response(configuration: Configuration, prompt: Prompt, text: str, key: str) -> Response:
    return Response(
        project_id=prompt.project_id,
        key=key,
        prompt=prompt,
        target_model_id=configuration.target_model_id,
        variety_id=prompt.variety_id,
        text=text,
        text_sha256=sha256(text),
    )


def response_key(prompt: Prompt, configuration: Configuration) -> str:
    return f"{prompt.key[: MAX_KEY - 61]}-{slugify(configuration.slug)[:60] or 'response'}"


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
        responses = collected(responses.filter(target_model=configuration.target_model_id)).select_related("prompt")
        for response in responses.order_by("prompt", "pk"):
            answer = receive(configuration, response.prompt, response.text, response=response)
            new += answer.response_id == response.pk
    return new
