"""Brings the case book up to the answers as they stand: what is settled, and the words each case is found by.

A response is looked at again once its gold was written since (`unindexed`), so that what this does may be broken off
and begun anew, and nobody who answers waits for it.
"""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from annotation.casebook.words import words_of
from annotation.models import ERRORS, CaseWord, GoldAnswer, GoldError, IndexedAnswer, SettledCase
from annotation.outcomes import REJECTED, cases
from projects.held_back import canary_of
from projects.insertion import insert_rows
from projects.models import Project, Response

AT_ONCE = 200


class Place(NamedTuple):
    """A case by what it is about: an error by its response, its key, and whether it was kept. Of a case about a pair
    `response_id` is the pair's first."""

    response_id: int
    key: str
    is_kept: bool = True
    kind: str = ERRORS
    pair_id: int | None = None


class Wanted(NamedTuple):
    variety_id: int
    category_id: int | None
    words: tuple[str, ...]

    @property
    def digest(self) -> str:
        return sha256("\n".join((str(self.variety_id), *self.words)).encode()).hexdigest()


def unindexed(project: Project) -> QuerySet[GoldAnswer]:
    """Gold that was written since its response was last put into the case book, or never was in it."""
    up_to_date = IndexedAnswer.objects.filter(gold=OuterRef("pk"), as_of=OuterRef("updated_at"))
    return GoldAnswer.objects.filter(~Exists(up_to_date), response__project=project)


def index(project: Project, response_ids: Sequence[int]) -> int:
    """Put these responses of the project, a chunk of them, into its book as they stand; returns their cases."""
    as_of = dict(GoldAnswer.objects.filter(pk__in=response_ids).values_list("pk", "updated_at"))
    wanted = settled(list(as_of))
    with transaction.atomic():
        # Of gold that was taken away since there is nothing to hang a case on; of what changed, the next turn tells.
        there = GoldAnswer.objects.select_for_update(no_key=True).filter(pk__in=as_of).order_by("pk")
        still = set(there.values_list("pk", flat=True))
        standing = SettledCase.objects.filter(gold__in=still)
        write(project, standing, {place: case for place, case in wanted.items() if place.response_id in still})
        note({pk: at for pk, at in as_of.items() if pk in still})
    return len(wanted)


def settled(response_ids: Sequence[int]) -> dict[Place, Wanted]:
    """The errors of these responses that were kept or rejected. Texts that are held back are in no book."""
    free = Response.objects.filter(pk__in=response_ids).annotate(canary=canary_of("prompt"))
    rows = free.values_list("pk", "variety_id", "variety__language", "canary")
    written_in = {pk: (variety, language) for pk, variety, language, canary in rows if canary is None}
    found: dict[Place, Wanted] = {}

    def add(place: Place, category: int | None, *texts: str) -> None:
        variety, language = written_in[place.response_id]
        found[place] = Wanted(variety, category, tuple(words_of("\n".join(texts), language)))

    errors = GoldError.objects.filter(response__in=list(written_in))
    for response, key, category, quote, explanation in errors.values_list(
        "response_id", "key", "category_id", "quote", "explanation"
    ):
        add(Place(response, key, True), category, quote, explanation)
    for case in cases(list(written_in)):
        span = case.span
        if case.outcome == REJECTED:
            add(Place(span.response_id, span.key, False), span.category_id, span.quote, span.explanation)
    return found


def write(project: Project, there: QuerySet[SettledCase], wanted: dict[Place, Wanted]) -> None:
    """Write what differs from the cases that stand there. In a transaction."""
    columns = ("about", "key", "is_kept", "kind", "pair_id", "pk", "digest", "category_id")
    found = there.annotate(about=Coalesce("gold_id", "response_id")).values_list(*columns)
    standing = {Place(*row[:5]): row[5:] for row in found}
    new = {place: case for place, case in wanted.items() if standing.get(place, ("", ""))[1] != case.digest}
    gone = [row[0] for place, row in standing.items() if place in new or place not in wanted]
    CaseWord.objects.filter(case__in=gone).delete()
    SettledCase.objects.filter(pk__in=gone).delete()
    moved: dict[int | None, list[int]] = defaultdict(list)
    for place, (pk, _digest, before) in standing.items():
        if place in wanted and place not in new and wanted[place].category_id != before:
            moved[wanted[place].category_id].append(pk)
    for category, pks in moved.items():
        SettledCase.objects.filter(pk__in=pks).update(category=category)
    made = SettledCase.objects.bulk_create(
        SettledCase(
            project=project,
            kind=place.kind,
            gold_id=place.response_id if place.kind == ERRORS else None,
            response_id=None if place.kind == ERRORS else place.response_id,
            pair_id=place.pair_id,
            key=place.key,
            is_kept=place.is_kept,
            variety_id=case.variety_id,
            category_id=case.category_id,
            digest=case.digest,
        )
        for place, case in new.items()
    )
    pairs = zip(made, new.values(), strict=True)
    rows = ((row.pk, project.pk, word) for row, case in pairs for word in case.words)
    insert_rows(CaseWord, ("case", "project", "word"), rows)


def note(as_of: dict[int, datetime]) -> None:
    IndexedAnswer.objects.bulk_create(
        [IndexedAnswer(gold_id=pk, as_of=at) for pk, at in as_of.items()],
        update_conflicts=True,
        unique_fields=["gold"],
        update_fields=["as_of"],
    )
