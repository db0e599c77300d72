"""What follows from an answer: the gold of its response, and the reviews that it makes possible.

All of it happens in the transaction of the answer, so neither is ever behind what is stored.
"""

from collections.abc import Iterable

from annotation.gold import derive
from annotation.reviews.planning import plan_open_stages
from workflow.models import Assignment
from workflow.signals import answer_stored, answer_withdrawn


def answers_changed(response_ids: Iterable[int]) -> None:
    """To be called by whoever writes or takes back markings, reviews, groups or classifications."""
    ids = sorted(set(response_ids))
    derive(ids)
    plan_open_stages(ids)


def follow(sender: type, assignment: Assignment, **kwargs) -> None:
    answers_changed([assignment.item.response_id])


def connect() -> None:
    answer_stored.connect(follow, dispatch_uid="annotation.following")
    answer_withdrawn.connect(follow, dispatch_uid="annotation.following")
