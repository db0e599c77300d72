"""A collection answered without a provider: replies come from a function, and are read and stored as any reply is."""

from collections.abc import Callable
from datetime import UTC, datetime

from judging.collecting.calling import Answer, Question, prepare
from judging.collecting.questions import open_questions, setup_for
from judging.engine.replaying import store_all
from judging.models import Run
from providers.client.replies import Reply


def replay(run: Run, reply: Callable[[Question], Reply]) -> int:
    """Answer every prompt of a planned run; return how many answers were stored. The guard holds as ever."""
    setup = setup_for(run)

    def answer(question: Question) -> Answer:
        now = datetime.now(UTC)
        return Answer(question, setup.guard, reply(question), now, now, prepare(setup, question).digest)

    return store_all(run, lambda shard: [answer(question) for question in open_questions(shard)])
