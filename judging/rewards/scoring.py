"""Rollouts as a job: one for each reward, which asks all that waits, a few at a time, within the reward's budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.enqueuing import add_job, queue_again
from jobs.kinds import JobKind
from jobs.models import OPEN, Job, JobState, Queue
from jobs.working import Held, PutOff
from judging.engine.budgets import NO_LIMIT, Reservation, increment
from judging.engine.calling import Prepared, Question, Result, Setup, ask, key_of, prepare, worst_case
from judging.engine.pool import GRACE_SECONDS, CallPool
from judging.engine.setups import setup_of
from judging.engine.shards import run_pool
from judging.kinds import Material, judge_kind, number_of
from judging.models import ANSWERED, Reward, Rollout, RolloutState, Run
from judging.rewards.kinds import RewardKind, kind_for
from projects.models import User
from projects.problems import Invalid, Problem
from providers.client import loop
from providers.client.keys import KeyMissing
from providers.endpoints import endpoint
from providers.prices import NOTHING, Amount, price_of

if TYPE_CHECKING:
    from providers.client.openai_compatible import Connections

NAME = "score_rollouts"
#: Calls that are prepared and paid for together: what is left of the budget is looked at between them.
AT_ONCE = 64
DOWN_SECONDS = 30
RELATED = ("judge__rater", "judge__provider__laboratory", "prompt_version", "policy_laboratory", "project")


def begin_scoring(reward: Reward, by: User | None = None) -> Job:
    """The reward's job, queued where it had ended. Raises Invalid where somebody paused or cancelled it, or the budget
    does not suffice for the next call."""
    if reward.is_spent:
        raise spent()
    key = f"reward:{reward.pk}"
    job = Job.objects.filter(kind=NAME, key=key).order_by("-pk").first()
    if job is None:
        return add_job(NAME, reward.project, by, options={"reward": reward.pk, "name": reward.slug}, key=key)
    if job.state in (JobState.PAUSED, JobState.CANCELLED):
        message = _("Scoring for this reward was stopped. It goes on from the page of jobs.")
        raise Invalid(Problem("stopped", message))
    if job.state not in OPEN:
        queue_again([job])
        job.refresh_from_db()
    return job


def spent() -> Invalid:
    return Invalid(Problem("budget_spent", _("The budget is spent. Raise its limit, then go on."), "money_limit"))


class ScoringRollouts(JobKind):
    name = NAME
    label = gettext_lazy("Scoring rollouts")
    queue = Queue.CALLS
    permission = "judges.run"

    def run(self, held: Held) -> Any:
        reward = Reward.objects.select_related(*RELATED).filter(pk=held.job.options["reward"]).first()
        if reward is None:
            raise Invalid(Problem("no_reward", _("The reward is no longer there.")))
        count_what_was_under_way(reward)
        done = 0
        while rollouts := waiting(reward):
            held.check()
            done += Batch(reward, kind_for(reward.judge), held).score(rollouts)
            held.progress(done)
        return {"rollouts": done}

    def after_end(self, job: Job) -> None:
        """What came in after the last look."""
        if job.state != JobState.DONE:
            return
        reward = Reward.objects.filter(pk=job.options["reward"], is_spent=False).first()
        if reward is not None and reward.rollouts.filter(state=RolloutState.PLANNED).exists():
            queue_again([job])

    def describe(self, job: Job) -> str:
        return str(job.options["name"])


def waiting(reward: Reward) -> list[Rollout]:
    rows = reward.rollouts.filter(state=RolloutState.PLANNED).select_related("prompt__variety", "question")
    return list(rows.order_by("pk")[:AT_ONCE])


def count_what_was_under_way(reward: Reward) -> None:
    """What a worker that died had under way counts as spent: it is not known what of it was charged."""
    rows = Reward.objects.filter(pk=reward.pk)
    rows.update(
        cost=F("cost") + F("money_reserved"),
        tokens=F("tokens") + F("tokens_reserved"),
        money_reserved=0,
        tokens_reserved=0,
    )
    reward.refresh_from_db(fields=["cost", "tokens", "money_reserved", "tokens_reserved", "money_limit", "token_limit"])


@dataclass(slots=True)
class Batch:
    """Rollouts that are under way together."""

    reward: Reward
    kind: RewardKind
    held: Held

    def score(self, rollouts: Sequence[Rollout]) -> int:
        """How many came to an end. Raises Invalid where the budget does not suffice for the first of them, or the key
        is missing; PutOff where the provider is down."""
        setup, by_pk = self.setup(), {each.pk: each for each in rollouts}
        reservation = self.reservation()
        chosen = []
        for prepared in self.prepared(setup, rollouts):
            if not reservation.hold(worst_case(setup, prepared)):
                break
            chosen.append(prepared)
        if not chosen:
            Reward.objects.filter(pk=self.reward.pk).update(is_spent=True)
            raise spent()
        connections = self.connections()
        self.add(reserved=reservation.held)
        taken: set[int] = set()

        async def ask_one(connections: Connections, prepared: Prepared) -> Result:
            taken.add(prepared.question.call)
            return await ask(setup, connections, prepared, reservation)

        pool: CallPool[Prepared, Result] = CallPool(ask_one, chosen)
        try:
            done = run_pool(pool, connections, partial(self.store, by_pk, reservation))
        finally:
            self.settle(pool, setup, reservation, taken)
        if pool.down:
            raise PutOff(DOWN_SECONDS, _("The provider does not answer; it is tried again."))
        return done

    def setup(self) -> Setup:
        """Raises Invalid where the laboratory behind the judge's model is not known."""
        judge = self.reward.judge
        run = Run(judge=judge, prompt_version=self.reward.prompt_version)
        return replace(setup_of(run), price=price_of(judge), provider=judge.provider_id)

    def connections(self) -> Connections:
        try:
            return loop.connections(endpoint(self.reward.judge.provider))
        except KeyMissing as missing:
            message = _("The provider's key is not set: %(key)s")
            raise Invalid(Problem("key_missing", message % {"key": missing})) from None

    def reservation(self) -> Reservation:
        """All that is left of the budget: a reward has one job, which one worker holds."""
        row = Reward.objects.get(pk=self.reward.pk)
        money = NO_LIMIT if row.money_limit is None else row.money_limit - row.cost
        tokens = NO_LIMIT if row.token_limit is None else row.token_limit - row.tokens
        is_limited = row.money_limit is not None or row.token_limit is not None
        return Reservation(is_limited, Amount(max(0, money), max(0, tokens)))

    def prepared(self, setup: Setup, rollouts: Sequence[Rollout]) -> list[Prepared]:
        """As they will be sent, or with what forbids it. The guard is asked of each."""
        about = self.kind.about(rollouts)
        subjects = judge_kind(self.reward.judge.kind).subjects({pk for each in about.values() for pk in each})
        made = []
        for each in rollouts:
            shown = [subjects[pk] for pk in about[each.pk] if pk in subjects]
            bare = Material(each.prompt.text, each.completion, each.prompt.variety.name)
            question = Question(
                call=each.pk,
                response=0,
                unit=number_of(about[each.pk]),
                material=setup.kind.material(bare, shown, self.reward.policy, setup.prompt),
                target_model=self.reward.policy,
                target_laboratory=self.reward.policy_laboratory.slug,
                is_whole=bool(shown) and len(shown) == len(about[each.pk]),
                key=key_of(f"rollout {self.reward.pk}", each.pk, each.retries),
            )
            made.append(prepare(setup, question))
        return made

    def store(self, rollouts: dict[int, Rollout], reservation: Reservation, results: Sequence[Result]) -> bool:
        """What came, and what it cost, in one transaction."""
        self.held.check()
        now, ended, cost = timezone.now(), [], NOTHING
        counts = {"calls": 0, "unpriced_calls": 0, "bound_calls": 0}
        released = NOTHING
        for result in (each.read() for each in results):
            row = rollouts[result.call]
            row.ended_at, row.completion = now, ""
            if result.state in ANSWERED and result.parsed is not None:
                row.state, (row.value, row.parts) = RolloutState.SCORED, self.kind.scored(row, result.parsed)
            else:
                row.state, row.problem = RolloutState.FAILED, (result.problem or result.state)[:500]
            ended.append(row)
            sent = result.reply.attempts > 0
            cost += Amount(result.charge.money or 0, result.charge.tokens)
            released += result.held
            counts["calls"] += sent
            counts["unpriced_calls"] += sent and result.charge.money is None
            counts["bound_calls"] += sent and bool(result.charge.is_bound)
        if not ended:
            return True
        with transaction.atomic():
            Rollout.objects.bulk_update(ended, ["state", "value", "parts", "problem", "completion", "ended_at"])
            self.add(cost, NOTHING - released, **counts)
        reservation.settle_call(released, cost)
        return True

    def settle(self, pool: CallPool[Prepared, Result], setup: Setup, reservation: Reservation, taken: set[int]) -> None:
        """What is still held when all is over was under way when it broke off and counts as spent; not what was held
        for calls that nobody took up."""
        if pool.ended.wait(GRACE_SECONDS + 1):
            for prepared in pool.unsent():
                if prepared.question.call not in taken:
                    reservation.release(worst_case(setup, prepared))
        Reward.objects.filter(pk=self.reward.pk).update(money_reserved=0, tokens_reserved=0)
        self.add(reservation.held)

    def add(self, cost: Amount = NOTHING, reserved: Amount = NOTHING, **counts: int) -> None:
        """To what the reward has cost and has under way."""
        changes = {"cost": cost.money, "tokens": cost.tokens, **counts}
        changes |= {"money_reserved": reserved.money, "tokens_reserved": reserved.tokens}
        moved = {name: increment(name, number) for name, number in changes.items() if number}
        if moved:
            Reward.objects.filter(pk=self.reward.pk).update(**moved)
