"""The same question is paid for once: a reply that came to it before is read again, and nothing is sent.

Two calls ask the same where provider, round and the request's body are the same, the number of its marks aside
(`Call.input_sha256`). Only replies that were an answer are taken: one that was refused, cut or unreadable may come out
better. Another round asks anew, because that is what it is for.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import QuerySet

from judging.asking import Earlier, Prepared
from judging.models import ANSWERED, Call
from judging.parsing import Reply


def with_earlier(made: Sequence[Prepared]) -> list[Prepared]:
    """The same, each with the reply that is there already, if any. One statement."""
    found = earlier_replies(each.digest for each in made if each.digest)
    if not found:
        return list(made)
    return [replace(each, earlier=found.get(each.digest)) if each.digest in found else each for each in made]


def answered_before(digests: Iterable[str]) -> set[str]:
    """Those of the hashes that a call with an answer has, its own reply and no other's."""
    return set(_answered(digests).values_list("input_sha256", flat=True))


def earlier_replies(digests: Iterable[str]) -> dict[str, Earlier]:
    columns = ("pk", "input_sha256", "nonce", "raw_output", "reply_model", "finish_reason")
    rows = _answered(digests).order_by("-pk").values_list(*columns)
    return {
        digest: Earlier(pk, nonce, Reply(text=text, model=model, finish_reason=finish, attempts=0))
        for pk, digest, nonce, text, model, finish in rows
    }


def _answered(digests: Iterable[str]) -> QuerySet[Call]:
    calls = Call.objects.exclude(input_sha256="").filter(input_sha256__in=list(digests))
    # Without its number no answer can be read again; a reply that was taken over is found where it first came.
    return calls.filter(state__in=ANSWERED, reused=None).exclude(nonce="")
