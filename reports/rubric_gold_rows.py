"""What the lines of a gold file of rubrics are made of, read from the database by ranges of id.

Rows are plain tuples, a batch of responses at a time: no model instance is built, and free JSON stays the text it is.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple, cast

from django.db.models import Exists, F, Min, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast, Coalesce

from formats.rubric_gold import Verdict as VerdictEntry
from formats.vocabulary import Explicitness, FailureType, GradeRole, Objectivity, RaterKind, Scope, VerdictValue
from judging.models import ANSWERED, Call
from projects.models import Project, Rater, Response
from rubrics.models import Criterion, Grade, Rubric, Verdict
from workflow.models import Assignment

FIRST_BATCH, BATCH = 25, 200


class ResponseRow(NamedTuple):
    id: int
    key: str
    prompt_id: int
    prompt_key: str
    prompt: str
    prompt_sha256: str
    prompt_variety: str
    variety: str
    model: str
    laboratory: str
    text: str
    text_sha256: str
    task: str
    domain: str
    metadata: str
    collected_at: Any
    first_shown_at: Any


RESPONSE_FIELDS = (
    "id",
    "key",
    "prompt_id",
    "prompt__key",
    "prompt__text",
    "prompt__text_sha256",
    "prompt__variety__tag",
    "variety__tag",
    "target_model__name",
    "target_model__laboratory__slug",
    "text",
    "text_sha256",
    "prompt__task",
    "prompt__domain",
    "metadata_json",
    "collected_at",
    "imported_order__first_shown_at",
)


class RubricRow(NamedTuple):
    id: int
    prompt_id: int
    version: int
    scope: Scope
    gold_answer: str
    author: str
    reviewed_by: str | None
    difficulty: str
    accepted_findings: str
    metadata: str
    frozen_at: Any
    sha256: str


class CriterionRow(NamedTuple):
    rubric_id: int
    response_id: int | None
    grade_id: int | None
    key: str
    text: str
    weight: int
    band: str | None
    band_name: str | None
    band_lowest: int | None
    band_highest: int | None
    objectivity: Objectivity
    explicitness: Explicitness
    failure_type: FailureType
    start: int | None
    end: int | None
    quote: str


CRITERION_FIELDS = (
    "rubric_id",
    "response_id",
    "grade_id",
    "key",
    "text",
    "weight",
    "band__slug",
    "band__name",
    "band__lowest",
    "band__highest",
    "objectivity",
    "explicitness",
    "failure_type",
    "start",
    "end",
    "quote",
)


class GradeRow(NamedTuple):
    id: int
    response_id: int
    rubric_id: int
    rater_id: int
    role: GradeRole
    round: int
    raw: int | None
    maximum: int | None
    is_complete: bool
    comment: str
    metadata: str
    created_at: Any


class RaterRow(NamedTuple):
    pseudonym: str
    kind: RaterKind
    name: str
    model: str
    laboratory: str | None
    is_simulated: bool
    varieties: list[str]


class Batch(NamedTuple):
    """Everything that the lines of one batch of responses are made of."""

    rubrics: dict[int, list[RubricRow]]  # by prompt, newest first
    positive: dict[int, list[CriterionRow]]  # by rubric
    grades: dict[tuple[int, int], list[GradeRow]]  # by response and rubric
    own: dict[int, list[CriterionRow]]  # by grade: the errors that it names
    verdicts: dict[int, list[VerdictEntry]]  # by grade, on criteria that were there before it
    words: dict[tuple[int, str], str]  # by grade and key: what its grader says of an error of their own
    prompt_versions: dict[tuple[int, int, int], str]  # by response, rater and round
    first_shown: dict[int, Any]  # by response


def graded(project: Project) -> QuerySet[Response]:
    """The responses somebody has graded under a rubric."""
    return Response.objects.filter(Exists(Grade.objects.filter(response=OuterRef("pk"))), project=project)


def graded_rows(project: Project) -> Iterator[list[ResponseRow]]:
    """The graded responses in the order they were imported, in batches; the first one small, to be sent soon."""
    responses = graded(project).order_by("id")
    responses = responses.annotate(
        metadata_json=Cast("metadata", TextField()),
        collected_at=Coalesce("imported_order__collected_at", "created_at"),
    )
    last, size = 0, FIRST_BATCH
    while found := list(responses.filter(id__gt=last).values_list(*RESPONSE_FIELDS)[:size]):
        rows = [ResponseRow(*row) for row in found]
        yield rows
        last, size = rows[-1].id, BATCH


def rater_rows(project: Project) -> dict[int, RaterRow]:
    """All raters of the project: there are as many as people, so they are read once."""
    spoken: dict[int, list[str]] = defaultdict(list)
    links = Rater.varieties.through.objects.filter(rater__project=project)
    for rater, tag in links.values_list("rater_id", "languagevariety__tag").order_by("languagevariety__tag"):
        spoken[rater].append(tag)
    rows = Rater.objects.filter(project=project).values_list(
        "id", "pseudonym", "kind", "name", "model", "laboratory__slug", "is_simulated"
    )
    return {row[0]: RaterRow._make((*row[1:], spoken[row[0]])) for row in rows}


def read_batch(responses: Collection[int], prompts: Collection[int]) -> Batch:
    """Eight statements, whatever the number of responses."""
    rubrics: dict[int, list[RubricRow]] = defaultdict(list)
    for rubric in _rubrics(prompts):
        rubrics[rubric.prompt_id].append(rubric)
    positive: dict[int, list[CriterionRow]] = defaultdict(list)
    own: dict[int, list[CriterionRow]] = defaultdict(list)
    of_rubrics = Criterion.objects.filter(rubric__prompt__in=prompts, weight__gt=0)
    of_responses = Criterion.objects.filter(response__in=responses)
    for criteria in (of_rubrics, of_responses):
        for row in criteria.order_by("position", "key").values_list(*CRITERION_FIELDS):
            criterion = CriterionRow(*row)
            if criterion.grade_id is None:
                positive[criterion.rubric_id].append(criterion)
            else:
                own[criterion.grade_id].append(criterion)
    verdicts, words = _verdicts(responses)
    return Batch(
        rubrics=rubrics,
        positive=positive,
        grades=_grades(responses),
        own=own,
        verdicts=verdicts,
        words=words,
        prompt_versions=_prompt_versions(responses),
        first_shown=_first_shown(responses),
    )


def _rubrics(prompts: Collection[int]) -> Iterator[RubricRow]:
    rubrics = Rubric.objects.filter(prompt__in=prompts, frozen_at__isnull=False).order_by("prompt_id", "-version")
    rows = rubrics.annotate(
        difficulty_json=Cast("difficulty", TextField()),
        findings_json=Cast("accepted_findings", TextField()),
        metadata_json=Cast("metadata", TextField()),
    ).values_list(
        "id",
        "prompt_id",
        "version",
        "scope",
        "gold_answer",
        "author__pseudonym",
        "reviewed_by__pseudonym",
        "difficulty_json",
        "findings_json",
        "metadata_json",
        "frozen_at",
        "sha256",
    )
    return map(RubricRow._make, rows)


def _grades(responses: Collection[int]) -> dict[tuple[int, int], list[GradeRow]]:
    rows = (
        Grade.objects.filter(response__in=responses)
        .annotate(metadata_json=Cast("metadata", TextField()))
        .values_list(
            "id",
            "response_id",
            "rubric_id",
            "rater_id",
            "role",
            "round",
            "raw",
            "maximum",
            "is_complete",
            "comment",
            "metadata_json",
            "created_at",
        )
    )
    grades: dict[tuple[int, int], list[GradeRow]] = defaultdict(list)
    for row in map(GradeRow._make, rows):
        grades[row.response_id, row.rubric_id].append(row)
    return grades


def _verdicts(responses: Collection[int]) -> tuple[dict[int, list[VerdictEntry]], dict[tuple[int, str], str]]:
    verdicts: dict[int, list[VerdictEntry]] = defaultdict(list)
    words: dict[tuple[int, str], str] = {}
    # Positive criteria first: they belong to no grade.
    order = (F("criterion__grade_id").asc(nulls_first=True), "criterion__position", "criterion__key")
    rows = Verdict.objects.filter(grade__response__in=responses).order_by(*order)
    for grade, key, of_grade, value, justification in rows.values_list(
        "grade_id", "criterion__key", "criterion__grade_id", "value", "justification"
    ):
        if of_grade == grade:
            words[grade, key] = justification
        else:
            known = cast(VerdictValue, value)
            verdicts[grade].append({"criterion": key, "value": known, "justification": justification})
    return verdicts, words


def _prompt_versions(responses: Collection[int]) -> dict[tuple[int, int, int], str]:
    calls = Call.objects.filter(response__in=responses, state__in=ANSWERED).order_by("id")
    rows = calls.values_list(
        "response_id", "judge__rater_id", "round", "prompt_version__name", "prompt_version__version"
    )
    return {(response, rater, number): f"{name} {version}" for response, rater, number, name, version in rows}


def _first_shown(responses: Collection[int]) -> dict[int, Any]:
    turns = Assignment.objects.filter(item__response__in=responses, claimed_at__isnull=False)
    return dict(turns.order_by().values_list("item__response_id").annotate(Min("claimed_at")))
