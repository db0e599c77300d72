"""What the lines of a gold file of rubrics are made of, read from the database by ranges of id.

Rows are plain tuples, a batch of responses at a time: no model instance is built, and free JSON stays the text it is.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from django.db.models import Exists, F, Min, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast, Coalesce

from formats.rubric_gold import Verdict as VerdictEntry
from judging.engine.purposes import of_evaluation
from judging.models import ANSWERED, Call
from projects.models import Project, Rater, Response
from reports.gold.lines import TEXT_COLUMNS, TextRow, batches, columns_of, unsure_of
from rubrics.models import Criterion, Grade, Rubric, Verdict
from workflow.models import Assignment

BATCH = 200


class ResponseRow(NamedTuple):
    texts: TextRow
    prompt_id: int
    collected_at: Any
    first_shown_at: Any


LINE_COLUMNS = (*TEXT_COLUMNS, "prompt_id", "collected_at", "imported_order__first_shown_at")


class RubricRow(NamedTuple):
    id: int
    prompt_id: int
    version: int
    scope: str
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
    objectivity: str
    explicitness: str
    tags: list[str]
    failure_type: str
    start: int | None
    end: int | None
    quote: str


CRITERION_COLUMNS = columns_of(
    CriterionRow, band="band__slug", band_name="band__name", band_lowest="band__lowest", band_highest="band__highest"
)


class GradeRow(NamedTuple):
    id: int
    response_id: int
    rubric_id: int
    rater_id: int
    role: str
    round: int
    raw: int | None
    maximum: int | None
    is_complete: bool
    comment: str
    metadata: str
    created_at: Any


class Batch(NamedTuple):
    """Everything that the lines of one batch of responses are made of."""

    rubrics: dict[int, list[RubricRow]]  # by prompt, newest first
    written: dict[int, list[CriterionRow]]  # by rubric: its own
    grades: dict[tuple[int, int], list[GradeRow]]  # by response and rubric
    own: dict[int, list[CriterionRow]]  # by grade: the errors that it names
    verdicts: dict[int, list[VerdictEntry]]  # by grade, on criteria that were there before it
    words: dict[tuple[int, str], str]  # by grade and key: what its grader says of an error of their own
    prompt_versions: dict[tuple[int, int, int], str]  # by response, rater and round
    first_shown: dict[int, Any]  # by response
    unsure: dict[int, int]  # by response: people who said that they were


def graded(project: Project) -> QuerySet[Response]:
    """The responses somebody has graded under a rubric."""
    given = for_gold(Grade.objects.filter(response=OuterRef("pk")))
    return Response.objects.filter(Exists(given), project=project)


def for_gold(grades: QuerySet[Grade]) -> QuerySet[Grade]:
    """Those that stand in the file: no grade of a judge that was asked to be evaluated."""
    return grades.filter(~of_evaluation())


def graded_rows(project: Project) -> Iterator[list[ResponseRow]]:
    """The graded responses in the order they were imported, in batches; the first one small, to be sent soon."""
    responses = graded(project).annotate(
        metadata_json=Cast("metadata", TextField()),
        collected_at=Coalesce("imported_order__collected_at", "created_at"),
    )
    for batch in batches(responses, LINE_COLUMNS, BATCH):
        yield [ResponseRow(TextRow(*row[:-3]), *row[-3:]) for row in batch]


def varieties_spoken(project: Project) -> dict[int, list[str]]:
    """Tags of the varieties that each rater speaks, by the rater's id."""
    spoken: dict[int, list[str]] = defaultdict(list)
    links = Rater.varieties.through.objects.filter(rater__project=project)
    for rater, tag in links.values_list("rater_id", "languagevariety__tag").order_by("languagevariety__tag"):
        spoken[rater].append(tag)
    return spoken


def read_batch(responses: Collection[int], prompts: Collection[int]) -> Batch:
    """Nine statements, whatever the number of responses."""
    rubrics: dict[int, list[RubricRow]] = defaultdict(list)
    for rubric in _rubrics(prompts):
        rubrics[rubric.prompt_id].append(rubric)
    written: dict[int, list[CriterionRow]] = defaultdict(list)
    own: dict[int, list[CriterionRow]] = defaultdict(list)
    of_rubrics = Criterion.objects.filter(rubric__prompt__in=prompts, grade=None)
    of_responses = Criterion.objects.filter(response__in=responses)
    for criteria in (of_rubrics, of_responses):
        for row in criteria.order_by("position", "key").values_list(*CRITERION_COLUMNS):
            criterion = CriterionRow(*row)
            if criterion.grade_id is None:
                written[criterion.rubric_id].append(criterion)
            else:
                own[criterion.grade_id].append(criterion)
    verdicts, words = _verdicts(responses)
    return Batch(
        rubrics=rubrics,
        written=written,
        grades=_grades(responses),
        own=own,
        verdicts=verdicts,
        words=words,
        prompt_versions=_prompt_versions(responses),
        first_shown=_first_shown(responses),
        unsure=unsure_of(for_gold(Grade.objects.filter(response__in=responses)), "response"),
    )


def _rubrics(prompts: Collection[int]) -> Iterator[RubricRow]:
    rubrics = Rubric.objects.filter(prompt__in=prompts, frozen_at__isnull=False).order_by("prompt_id", "-version")
    rows = rubrics.annotate(
        difficulty_json=Cast("difficulty", TextField()),
        findings_json=Cast("accepted_findings", TextField()),
        metadata_json=Cast("metadata", TextField()),
    )
    columns = columns_of(
        RubricRow,
        author="author__pseudonym",
        reviewed_by="reviewed_by__pseudonym",
        difficulty="difficulty_json",
        accepted_findings="findings_json",
        metadata="metadata_json",
    )
    return (RubricRow(*row) for row in rows.values_list(*columns))


def _grades(responses: Collection[int]) -> dict[tuple[int, int], list[GradeRow]]:
    rows = for_gold(Grade.objects.filter(response__in=responses)).annotate(metadata_json=Cast("metadata", TextField()))
    grades: dict[tuple[int, int], list[GradeRow]] = defaultdict(list)
    for row in map(GradeRow._make, rows.values_list(*columns_of(GradeRow, metadata="metadata_json"))):
        grades[row.response_id, row.rubric_id].append(row)
    return grades


def _verdicts(responses: Collection[int]) -> tuple[dict[int, list[VerdictEntry]], dict[tuple[int, str], str]]:
    verdicts: dict[int, list[VerdictEntry]] = defaultdict(list)
    words: dict[tuple[int, str], str] = {}
    # The rubric's own criteria first: they belong to no grade.
    order = (F("criterion__grade_id").asc(nulls_first=True), "criterion__position", "criterion__key")
    rows = Verdict.objects.filter(grade__response__in=responses).order_by(*order)
    for grade, key, of_grade, value, justification in rows.values_list(
        "grade_id", "criterion__key", "criterion__grade_id", "value", "justification"
    ):
        if of_grade == grade:
            words[grade, key] = justification
        else:
            verdicts[grade].append({"criterion": key, "value": value, "justification": justification})
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
