"""The calls of one probe: in a pool beside each other, by the provider's own limits, retries and prices, as responses
are collected (`judging/collecting/calling.py`); every reply is stored as it comes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from benchmark.models import Paraphrase, Probe, ProbeKind, ProbeResult, Question
from benchmark.probing.asking import Ask, read_reply
from jobs.working import PutOff
from judging.collecting.calling import Answer, Setup, ask, prepare, worst_case
from judging.collecting.calling import Question as Asked
from judging.collecting.questions import setup_of
from judging.engine.calling import key_of
from judging.engine.pool import GRACE_SECONDS, CallPool
from judging.engine.shards import run_pool
from judging.models import CollectionState, TargetEndpoint
from judging.probing.exposing import note_exposure, take_back_exposure
from projects.problems import Invalid, Problem
from providers.client import loop
from providers.client.keys import KeyMissing
from providers.client.replies import UNSTORABLE
from providers.endpoints import endpoint as endpoint_of
from providers.prices import Amount

#: Calls that are prepared and paid for together: what is left of a budget is looked at between them.
AT_ONCE = 64
#: Tokens of a reply at most: a letter, half a question, a number; and thinking before it.
MOST_WRITTEN = 2_000
DOWN_SECONDS = 60

#: Called with the number of replies that were stored; may raise, which ends the work.
OnBatch = Callable[[int], None]


@dataclass(slots=True)
class Purse:
    """What all probes of a job may cost, and have cost; None: no limit."""

    money_limit: int | None = None
    token_limit: int | None = None
    money: int = 0
    tokens: int = 0

    def has_room(self, wanted: Amount) -> bool:
        return (self.money_limit is None or self.money + wanted.money <= self.money_limit) and (
            self.token_limit is None or self.tokens + wanted.tokens <= self.token_limit
        )


def setup_for(endpoint: TargetEndpoint) -> Setup:
    """As the model is asked for its answers, without its system prompt, and with a limit to what it writes.

    Raises Invalid where its laboratory is not known."""
    setup = setup_of(endpoint)
    limit = min(setup.stated_limit or MOST_WRITTEN, MOST_WRITTEN)
    name = "max_completion_tokens" if setup.guard.laboratory == "openai" else "max_tokens"
    kept = {key: value for key, value in setup.parameters.items() if key not in ("max_tokens", "max_completion_tokens")}
    return replace(setup, system="", parameters={**kept, name: limit})


def put(
    asks: Sequence[Ask],
    probe: Probe,
    endpoint: TargetEndpoint,
    purse: Purse,
    write: Callable[[Ask, str], None],
    on_batch: OnBatch,
) -> int:
    """Ask what is left; returns how many calls brought nothing and may be asked again.

    write  stores the reply to one call, in the transaction that counts its cost.

    Raises Invalid where the budget is spent or the key is missing, PutOff where the provider is down.
    """
    setup = setup_for(endpoint)
    try:
        assert endpoint.provider is not None, "a model without a provider is never asked"
        connections = loop.connections(endpoint_of(endpoint.provider))
    except KeyMissing as missing:
        raise Invalid(Problem("key_missing", _("The provider's key is not set: %(key)s") % {"key": missing})) from None
    name, failed, left = f"probe {probe.pk} {endpoint.pk}", 0, list(asks)
    while left:
        affordable, held = [], Amount()
        for at, one in enumerate(left[:AT_ONCE], start=1):
            prepared = prepare(setup, Asked(at, one.text, key=key_of(f"{name} {one.key} {one.part}", 1, 0)))
            held += worst_case(setup, prepared)
            if not purse.has_room(held):
                break
            affordable.append(prepared)
        if not affordable:
            message = _("The budget of these probes is spent. What was asked is kept; with a higher limit they go on.")
            raise Invalid(Problem("budget_spent", message))
        batch = Batch(left[: len(affordable)], probe, purse, write, on_batch)
        pool = CallPool(partial(ask, setup), affordable)
        note_exposure([one.prompt for one in batch.asks if one.prompt], endpoint)
        try:
            run_pool(pool, connections, batch.store)
        finally:
            if pool.ended.wait(GRACE_SECONDS + 1):
                unsent = [batch.asks[each.question.call - 1].prompt for each in pool.unsent()]
                take_back_exposure([prompt for prompt in unsent if prompt], endpoint)
        if pool.down:
            raise PutOff(DOWN_SECONDS, _("The provider does not answer; it is tried again."))
        failed += batch.failed
        left = left[len(affordable) :]
    return failed


@dataclass(slots=True)
class Batch:
    """Calls that are under way together; `failed` counts those that brought nothing."""

    asks: Sequence[Ask]
    probe: Probe
    purse: Purse
    write: Callable[[Ask, str], None]
    on_batch: OnBatch
    failed: int = 0

    def store(self, answers: Sequence[Answer]) -> bool:
        for answer in answers:
            read = answer.read()
            money, tokens = read.charge.money or 0, read.charge.tokens
            # A reply of another model is no reply; a refusal is one, and picks nothing.
            came = read.state not in (CollectionState.FAILED, CollectionState.UNUSABLE) or read.problem == "too_long"
            with transaction.atomic():
                if came:
                    self.write(self.asks[read.call - 1], UNSTORABLE.sub("", read.text))
                self.add(read)
            self.failed += not came
            self.purse.money += money
            self.purse.tokens += tokens
        self.on_batch(len(answers))
        return True

    def add(self, answer: Answer) -> None:
        """To what the probe has cost. A call that was never sent is none."""
        charge, sent = answer.charge, int(answer.reply.attempts > 0)
        Probe.objects.filter(pk=self.probe.pk).update(
            cost=F("cost") + (charge.money or 0),
            tokens=F("tokens") + charge.tokens,
            calls=F("calls") + sent,
            unpriced_calls=F("unpriced_calls") + (sent if charge.money is None else 0),
            bound_calls=F("bound_calls") + (sent if charge.is_bound else 0),
        )


def write_result(probe: Probe, one: Ask, text: str) -> None:
    """Add one part to what a question gave; whoever writes the same part later overwrites it."""
    row, _new = ProbeResult.objects.select_for_update().get_or_create(
        probe=probe, question_key=one.key, defaults={"result": {}}
    )
    row.result = {**row.result, one.part: read_reply(probe.kind, one, text)}
    row.save(update_fields=["result"])


def left_of(probe: Probe, asks: Sequence[Ask]) -> list[Ask]:
    """The calls without a stored reply."""
    known = {(key, part) for key, result in probe.results.values_list("question_key", "result") for part in result}
    return [one for one in asks if (one.key, one.part) not in known]


# --- Paraphrases ---


def paraphrase_asks(questions: Sequence[Question]) -> list[Ask]:
    return [
        Ask(
            question.key,
            ProbeKind.COMPLETION,
            "Say the following question in other words: in the same language and dialect, about as long, with the same "
            f"meaning. Write the new wording and nothing else.\n\n{question.prompt.text}",
            {"question": question.pk, "text": question.prompt.text},
            question.prompt_id,
        )
        for question in questions
    ]


def write_paraphrase(endpoint: TargetEndpoint, one: Ask, text: str) -> None:
    """A wording that is the question's own, or no wording, is none: that question is left out of the probe."""
    said = text.strip()[:20_000]
    if said and said.split() != one.about["text"].split():
        values = {"text": said, "written_by": endpoint.target_model.name[:200]}
        Paraphrase.objects.get_or_create(question_id=one.about["question"], defaults=values)
