"""What a target model answered, as the answer of its configuration on a benchmark's board: also that it said nothing,
refused, or was cut off."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Exists, OuterRef

from benchmark.answering import receive_new
from benchmark.models import Answer, Configuration, Question
from judging.models import CollectionCall, CollectionState
from projects.among import Among
from projects.models import Project, Response

#: What is an answer. A call that failed or came back unusable is none.
ANSWERS = (CollectionState.COLLECTED, CollectionState.REFUSED, CollectionState.TRUNCATED, CollectionState.EMPTY)


def configurations_of(calls: Iterable[CollectionCall]) -> dict[int, Configuration]:
    """By target model, in the project of these calls, which are of one run."""
    endpoints = {call.endpoint_id: call.endpoint for call in calls}.values()
    rows = Configuration.objects.filter(
        project__in={endpoint.project_id for endpoint in endpoints},
        target_model__in=Among(endpoint.target_model_id for endpoint in endpoints),
    )
    return {row.target_model_id: row for row in rows.select_related("target_model")}


class Received(NamedTuple):
    """What an ended call brought a configuration; `response` holds the text where there is one to be judged."""

    call: CollectionCall
    configuration: Configuration
    response: Response | None
    reasoning: str = ""


def receive_answers(received: Iterable[Received]) -> None:
    """In the transaction that ends the calls."""
    receive_new(
        [
            (
                configuration,
                call.prompt,
                call.raw_output,
                {
                    "reasoning": reasoning,
                    "is_cut": call.state == CollectionState.TRUNCATED,
                    "is_refusal": call.state == CollectionState.REFUSED,
                    "response": response,
                },
            )
            for call, configuration, response, reasoning in received
            if call.state in ANSWERS
        ]
    )


def receive_ended(project: Project) -> int:
    """Receive the answers to questions that came before their model had a configuration; how many are new."""
    new = 0
    for configuration in Configuration.objects.filter(project=project).select_related("target_model"):
        answered = Answer.objects.filter(configuration=configuration, prompt=OuterRef("prompt"))
        questions = Question.objects.filter(prompt=OuterRef("prompt"))
        calls = CollectionCall.objects.filter(~Exists(answered), Exists(questions), state__in=ANSWERS)
        calls = calls.filter(endpoint__project=project, endpoint__target_model=configuration.target_model_id)
        ended = [
            Received(call, configuration, call.response)
            for call in calls.select_related("prompt", "response").order_by("pk")
        ]
        receive_answers(ended)
        new += len(ended)
    return new
