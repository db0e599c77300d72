"""What a request asks of the case book: read leniently, for a reader types it."""

import uuid
from collections.abc import Mapping
from typing import Any

from annotation.casebook.filters import CATEGORY, chosen, filters_of, label
from annotation.casebook.finding import Reader, Search, shown_to
from annotation.casebook.reading import text_of_answer
from annotation.casebook.words import MOST_OF_CASE, words_of
from annotation.models import CaseWord, ErrorCategory, SettledCase
from projects.models import LanguageVariety
from workflow.models import Assignment, Status

MOST_TYPED = 200


def asked_for(reader: Reader, said: Mapping[str, Any]) -> Search:
    """`q` words, `language` a tag, a value of each filter that the reader is offered, and one of `case` (the number of
    a case) and `answer` (the UUID of an answer of one's own) that others are to be like; `beside` is such an answer
    where no words are typed, and where nothing is like it, whatever the filters leave will do. What is unknown, or not
    to be seen, asks for nothing."""
    values = {each.name: chosen(each, said) for each in filters_of(reader) if said.get(each.name)}
    category = None
    if slug := values.pop(CATEGORY, ""):
        category = ErrorCategory.objects.filter(project=reader.project, slug=slug).values_list("pk", flat=True).first()
    labels = tuple(label(name, value) for name, value in values.items() if value)
    variety = None
    if tag := str(said.get("language") or "").replace("\0", ""):
        variety = LanguageVariety.objects.filter(tag=tag).values_list("pk", flat=True).first()
    first = frozenset(reader.rater.varieties.values_list("pk", flat=True)) if reader.rater else frozenset()
    words = str(said.get("q") or "").replace("\0", "").strip()[:MOST_TYPED]
    like, of_like, but = comes_from(reader, said, "" if words else said.get("beside"))
    first = frozenset({of_like}) if of_like else first
    or_any = bool(said.get("beside") and (category or labels))
    return Search(words, category, variety, tuple(like), first, but, labels, or_any)


def comes_from(reader: Reader, said: Mapping[str, Any], beside: Any) -> tuple[list[str], int | None, int | None]:
    """The words of the case or answer that others are to be like, its variety, and the case itself."""
    number = str(said.get("case") or "")
    if number.isascii() and number.isdigit() and len(number) < 19 and shown_to(reader, [int(number)]):
        case = SettledCase.objects.get(pk=int(number))
        words = CaseWord.objects.filter(case=case).order_by("pk").values_list("word", flat=True)
        return list(words[:MOST_OF_CASE]), case.variety_id, case.pk
    if (turn := own_answer(reader, said.get("answer") or beside)) is not None:
        variety = turn.item.variety
        return words_of(text_of_answer(turn), variety.language), variety.pk, None
    return [], None, None


def own_answer(reader: Reader, key: Any) -> Assignment | None:
    """An answer that the reader has handed in; None where it is none."""
    try:
        turns = Assignment.objects.filter(uuid=uuid.UUID(str(key)), status=Status.SUBMITTED, rater=reader.rater)
    except ValueError:
        return None
    return (
        turns.select_related("item__response", "item__pair__first", "item__pair__second", "item__variety").first()
        if reader.rater
        else None
    )
