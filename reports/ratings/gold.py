"""The gold export of ratings: one pair or single response a line, as formats/rating_gold.py declares it.

A generator of bytes that reads by ranges, as that of error spans does: one batch in memory at any size, no model
instance of texts or ratings built. The file begins with what is needed to read it back: the rule of its gold, question
types, templates. Answers to checks say something of raters alone and are not in it.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any, NamedTuple, NotRequired, TypedDict
from uuid import UUID

from django.db.models import Exists, Min, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from annotation.consensus import ConsensusAnswer, RatedAnswer, Rule, as_number, consensus_of, latest_rounds
from annotation.fitted_rules import fitted_rule
from annotation.importing.gold_questions import QuestionBook, question_line, template_line
from annotation.importing.rating_gold import gold_of_pair, gold_of_response
from annotation.models import Rating
from benchmark.held_back import canary_of
from formats import rating_gold
from formats.format import encode
from formats.problems import ProblemLog
from formats.rating_gold import VERSION as FORMAT
from judging.engine.purposes import of_evaluation
from projects.laboratories import laboratory_slug
from projects.models import Project, PromptTemplate, RaterKind, Response, ResponsePair
from reports.gold.lines import RaterRow, batches, columns_of, doubt, free_form, marked, rater_rows, unsure_of

BATCH = 200


class PromptEntry(TypedDict):
    """What a line says of the prompt, as formats/rating_gold.py declares it."""

    prompt_id: str
    prompt: str
    prompt_sha256: str
    prompt_variety: str
    variety: str
    task: str
    domain: str
    question: str | None
    template: str | None


class PromptRow(NamedTuple):
    prompt_id: str
    prompt: str
    prompt_sha256: str
    prompt_variety: str
    variety: str
    task: str
    domain: str
    question: str | None
    template: str | None

    def entry(self) -> PromptEntry:
        return {
            "prompt_id": self.prompt_id,
            "prompt": self.prompt,
            "prompt_sha256": self.prompt_sha256,
            "prompt_variety": self.prompt_variety,
            "variety": self.variety,
            "task": self.task,
            "domain": self.domain,
            "question": self.question,
            "template": self.template,
        }


PROMPT_COLUMNS = columns_of(
    PromptRow,
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


class SideRow(NamedTuple):
    id: str
    model: str
    laboratory: str
    response: str
    response_sha256: str
    metadata: str
    canary: UUID | None

    def entry(self) -> rating_gold.Side:
        return {
            "id": self.id,
            "model": self.model,
            "laboratory": self.laboratory,
            "response": self.response,
            "response_sha256": self.response_sha256,
            "metadata": marked(self.metadata, self.canary),
        }


def side_fields(side: str) -> tuple[Any, ...]:
    """The columns of a `SideRow`; `side` leads to the response, "" where it is the row itself."""
    model = f"{side}target_model__"
    return (
        f"{side}key",
        f"{model}name",
        laboratory_slug(model.removesuffix("__")),
        f"{side}text",
        f"{side}text_sha256",
        f"{side.rstrip('_')}_metadata_json".lstrip("_"),
        canary_of(),
    )


class RatingRow(NamedTuple):
    subject: int
    variety: int
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
    probabilities: list[float] | None


def rating_columns(subject: str) -> tuple[str, ...]:
    """The columns of a `RatingRow` about a pair or a response."""
    return columns_of(
        RatingRow,
        subject=f"{subject}_id",
        variety=f"{subject}__variety_id",
        question="question__slug",
        rater="rater_id",
        first="first_grade",
        second="second_grade",
        metadata="metadata_json",
    )


class Study(NamedTuple):
    """What all lines share: as much as there are raters and question types."""

    rule: Rule
    raters: dict[int, RaterRow]
    questions: dict[str, int]  # place in the order of question types
    scales: dict[str, tuple[int, int] | None]


def ratings_of(subject: str, outer: str = "pk") -> QuerySet[Rating]:
    return for_gold(Rating.objects.filter(**{subject: OuterRef(outer)}))


def for_gold(ratings: QuerySet[Rating]) -> QuerySet[Rating]:
    """Those that stand in the file: no check of a rater, and no answer of a judge that was asked to be evaluated."""
    return ratings.filter(~of_evaluation(), is_check=False)


def rated_pairs(project: Project) -> QuerySet[ResponsePair]:
    return ResponsePair.objects.filter(Exists(ratings_of("pair")), project=project)


def rated_responses(project: Project) -> QuerySet[Response]:
    """The responses that somebody rated by themselves."""
    return Response.objects.filter(Exists(ratings_of("response")), project=project)


def lines(project: Project) -> Iterator[bytes]:
    """The file as lines of UTF-8 JSON, each with its newline; none where nothing has been rated."""
    if not for_gold(Rating.objects.filter(question__project=project)).exists():
        return
    book = QuestionBook(project, ProblemLog(), Counter())
    study = Study(
        rule=fitted_rule(project),
        raters=rater_rows(project),
        questions={key: place for place, key in enumerate(book.by_slug)},
        scales=book.scales(),
    )
    head: rating_gold.Settings = {"format": FORMAT, "kind": "settings", "gold_rule": study.rule.name}
    yield encode(head)
    for question in book.by_slug.values():
        yield encode(question_line(question))
    for template in templates(project).iterator(chunk_size=BATCH):
        yield encode(template_line(template))
    yield from pair_lines(project, study)
    yield from response_lines(project, study)


def templates(project: Project) -> QuerySet[PromptTemplate]:
    """Templates of which a prompt has been answered by responses that are rated, in the order they came."""
    of_pairs = rated_pairs(project).filter(prompt__template=OuterRef("pk"))
    of_responses = rated_responses(project).filter(prompt__template=OuterRef("pk"))
    rated = PromptTemplate.objects.filter(Exists(of_pairs) | Exists(of_responses), project=project)
    return rated.select_related("question").order_by("id")


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
            prompt, first, second = PromptRow(*rest[:9]), SideRow(*rest[9:16]), SideRow(*rest[16:])
            line: rating_gold.Pair = {
                "format": FORMAT,
                "kind": "pair",
                "id": key,
                **prompt.entry(),
                "first": first.entry(),
                "second": second.entry(),
                **doubt(answers.unsure.get(pk, 0)),
                "gold": [gold_of_pair(question, answer) for question, answer in answers.gold(pk)],
                "ratings": [answers.of_pair(row) for row in answers.in_order(pk)],
            }
            yield encode(line)


# --- Single responses, in the order of their first ratings --------------------------------------------


def response_lines(project: Project, study: Study) -> Iterator[bytes]:
    """Not in the order of their ids: a response that stands in a pair as well is read back with the pair."""
    ratings = for_gold(Rating.objects.filter(response__project=project)).order_by()
    firsts = ratings.values("response_id").annotate(earliest=Min("id")).order_by("earliest")
    ids = firsts.values_list("response_id", flat=True).iterator(chunk_size=10 * BATCH)
    columns = ("id", *PROMPT_COLUMNS, *side_fields(""))
    while batch := list(islice(ids, BATCH)):
        responses = Response.objects.filter(id__in=batch).annotate(metadata_json=Cast("metadata", TextField()))
        rows = {row[0]: row[1:] for row in responses.values_list(*columns)}
        answers = Answers.of("response", batch, study)
        for pk in batch:
            prompt, side = PromptRow(*rows[pk][:9]), SideRow(*rows[pk][9:])
            line: rating_gold.Response = {
                "format": FORMAT,
                "kind": "response",
                "id": side.id,
                **prompt.entry(),
                "model": side.model,
                "laboratory": side.laboratory,
                "response": side.response,
                "response_sha256": side.response_sha256,
                "metadata": marked(side.metadata, side.canary),
                **doubt(answers.unsure.get(pk, 0)),
                "gold": [gold_of_response(question, answer) for question, answer in answers.gold(pk)],
                "ratings": [answers.of_response(row) for row in answers.in_order(pk)],
            }
            yield encode(line)


# --- Ratings ------------------------------------------------------------------------------------------


class Answers(NamedTuple):
    """The ratings of one batch of pairs or of responses, and the gold that people's make."""

    subject: str
    study: Study
    rows: dict[int, list[RatingRow]]
    consensus: dict[tuple[int, str], ConsensusAnswer]
    unsure: dict[int, int]

    @classmethod
    def of(cls, subject: str, ids: Collection[int], study: Study) -> "Answers":
        """Two statements, whatever the number of them."""
        given = for_gold(Rating.objects.filter(**{f"{subject}__in": ids}))
        ratings = given.annotate(metadata_json=Cast("metadata", TextField()))
        rows: dict[int, list[RatingRow]] = defaultdict(list)
        for columns in ratings.values_list(*rating_columns(subject)):
            row = RatingRow(*columns)
            rows[row.subject].append(row)
        by_people = [
            row for of_subject in rows.values() for row in of_subject if study.raters[row.rater].kind == RaterKind.HUMAN
        ]
        answers = (
            RatedAnswer(
                row.subject,
                row.question,
                row.first,
                row.second,
                row.preference,
                study.raters[row.rater].is_expert,
                row.rater,
                row.variety,
            )
            for row in latest_rounds(by_people, lambda row: ((row.subject, row.question, row.rater), row.round))
        )
        return cls(subject, study, rows, consensus_of(answers, study.rule, study.scales), unsure_of(given, subject))

    def gold(self, subject: int) -> list[tuple[str, ConsensusAnswer]]:
        """By question type, in their order: of every one on which people have rated it."""
        return [
            (question, self.consensus[subject, question])
            for question in self.study.questions
            if (subject, question) in self.consensus
        ]

    def in_order(self, subject: int) -> list[RatingRow]:
        """All ratings: by question type, people before judges, by pseudonym, round and order."""
        return sorted(self.rows[subject], key=self._place)

    def _place(self, row: RatingRow) -> tuple:
        rater = self.study.raters[row.rater]
        return (self.study.questions[row.question], rater.kind, rater.pseudonym, row.round, row.is_swapped)

    def of_pair(self, row: RatingRow) -> rating_gold.RatingOfPair:
        rater = self.study.raters[row.rater]
        return {
            "question": row.question,
            "rater": rater.pseudonym,
            "rater_kind": rater.kind,
            "expert": rater.is_expert,
            **rater.entry,
            "round": row.round,
            "swapped": row.is_swapped,
            "both_orders": row.is_of_both_orders,
            "first": as_number(row.first),
            "second": as_number(row.second),
            "preference": row.preference,
            "unparseable": row.is_unparseable,
            "comment": row.comment,
            "metadata": free_form(row.metadata),
            **chances_of(row),
            "rated_at": row.created_at,
        }

    def of_response(self, row: RatingRow) -> rating_gold.RatingOfResponse:
        rater = self.study.raters[row.rater]
        return {
            "question": row.question,
            "rater": rater.pseudonym,
            "rater_kind": rater.kind,
            "expert": rater.is_expert,
            **rater.entry,
            "round": row.round,
            "grade": as_number(row.first),
            "unparseable": row.is_unparseable,
            "comment": row.comment,
            "metadata": free_form(row.metadata),
            **chances_of(row),
            "rated_at": row.created_at,
        }


class Chances(TypedDict):
    """What a line has beside where its judge gave probabilities."""

    probabilities: NotRequired[list[float]]


def chances_of(row: RatingRow) -> Chances:
    return {"probabilities": [as_number(one) or 0 for one in row.probabilities]} if row.probabilities else {}
