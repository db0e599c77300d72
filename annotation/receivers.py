"""What follows from an answer: the gold of its response, and the reviews that it makes possible.

All of it happens in the transaction of the answer, so neither is ever behind what is stored.
"""

from collections.abc import Iterable
from typing import Any

from annotation.gold import derive
from annotation.models import GoldAnswer, Review
from annotation.outcomes import human_annotators
from annotation.reviews.planning import plan_open_stages
from projects.chunks import in_chunks
from workflow.models import Assignment
from workflow.signals import answer_stored, answer_withdrawn
from workflow.task_types import TaskType


def answers_changed(response_ids: Iterable[int]) -> None:
    """To be called by whoever writes or takes back markings, reviews, groups or classifications.

    Costs three small statements where no person has answered yet: a judge's run over fresh responses is not held up.
    """
    for chunk in in_chunks(response_ids):
        answered = set(human_annotators(chunk))
        answered |= set(GoldAnswer.objects.filter(response__in=chunk).values_list("response_id", flat=True))
        answered |= set(Review.objects.filter(span__response__in=chunk).values_list("span__response_id", flat=True))
        if answered:
            _bring_up_to_date(answered)


def _bring_up_to_date(response_ids: Iterable[int]) -> None:
    derive(response_ids)
    plan_open_stages(response_ids)


def follow(sender: type[TaskType], assignment: Assignment, **kwargs: Any) -> None:
    if not assignment.item.is_check:
        _bring_up_to_date([assignment.response.pk])  # a person's turn: whether anybody answered needs no asking


def connect(*task_types: type[TaskType]) -> None:
    """Follow the answers to these kinds of work."""
    for task_type in task_types:
        for signal in (answer_stored, answer_withdrawn):
            signal.connect(follow, sender=task_type, dispatch_uid=f"annotation.receivers.{task_type.kind}")
