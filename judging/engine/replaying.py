"""A run answered without a provider: replies come from a function, and are read and stored as any reply is."""

from collections.abc import Callable, Sequence

from judging.engine.calling import Question, Result, Setup, build, new_nonce, outcome_of
from judging.engine.questions import open_questions
from judging.engine.run_kinds import EndedCall
from judging.engine.runs import finish_if_over, start_here
from judging.engine.setups import setup_of
from judging.engine.shards import BATCH, claim_shard, release_shard
from judging.engine.storing import store
from judging.models import Run, Shard
from providers.client.replies import Reply

# The question and the ticket that an answer must carry.
Answer = Callable[[Question, str], Reply]


def replay(run: Run, answer: Answer) -> int:
    """Answer every call of a planned run; return how many results were stored. Guard and parser hold as ever."""
    setup = setup_of(run)
    return store_all(run, lambda shard: [result_of(setup, question, answer) for question in open_questions(shard)])


def store_all(run: Run, results_of: Callable[[Shard], Sequence[EndedCall]]) -> int:
    """Store what came of every shard of a planned run, and end it; return how many results were stored.

    Raises RuntimeError where a shard cannot be claimed, such as after the clock was put back: nobody would come back to
    it, and what the run is for would be short of its answers without a word.
    """
    stored = 0
    for shard_id in start_here(run):
        claimed = claim_shard(shard_id)
        if claimed is None:
            raise RuntimeError(f"shard {shard_id} of run {run.uuid} cannot be claimed")
        shard, held = claimed
        results = results_of(shard)
        for start in range(0, len(results), BATCH):
            store(shard, held.claim, results[start : start + BATCH])
        stored += len(results)
        release_shard(held, shard)
    finish_if_over(run.pk)
    return stored


def result_of(setup: Setup, question: Question, answer: Answer) -> Result:
    if any(setup.guard.forbids(model, laboratory) for model, laboratory in question.authors):
        return Result(question.call, question.response, "failed", "own_laboratory")
    nonce = new_nonce(question.material)
    _request, digest = build(setup, question, nonce)
    reply = answer(question, nonce)
    outcome = outcome_of(setup, question, reply, nonce)
    return Result(
        question.call, question.response, outcome.state, outcome.problem, outcome.parsed, reply, digest, nonce
    )
