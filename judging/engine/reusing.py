"""The same question is paid for once: a reply that came to it before is read again, and nothing is sent.

Two calls ask the same where provider, round and the request's body are the same, the number of its marks aside
(`Call.input_sha256`). Only replies that were an answer are taken: one that was refused, cut or unreadable may come out
better. Another round asks anew, because that is what it is for; so does a question that says so of itself.
"""

from collections.abc import Sequence
from dataclasses import replace

from django.db.models import QuerySet
from django.db.models.functions import Length

from judging.engine.calling import MAX_RAW, Earlier, Prepared, Setup
from judging.models import ANSWERED, Call
from providers.client.replies import Reply


def with_earlier(setup: Setup, prepared: Sequence[Prepared]) -> list[Prepared]:
    """The same, each with the reply that is there already, if any. One statement."""
    columns = ("pk", "input_sha256", "nonce", "raw_output", "reply_model", "finish_reason")
    rows = _answered(setup, prepared).order_by("-pk").values_list(*columns)
    earlier_by_digest = {
        digest: Earlier(pk, nonce, Reply(text=text, model=model, finish_reason=finish, attempts=0))
        for pk, digest, nonce, text, model, finish in rows
    }
    return [
        replace(question, earlier=earlier_by_digest[question.digest])
        if question.digest in earlier_by_digest and not question.question.asks_anew
        else question
        for question in prepared
    ]


def answered_before(setup: Setup, prepared: Sequence[Prepared]) -> set[str]:
    """Hashes of those that a call has the answer to, its own reply and no other's. One statement."""
    return set(_answered(setup, prepared).values_list("input_sha256", flat=True))


def _answered(setup: Setup, prepared: Sequence[Prepared]) -> QuerySet[Call]:
    digests = [each.digest for each in prepared if each.digest and not each.question.asks_anew]
    calls = Call.objects.exclude(input_sha256="").filter(input_sha256__in=digests)
    calls = calls.filter(judge__provider=setup.provider, round=setup.round, state__in=ANSWERED)
    # Without its number no answer can be read again; a reply that was taken over is found where it first came.
    # Of a very long reply only the beginning is kept: it would be read as one that was cut.
    whole = calls.annotate(kept=Length("raw_output")).filter(kept__lt=MAX_RAW)
    return whole.filter(reused=None).exclude(nonce="")
