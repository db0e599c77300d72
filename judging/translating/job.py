"""Drafts as a job: broken off, paused or cancelled it goes on with what has no draft yet, and with what is left of its
budget. Every draft is kept as it comes; a reply that is no draft costs what it costs, and the same command asks for it
again."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from jobs.kinds import JobKind
from jobs.models import Job, Queue
from jobs.working import Held, PutOff
from judging.collecting.calling import Answer, Prepared, Setup, ask, prepare, worst_case
from judging.collecting.calling import Question as Asked
from judging.engine.calling import key_of
from judging.engine.pool import CallPool
from judging.engine.shards import run_pool
from judging.models import CollectionState, TargetEndpoint
from judging.probing.asking import AT_ONCE, DOWN_SECONDS, Purse, setup_for
from judging.translating.asking import Ask, read_draft, store
from judging.translating.beginning import TRANSLATING, translators, waiting
from projects.among import Among
from projects.models import LanguageVariety
from projects.problems import Invalid, Problem
from providers.client import loop
from providers.client.keys import KeyMissing
from providers.client.replies import UNSTORABLE
from providers.endpoints import endpoint as endpoint_of
from providers.prices import Amount


class Translating(JobKind):
    name = TRANSLATING
    label = gettext_lazy("Drafting localisations")
    queue = Queue.CALLS
    permission = "judges.run"
    goes_on = True

    def run(self, held: Held) -> Any:
        project, options = held.job.project, held.job.options
        assert project is not None  # `begin_translating` names it
        endpoint = translators(project).filter(pk=options["endpoint"]).first()
        if endpoint is None:
            raise Invalid(Problem("no_model", _("The target model is no longer there.")))
        varieties = LanguageVariety.objects.filter(pk__in=Among(options["varieties"])).order_by("tag")
        wanted = [Ask(template, variety) for variety in varieties for template in waiting(project, variety)]
        so_far = Counter(held.job.result or {})  # of a job that was broken off
        purse = Purse(options["money_limit"], options["token_limit"], so_far["money"], so_far["tokens"])
        return Drafting(endpoint, held, purse, so_far).run(wanted)

    def describe(self, job: Job) -> str:
        return str(job.options["model"])

    def url(self, job: Job) -> str:
        assert job.project is not None
        return reverse("prompt-drafts", args=[job.project.slug])


@dataclass
class Drafting:
    """The calls of one job; `so_far` is what came of it and what it cost, as it is kept with the job: `failed` counts
    the calls that brought no draft."""

    endpoint: TargetEndpoint
    held: Held
    purse: Purse
    so_far: Counter[str]
    done: int = 0
    under_way: Sequence[Ask] = field(default_factory=list)

    def run(self, wanted: Sequence[Ask]) -> dict[str, Any]:
        setup = replace(setup_for(self.endpoint), takes_over=False)
        provider = self.endpoint.provider
        assert provider is not None, "a model without a provider is never asked"
        try:
            connections = loop.connections(endpoint_of(provider))
        except KeyMissing as missing:
            message = _("The provider's key is not set: %(key)s")
            raise Invalid(Problem("key_missing", message % {"key": missing})) from None
        self.total = len(wanted)
        self.held.progress(0, self.total)
        left = wanted
        while left:
            prepared = self.affordable(setup, left[:AT_ONCE])
            self.under_way, left = left[: len(prepared)], left[len(prepared) :]
            pool = CallPool(partial(ask, setup), prepared)
            run_pool(pool, connections, self.store)
            if pool.down:
                raise PutOff(DOWN_SECONDS, _("The provider does not answer; it is tried again."))
        return {name: self.so_far[name] for name in ("drafted", "failed", "money", "tokens")}

    def affordable(self, setup: Setup, asks: Sequence[Ask]) -> list[Prepared]:
        """The first of these, as many as there is budget for. Raises Invalid where there is none for one."""
        prepared, reserved = [], Amount()
        for at, one in enumerate(asks, start=1):
            name = f"draft {self.endpoint.pk} {one.template.pk} {one.variety.pk} {one.nonce}"
            question = Asked(at, one.question, system=one.system, key=key_of(name, 1, 0))
            made = prepare(setup, question)
            reserved += worst_case(setup, made)
            if not self.purse.has_room(reserved):
                break
            prepared.append(made)
        if not prepared:
            message = _("The budget is spent. What was drafted is kept; with a higher limit the rest is asked.")
            raise Invalid(Problem("budget_spent", message))
        return prepared

    def store(self, answers: Sequence[Answer]) -> bool:
        for answer in answers:
            read = answer.read()
            one = self.under_way[read.call - 1]
            is_reply = read.state not in (CollectionState.FAILED, CollectionState.UNUSABLE)
            draft = read_draft(one, UNSTORABLE.sub("", read.text)) if is_reply else None
            with transaction.atomic():
                is_kept = draft is not None and self.kept(one, draft, read)
                self.count(read, drafted=int(is_kept), failed=int(draft is None))
        self.done += len(answers)
        self.held.check()
        self.held.progress(self.done, self.total)
        return True

    def kept(self, one: Ask, draft: dict[str, Any], answer: Answer) -> bool:
        provider = self.endpoint.provider
        made = {"target_model": self.endpoint.target_model, "model": self.endpoint.model}
        made |= {"is_simulated": bool(provider and provider.is_simulated), "tokens": answer.charge.tokens}
        return store(one, draft, cost=answer.charge.money, **made)

    def count(self, answer: Answer, **came: int) -> None:
        """Add a reply to what the job has cost, within the transaction that keeps its draft. In whosever hands the job
        is by then: what was spent is spent."""
        job = Job.objects.select_for_update().get(pk=self.held.job.pk)
        charge = {"money": answer.charge.money or 0, "tokens": answer.charge.tokens}
        self.so_far = Counter(job.result or {})
        self.so_far.update(came | charge)
        Job.objects.filter(pk=job.pk).update(result=dict(self.so_far))
        self.purse.money, self.purse.tokens = self.so_far["money"], self.so_far["tokens"]
