"""The gold export of ratings: one pair or single response a line, as formats/rating_gold.py declares it.

A generator of bytes that reads by ranges, as that of error spans does: one batch in memory at any size, no model
instance of texts or ratings built. The file begins with what is needed to read it back: the rule of its gold, question
types, templates. Answers to checks say something of raters alone and are not in it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import Exists, Min, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from annotation.importing.gold_questions import QuestionBook, question_entry, template_entry
from annotation.importing.rating_gold import gold_entry, rule_of
from annotation.models import Rating
from annotation.settling import Said, Settled, as_number, settle
from formats.format import encode
from formats.problems import ProblemLog
from formats.rating_gold import VERSION as FORMAT
from projects.models import Project, PromptTemplate, RaterKind, Response, ResponsePair
from reports.gold.lines import RaterRow, batches, columns_of, free_form, rater_rows

BATCH = 200


class Prompted(NamedTuple):
    """What a line says of the prompt."""

    prompt_id: str
    prompt: str
    prompt_sha256: str
    prompt_variety: str
    variety: str
    task: str
    domain: str
    question: str | None
    template: str | None


PROMPT_COLUMNS = columns_of(
    Prompted,
    prompt_id="prompt__key",
    prompt="prompt__text",
    prompt_sha256="prompt__text_sha256",
    prompt_variety="prompt__variety__tag",
    variety="variety__tag",
    task="prompt__task",
    domain="prompt__domain",
    question="prompt__question__slug",
    template="prompt__template__key",
)


class Side(NamedTuple):
    id: str
    model: str
    laboratory: str
    response: str
    response_sha256: str
    metadata: str


def side_fields(side: str) -> tuple[str, ...]:
    """The columns of a `Side`; `side` leads to the response, "" where it is the row itself."""
    model = f"{side}target_model__"
    return (
        f"{side}key",
        f"{model}name",
        f"{model}laboratory__slug",
        f"{side}text",
        f"{side}text_sha256",
        f"{side.rstrip('_')}_metadata_json".lstrip("_"),
    )


class RatingRow(NamedTuple):
    subject: int
    question: str
    rater: int
    round: int
    is_swapped: bool
    is_of_both_orders: bool
    first: float | None
    second: float | None
    preference: str
    is_unparseable: bool
    comment: str
    metadata: str
    created_at: Any


def rating_columns(subject: str) -> tuple[str, ...]:
    """The columns of a `RatingRow` about a pair or a response."""
    return columns_of(
        RatingRow,
        subject=f"{subject}_id",
        question="question__slug",
        rater="rater_id",
        first="first_grade",
        second="second_grade",
        metadata="metadata_json",
    )


class Study(NamedTuple):
    """What all lines share: as much as there are raters and question types."""

    rule: str
    raters: dict[int, RaterRow]
    questions: dict[str, int]  # place in the order of question types
    scales: dict[str, tuple[int, int] | None]


def ratings_of(subject: str, outer: str = "pk") -> QuerySet[Rating]:
    return Rating.objects.filter(**{subject: OuterRef(outer)}, is_check=False)


def rated_pairs(project: Project) -> QuerySet[ResponsePair]:
    return ResponsePair.objects.filter(Exists(ratings_of("pair")), project=project)


def rated_responses(project: Project) -> QuerySet[Response]:
    """The responses that somebody rated by themselves."""
    return Response.objects.filter(Exists(ratings_of("response")), project=project)


def lines(project: Project) -> Iterator[bytes]:
    """The file as lines of UTF-8 JSON, each with its newline; none where nothing has been rated."""
    if not Rating.objects.filter(question__project=project, is_check=False).exists():
        return
    book = QuestionBook(project, ProblemLog(), Counter())
    study = Study(
        rule=rule_of(project),
        raters=rater_rows(project),
        questions={key: place for place, key in enumerate(book.by_slug)},
        scales=book.scales(),
    )
    yield encode({"format": FORMAT, "kind": "settings", "gold_rule": study.rule})
    for question in book.by_slug.values():
        yield encode({"format": FORMAT, "kind": "question", **question_entry(question)})
    for template in templates(project).iterator(chunk_size=BATCH):
        yield encode({"format": FORMAT, "kind": "template", **template_entry(template)})
    yield from pair_lines(project, study)
    yield from response_lines(project, study)


def templates(project: Project) -> QuerySet[PromptTemplate]:
    """Templates of which a prompt has been answered by responses that are rated, in the order they came."""
    of_pairs = rated_pairs(project).filter(prompt__template=OuterRef("pk"))
    of_responses = rated_responses(project).filter(prompt__template=OuterRef("pk"))
    found = PromptTemplate.objects.filter(Exists(of_pairs) | Exists(of_responses), project=project)
    return found.select_related("question").order_by("id")


# --- Pairs, in the order they came --------------------------------------------------------------------


def pair_lines(project: Project, study: Study) -> Iterator[bytes]:
    pairs = rated_pairs(project).annotate(
        first_metadata_json=Cast("first__metadata", TextField()),
        second_metadata_json=Cast("second__metadata", TextField()),
    )
    columns = ("id", "key", *PROMPT_COLUMNS, *side_fields("first__"), *side_fields("second__"))
    for batch in batches(pairs, columns, BATCH):
        answers = Answers.of("pair", [row[0] for row in batch], study)
        for pk, key, *rest in batch:
            prompt, first, second = Prompted(*rest[:9]), Side(*rest[9:15]), Side(*rest[15:])
            yield encode(
                {
                    "format": FORMAT,
                    "kind": "pair",
                    "id": key,
                    **prompt._asdict(),
                    "first": side_entry(first),
                    "second": side_entry(second),
                    "gold": answers.gold(pk),
                    "ratings": answers.entries(pk),
                }
            )


# --- Single responses, in the order of their first ratings --------------------------------------------


def response_lines(project: Project, study: Study) -> Iterator[bytes]:
    """Not in the order of their ids: a response that stands in a pair as well is read back with the pair."""
    ratings = Rating.objects.filter(response__project=project, is_check=False).order_by()
    firsts = ratings.values("response_id").annotate(earliest=Min("id")).order_by("earliest")
    ids = firsts.values_list("response_id", flat=True).iterator(chunk_size=10 * BATCH)
    columns = ("id", *PROMPT_COLUMNS, *side_fields(""))
    while batch := list(islice(ids, BATCH)):
        responses = Response.objects.filter(id__in=batch).annotate(metadata_json=Cast("metadata", TextField()))
        rows = {row[0]: row[1:] for row in responses.values_list(*columns)}
        answers = Answers.of("response", batch, study)
        for pk in batch:
            side = side_entry(Side(*rows[pk][9:]))
            yield encode(
                {
                    "format": FORMAT,
                    "kind": "response",
                    "id": side.pop("id"),
                    **Prompted(*rows[pk][:9])._asdict(),
                    **side,
                    "gold": answers.gold(pk),
                    "ratings": answers.entries(pk),
                }
            )


def side_entry(side: Side) -> dict[str, Any]:
    return {**side._asdict(), "metadata": free_form(side.metadata)}


# --- Ratings ------------------------------------------------------------------------------------------


class Answers(NamedTuple):
    """The ratings of one batch of pairs or of responses, and the gold that people's make."""

    subject: str
    study: Study
    rows: dict[int, list[RatingRow]]
    settled: dict[tuple[int, str], Settled]

    @classmethod
    def of(cls, subject: str, ids: Collection[int], study: Study) -> "Answers":
        """One statement, whatever the number of them."""
        ratings = Rating.objects.filter(**{f"{subject}__in": ids}, is_check=False)
        ratings = ratings.annotate(metadata_json=Cast("metadata", TextField()))
        rows: dict[int, list[RatingRow]] = defaultdict(list)
        for found in ratings.values_list(*rating_columns(subject)):
            row = RatingRow(*found)
            rows[row.subject].append(row)
        people = (row for of_one in rows.values() for row in of_one if study.raters[row.rater].kind == RaterKind.HUMAN)
        said = (
            Said(row.subject, row.question, row.first, row.second, row.preference, study.raters[row.rater].is_expert)
            for row in people
        )
        return cls(subject, study, rows, settle(said, study.rule, study.scales))

    def gold(self, subject: int) -> list[dict]:
        """One entry for every question type on which people have rated it."""
        return [
            gold_entry(question, self.settled[subject, question], self.subject)
            for question in self.study.questions
            if (subject, question) in self.settled
        ]

    def entries(self, subject: int) -> list[dict]:
        """All ratings: by question type, people before judges, by pseudonym, round and order."""
        return [self._entry(row) for row in sorted(self.rows[subject], key=self._place)]

    def _place(self, row: RatingRow) -> tuple:
        rater = self.study.raters[row.rater]
        return (self.study.questions[row.question], rater.kind, rater.pseudonym, row.round, row.is_swapped)

    def _entry(self, row: RatingRow) -> dict[str, Any]:
        rater = self.study.raters[row.rater]
        said: dict[str, Any] = {
            "question": row.question,
            "rater": rater.pseudonym,
            "rater_kind": rater.kind,
            "expert": rater.is_expert,
            **rater.entry(),
            "round": row.round,
        }
        if self.subject == "pair":
            said |= {
                "swapped": row.is_swapped,
                "both_orders": row.is_of_both_orders,
                "first": as_number(row.first),
                "second": as_number(row.second),
                "preference": row.preference,
            }
        else:
            said["grade"] = as_number(row.first)
        return {
            **said,
            "unparseable": row.is_unparseable,
            "comment": row.comment,
            "metadata": free_form(row.metadata),
            "rated_at": row.created_at,
        }
