"""Kinds whose answers stay where they were read: in `Call.parsed`, which figures read and nobody works on."""

from collections.abc import Collection, Mapping
from typing import Any

from judging.kinds import AnswersByResponse, JudgeKind
from judging.models import Judge


class KeptInCalls(JudgeKind):
    """Each answer counts by itself once its call has ended; reading it again changes the call and nothing else."""

    # No person is asked about an answer, so nothing has to be kept from people.
    can_be_evaluated = False

    def subjects(self, ids: Collection[Any]) -> Mapping[Any, Any]:
        return {}

    def store(self, judge: Judge, round: int, answered: AnswersByResponse, metadata: dict) -> int:
        return 0

    def held(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> set[tuple[int, int]]:
        return set()

    def take_back(self, judge: Judge, round: int, prompt: str, answered: AnswersByResponse) -> None:
        pass
