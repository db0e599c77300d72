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

from annotation.casebook.filters import OUTCOME, TYPE, label
from annotation.casebook.words import words_of
from annotation.models import ERRORS, CaseLabel, CaseWord, GoldAnswer, GoldError, IndexedAnswer, SettledCase
from annotation.outcomes import KEPT, REJECTED, cases
from projects.held_back import canary_of
from projects.insertion import insert_rows
from projects.models import Project, Response

AT_ONCE = 200
# So many characters of a digest say which words it is of.
OF_WORDS = 32


class Place(NamedTuple):
    """A case by what it is about: an error by its response, its key, and whether it was kept. Of a case about a pair
    `response_id` is the pair's first; it is 0 of one about a prompt."""

    response_id: int
    key: str
    is_kept: bool = True
    kind: str = ERRORS
    pair_id: int | None = None
    prompt_id: int | None = None


class Wanted(NamedTuple):
    variety_id: int
    category_id: int | None
    words: tuple[str, ...]
    # What it is filed under (annotation/casebook/filters.py), each once.
    labels: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Of its words, and behind that of its labels: so one can change without the other."""
        return short_digest(str(self.variety_id), *self.words) + short_digest(*self.labels)


def short_digest(*texts: str) -> str:
    return sha256("\n".join(texts).encode()).hexdigest()[:OF_WORDS]


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

    def add(place: Place, category: int | None, error_type: str, *texts: str) -> None:
        variety, language = written_in[place.response_id]
        labels = (*(label(TYPE, each) for each in (error_type,) if each), label(OUTCOME, outcome_of(place)))
        found[place] = Wanted(variety, category, tuple(words_of("\n".join(texts), language)), labels)

    errors = GoldError.objects.filter(response__in=list(written_in))
    for response, key, category, error_type, quote, explanation in errors.values_list(
        "response_id", "key", "category_id", "error_type", "quote", "explanation"
    ):
        add(Place(response, key, True), category, error_type, quote, explanation)
    for case in cases(list(written_in)):
        span = case.span
        if case.outcome == REJECTED:
            place = Place(span.response_id, span.key, False)
            add(place, span.category_id, span.error_type, span.quote, span.explanation)
    return found


def outcome_of(place: Place) -> str:
    return KEPT if place.is_kept else REJECTED


def write(project: Project, there: QuerySet[SettledCase], wanted: dict[Place, Wanted]) -> None:
    """Write what differs from the cases that stand there. In a transaction."""
    columns = ("about", "key", "is_kept", "kind", "pair_id", "prompt_id", "pk", "digest", "category_id")
    found = there.annotate(about=Coalesce("gold_id", "response_id", 0)).values_list(*columns)
    standing = {Place(*row[:6]): row[6:] for row in found}
    before = {place: digest for place, (_pk, digest, _category) in standing.items()}
    new = {place: case for place, case in wanted.items() if before.get(place, "")[:OF_WORDS] != case.digest[:OF_WORDS]}
    gone = [row[0] for place, row in standing.items() if place in new or place not in wanted]
    CaseWord.objects.filter(case__in=gone).delete()
    CaseLabel.objects.filter(case__in=gone).delete()
    SettledCase.objects.filter(pk__in=gone).delete()
    relabelled = [place for place in wanted if place not in new and before[place] != wanted[place].digest]
    moved: dict[int | None, list[int]] = defaultdict(list)
    for place, (pk, _digest, category_before) in standing.items():
        if place in wanted and place not in new and wanted[place].category_id != category_before:
            moved[wanted[place].category_id].append(pk)
    for category, pks in moved.items():
        SettledCase.objects.filter(pk__in=pks).update(category=category)
    made = SettledCase.objects.bulk_create(
        SettledCase(
            project=project,
            kind=place.kind,
            gold_id=place.response_id if place.kind == ERRORS else None,
            response_id=None if place.kind == ERRORS else place.response_id or None,
            pair_id=place.pair_id,
            prompt_id=place.prompt_id,
            key=place.key,
            is_kept=place.is_kept,
            variety_id=case.variety_id,
            category_id=case.category_id,
            digest=case.digest,
        )
        for place, case in new.items()
    )
    pairs = list(zip(made, new.values(), strict=True))
    of_words = ((row.pk, project.pk, word) for row, case in pairs for word in case.words)
    insert_rows(CaseWord, ("case", "project", "word"), of_words)
    labelled = [(row.pk, case) for row, case in pairs]
    labelled += [(standing[place][0], wanted[place]) for place in relabelled]
    relabel(project, [standing[place][0] for place in relabelled], labelled)


def relabel(project: Project, before: Sequence[int], cases: Sequence[tuple[int, Wanted]]) -> None:
    """File these cases under their labels; those that stood there `before` under nothing else."""
    CaseLabel.objects.filter(case__in=before).delete()
    chosen = set(before)
    rows = [SettledCase(pk=pk, digest=case.digest) for pk, case in cases if pk in chosen]
    SettledCase.objects.bulk_update(rows, ["digest"])
    of_labels = ((pk, project.pk, each) for pk, case in cases for each in case.labels)
    insert_rows(CaseLabel, ("case", "project", "label"), of_labels)


def note(as_of: dict[int, datetime]) -> None:
    IndexedAnswer.objects.bulk_create(
        [IndexedAnswer(gold_id=pk, as_of=at) for pk, at in as_of.items()],
        update_conflicts=True,
        unique_fields=["gold"],
        update_fields=["as_of"],
    )
