"""Finding settled cases: by words, by category, or like another text; those in the person's languages first.

How alike two texts are, in plain words: a word that stands in n cases of the project weighs 1 + ln(MOST_COMMON / n);
words of more than MOST_COMMON cases count nothing. Of the text that one comes from the MOST_RARE rarest words are
looked up in the inverted index, and cases stand in the order of the weight of those they share.

Nothing is scanned: a search looks at no more than MOST_LOOKED_AT cases, and at MOST_RARE * MOST_COMMON entries of the
index, however many cases there are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Case, Exists, FloatField, OuterRef, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Coalesce

from annotation.casebook.hiding import hidden
from annotation.casebook.words import asked_words
from annotation.models import CaseLabel, CaseNote, CaseWord, SettledCase
from annotation.taxonomy import replaced, standing_for
from projects.among import Among
from projects.chunks import CHUNK
from projects.held_back import canary_of
from projects.models import Project, Rater

MOST_COMMON = 2_000
MOST_RARE = 12
MOST_WEIGHED = 60
MOST_LOOKED_AT = 1_500
ON_A_PAGE = 20
MOST_PAGES = 20


@dataclass(frozen=True)
class Reader:
    """Who reads. A lead, who reads all answers anyway, is shown what is excluded too; of whoever answers (`rater`)
    what they have still to answer is hidden, lead or not."""

    project: Project
    rater: Rater | None
    is_lead: bool


@dataclass(frozen=True)
class Search:
    """What is looked for. words  as typed; like  folded words of the text one comes from; labels  what the case is
    filed under (annotation/casebook/filters.py), all of them."""

    words: str = ""
    category: int | None = None
    variety: int | None = None
    like: Sequence[str] = ()
    # Varieties that come first.
    first: frozenset[int] = field(default_factory=frozenset)
    # What one comes from is not like itself.
    but: int | None = None
    labels: Sequence[str] = ()
    # Where nothing is like it, whatever else is wanted will do.
    or_any: bool = False

    @property
    def is_narrowed(self) -> bool:
        return bool(self.words or self.category or self.variety or self.labels)


class Found(NamedTuple):
    """A case; of one about a pair `response_id` is the pair's first, of one about a prompt alone it is 0."""

    pk: int
    kind: str
    response_id: int
    pair_id: int | None
    key: str
    prompt_id: int


class Page(NamedTuple):
    """Cases of one page, and whether others come after. `is_cut`: more were found than are looked at."""

    cases: list[Found]
    number: int
    has_next: bool
    is_cut: bool


def search(reader: Reader, wanted: Search, number: int = 1) -> Page:
    """The page of that number. Queries: a handful, and some for each chunk of cases that the person may not see."""
    number = min(max(number, 1), MOST_PAGES)
    looked_at = candidates(reader, wanted)
    needed = number * ON_A_PAGE + 1
    seen: list[Found] = []
    start = 0
    while start < len(looked_at) and len(seen) < needed:
        # Few at first, for most people may see most cases; then as many as a statement takes.
        size = min(CHUNK, max(2 * ON_A_PAGE, 2 * (needed - len(seen))) if start == 0 else CHUNK)
        seen += shown_to(reader, looked_at[start : start + size])
        start += size
    of_page = seen[(number - 1) * ON_A_PAGE : number * ON_A_PAGE]
    has_next = len(seen) >= needed and number < MOST_PAGES
    return Page(of_page, number, has_next, len(looked_at) >= MOST_LOOKED_AT)


def candidates(reader: Reader, wanted: Search) -> list[int]:
    """Ids of at most MOST_LOOKED_AT cases, the first ones first, whoever may see them."""
    if wanted.like:
        weights = weigh(reader.project, wanted.like)
        found = alike(narrowed(reader, wanted), weights, wanted.first) if weights else []
        return found or (candidates(reader, replace(wanted, like=())) if wanted.or_any else [])
    rows, case = matching(reader, wanted)
    variety = "variety__in" if case == "pk" else f"{case}__variety__in"
    ordered = rows.order_by(f"-{case}")
    if wanted.variety or not wanted.first:
        return list(ordered.values_list(case, flat=True)[:MOST_LOOKED_AT])
    own = ordered.filter(**{variety: wanted.first}).values_list(case, flat=True)
    others = ordered.exclude(**{variety: wanted.first}).values_list(case, flat=True)
    found = list(own[:MOST_LOOKED_AT])
    return found + list(others[: MOST_LOOKED_AT - len(found)])


def narrowed(reader: Reader, wanted: Search) -> QuerySet[CaseWord]:
    """Words of the index that stand in cases as wanted. There are few of a word, so each is looked up by its case."""
    among = CaseWord.objects.filter(project=reader.project).exclude(case=wanted.but)
    for label in wanted.labels:
        among = among.filter(filed_under(reader.project, label, "case"))
    if wanted.words or wanted.category or wanted.variety:
        rows, case = matching(reader, replace(wanted, labels=()))
        among = among.filter(case__in=rows.values(case))
    return among


def filed_under(project: Project, label: str, case: str) -> Exists:
    return Exists(CaseLabel.objects.filter(project=project, label=label, case=OuterRef(case)))


def matching(reader: Reader, wanted: Search) -> tuple[QuerySet[Any], str]:
    """Cases as wanted, and the name of their id. Where labels are asked for, it begins at the rarest of them: the index
    has its cases in their order, and of each is looked whether it is of the others."""
    rows: QuerySet[Any] = SettledCase.objects.filter(project=reader.project)
    case = "pk"
    if wanted.labels:
        among = counts(reader.project, wanted.labels, CaseLabel)
        rarest, *others = sorted(wanted.labels, key=lambda label: among[label])
        case = "case"
        rows = CaseLabel.objects.filter(project=reader.project, label=rarest)
        for label in others:
            rows = rows.filter(filed_under(reader.project, label, case))
    of_case = "" if case == "pk" else f"{case}__"
    if wanted.variety:
        rows = rows.filter(**{f"{of_case}variety": wanted.variety})
    if wanted.category:
        categories = sorted(standing_for([wanted.category], replaced(reader.project)))
        rows = rows.filter(**{f"{of_case}category__in": categories})
    if wanted.but:
        rows = rows.exclude(**{case: wanted.but})
    for spellings, is_common in asked(reader.project, wanted.words) if wanted.words else ():
        found = CaseWord.objects.filter(project=reader.project, word__in=sorted(spellings))
        # By a rare word the index says which cases; a common one stands in most of the latest.
        is_in_it = (
            Q(Exists(found.filter(case=OuterRef(case)))) if is_common else Q(**{f"{case}__in": found.values("case")})
        )
        rows = rows.filter(is_in_it)
    return rows, case


def asked(project: Project, words: str) -> list[tuple[set[str], bool]]:
    """Of each word that is looked for its spellings in the index, and whether they stand in many cases."""
    languages = set(project.varieties.values_list("variety__language", flat=True))
    if not languages:
        rows = SettledCase.objects.filter(project=project).order_by()
        languages = set(rows.values_list("variety__language", flat=True).distinct())
    of_words = asked_words(words, languages)
    among = counts(project, sorted(set().union(*of_words)))
    return [(spellings, sum(among[word] for word in spellings) > MOST_COMMON) for spellings in of_words]


def alike(among: QuerySet[CaseWord], weights: dict[str, float], first: frozenset[int]) -> list[int]:
    """By the weight of shared words, in the first varieties before all others; of equals the latest."""
    weight = Case(*(When(word=word, then=Value(value)) for word, value in weights.items()), output_field=FloatField())
    shared = among.filter(word__in=list(weights))
    scored = shared.values_list("case", "case__variety").annotate(score=Sum(weight)).order_by("-score", "-case")
    best = list(scored[:MOST_LOOKED_AT])
    return [case for case, variety, _score in sorted(best, key=lambda row: row[1] not in first)]


def weigh(project: Project, words: Sequence[str]) -> dict[str, float]:
    """The weights of the rarest of these words that stand in any case."""
    among = counts(project, words[:MOST_WEIGHED])
    rare = sorted((n, word) for word, n in among.items() if 0 < n <= MOST_COMMON)[:MOST_RARE]
    return {word: 1 + math.log(MOST_COMMON / n) for n, word in rare}


def counts(
    project: Project, words: Sequence[str], index: type[CaseWord] | type[CaseLabel] = CaseWord
) -> dict[str, int]:
    """In how many cases of the project each word, or label, stands, counted to MOST_COMMON + 1. One statement."""
    if not words:
        return {}
    table = connection.ops.quote_name(index._meta.db_table)
    column = "word" if index is CaseWord else "label"
    one = f"(SELECT COUNT(*) FROM (SELECT 1 FROM {table} WHERE project_id = %s AND {column} = %s LIMIT %s) AS counted)"
    values = [value for word in words for value in (project.pk, word, MOST_COMMON + 1)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join([one] * len(words))}", values)
        return dict(zip(words, cursor.fetchone(), strict=True))


def shown_to(reader: Reader, pks: Sequence[int]) -> list[Found]:
    """Those of a chunk of cases that the reader may see, in this order."""
    rows = SettledCase.objects.filter(pk__in=Among(pks), project=reader.project)
    rows = rows.annotate(about=Coalesce("gold_id", "response_id", 0), of_pair=Coalesce("pair_id", 0))
    if not reader.is_lead:
        place = {name: OuterRef(name) for name in ("kind", "key", "is_kept", "of_pair")}
        excluded = CaseNote.objects.annotate(of_pair=Coalesce("pair_id", 0)).filter(is_excluded=True, **place)
        subject = Q(response=OuterRef("about")) | Q(prompt=OuterRef("prompt_id"))
        rows = rows.filter(~Exists(excluded.filter(subject)))
    rows = rows.annotate(
        of_prompt=Coalesce("gold__response__prompt_id", "response__prompt_id", "prompt_id"),
        canary_of_gold=canary_of("gold__response__prompt"),
        canary_of_response=canary_of("response__prompt"),
        canary=canary_of("prompt"),
    )
    canaries = ("canary_of_gold", "canary_of_response", "canary")
    columns = ("pk", "kind", "about", "pair_id", "key", "of_prompt")
    read = rows.values_list(*columns, *canaries)
    found = {row[0]: Found(*row[:6]) for row in read if set(row[6:]) == {None}}
    away = hidden(reader.rater, {each.prompt_id for each in found.values()}) if reader.rater and found else set()
    return [found[pk] for pk in pks if pk in found and found[pk].prompt_id not in away]


def examples(reader: Reader) -> list[Found]:
    """The cases that a lead has put forward, the latest first, as far as the reader may see them; at most ON_A_PAGE of
    the latest CHUNK are looked at."""
    of_project = Q(response__project=reader.project) | Q(prompt__project=reader.project)
    notes = CaseNote.objects.filter(of_project, is_excluded=False).order_by("-pk")[:CHUNK]
    place = ("kind", "about", "pair_id", "prompt_id", "key", "is_kept")
    places = list(notes.annotate(about=Coalesce("response_id", 0)).values_list(*place))
    responses, prompts = [each[1] for each in places if each[1]], [each[3] for each in places if each[3]]
    rows = SettledCase.objects.filter(Q(gold__in=responses) | Q(response__in=responses) | Q(prompt__in=prompts))
    rows = rows.annotate(about=Coalesce("gold_id", "response_id", 0))
    columns = ("pk", *place)
    by_place = {row[1:]: row[0] for row in rows.values_list(*columns)}
    return shown_to(reader, [by_place[place] for place in places if place in by_place])[:ON_A_PAGE]
