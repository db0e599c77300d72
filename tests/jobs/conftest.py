"""A kind of job whose work the tests write themselves."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from jobs import kinds
from jobs.kinds import JobKind
from jobs.models import Job
from jobs.working import Held


class Chore(JobKind):
    """Does what the test says."""

    name = "chore"
    label = "Chore"
    most_attempts = 3

    def __init__(self) -> None:
        self.work: Callable[[Held], Any] = lambda held: None
        self.released: list[int] = []
        self.given_up: list[int] = []
        self.ended: list[int] = []

    def run(self, held: Held) -> Any:
        return self.work(held)

    def release(self, pks) -> None:
        self.released += pks

    def give_up(self, job: Job) -> None:
        self.given_up.append(job.pk)

    def after_end(self, job: Job) -> None:
        self.ended.append(job.pk)


@pytest.fixture
def chore() -> Iterator[Chore]:
    kind = Chore()
    kinds.register(kind)
    yield kind
    del kinds._registry[kind.name]
