"""The dataset card of graded responses."""

from dataclasses import dataclass

from django.db.models import Avg, Count, Exists, F, FloatField, Max, Min, OuterRef, Q
from django.db.models.functions import Cast, Coalesce
from django.utils.translation import gettext_lazy

from formats.rubric_gold import VERSION as FORMAT
from projects.models import Project, Prompt, RaterKind
from reports.gold.card import Card, JudgeOfGold, cell, judge_of, judges_table, table
from reports.gold.formats import GoldFormat
from reports.rubrics.gold import lines
from reports.rubrics.gold_rows import for_gold, graded
from rubrics.models import Criterion, Grade, GradeRole, ImportedOrder, Rubric, Scope


@dataclass(frozen=True, slots=True)
class ScopeCounts:
    """Of one language variety and scope: responses with a first grading, their mean score in percent."""

    tag: str
    name: str
    scope: str
    responses: int
    mean: float | None

    @property
    def scope_label(self) -> str:
        return str(Scope(self.scope).label)


@dataclass(frozen=True, slots=True)
class JudgeCounts(JudgeOfGold):
    grades: int


@dataclass(frozen=True, slots=True)
class RubricSummary:
    responses: int
    prompts: int
    cells: list[ScopeCounts]
    roles: dict[str, int]
    failure_types: dict[str, int]
    judges: list[JudgeCounts]
    superseded: int  # grades under a version that a later one has replaced
    frozen_late: int  # responses collected before the first version of their rubric was frozen
    has_imported: bool
    by_judges_alone: int  # responses that no person has graded

    @property
    def errors(self) -> int:
        return sum(self.failure_types.values())

    @property
    def regraded(self) -> int:
        return self.roles.get(GradeRole.REGRADE, 0) + self.roles.get(GradeRole.CALIBRATION, 0)

    @property
    def judge_grades(self) -> int:
        return self.roles.get(GradeRole.JUDGE, 0)

    @property
    def has_simulated(self) -> bool:
        return any(judge.is_simulated for judge in self.judges)


def summarise(project: Project) -> RubricSummary:
    """Nine statements, whatever the size of the project."""
    grades = for_gold(Grade.objects.filter(response__project=project))
    references = grades.filter(role=GradeRole.REFERENCE)
    percent = 100.0 * Cast("raw", FloatField()) / Cast("maximum", FloatField())
    cells = (
        references.values_list("response__variety__tag", "response__variety__name", "rubric__scope")
        .annotate(n=Count("response", distinct=True), mean=Avg(percent))
        .order_by("response__variety__name", "rubric__scope")
    )
    errors = Criterion.objects.filter(grade__in=references.values("pk"))
    judges = (
        grades.filter(rater__kind=RaterKind.JUDGE)
        .order_by("rater__name")
        .values_list("rater__name", "rater__model", "rater__laboratory__name", "rater__is_simulated")
        .annotate(n=Count("pk"))
    )
    responses = graded(project)
    by_people = Grade.objects.filter(response=OuterRef("pk"), rater__kind=RaterKind.HUMAN)
    return RubricSummary(
        responses=responses.count(),
        prompts=Rubric.objects.filter(grades__response__project=project).values("prompt").distinct().count(),
        cells=[ScopeCounts(*row) for row in cells],
        roles=dict(grades.values_list("role").annotate(n=Count("pk"))),
        failure_types=dict(errors.values_list("failure_type").annotate(n=Count("pk"))),
        judges=[judge_of(JudgeCounts, *row) for row in judges],
        superseded=grades.annotate(
            newest=Max("rubric__prompt__rubrics__version", filter=Q(rubric__prompt__rubrics__frozen_at__isnull=False))
        )
        .filter(rubric__version__lt=F("newest"))
        .count(),
        frozen_late=responses.annotate(
            frozen_at=Min("prompt__rubrics__frozen_at"),
            collected_at=Coalesce("imported_order__collected_at", "created_at"),
        )
        .filter(frozen_at__gt=F("collected_at"))
        .count(),
        has_imported=ImportedOrder.objects.filter(response__project=project).exists(),
        by_judges_alone=responses.filter(~Exists(by_people)).count(),
    )


def warnings(summary: RubricSummary) -> list[str]:
    sentences = []
    if summary.by_judges_alone:
        sentences.append(
            f"**By judges alone.** {summary.by_judges_alone} responses have no grade of a person: nothing says how "
            "near their scores are to people's."
        )
    if summary.superseded:
        sentences.append(
            f"**Earlier versions.** {summary.superseded} grades were given under a version since replaced."
        )
    if summary.frozen_late:
        sentences.append(
            f"**Collected before the freeze.** {summary.frozen_late} responses were there before their rubric was "
            "frozen; whether its author had seen them, the file cannot say."
        )
    return sentences


def contents(summary: RubricSummary) -> list[str]:
    scores = ("not defined" if each.mean is None else f"{each.mean:.2f}" for each in summary.cells)
    cells = zip(summary.cells, scores, strict=True)
    rows = [(each.tag, cell(each.name), each.scope, each.responses, score) for each, score in cells]
    failures = [(slug or "not stated", n) for slug, n in sorted(summary.failure_types.items())]
    roles = [(role, summary.roles[role]) for role in GradeRole.values if role in summary.roles]
    return [
        f"{summary.responses} responses to {summary.prompts} prompts.",
        table(("variety", "name", "scope", "responses", "mean human score, %"), rows),
        table(("role", "grades"), roles),
        table(("failure type", "errors of first gradings"), failures),
        *judges_table(summary.judges, grades="grades"),
    ]


def how_made(summary: RubricSummary) -> list[str]:
    imported = ["times of responses that came by a gold file are those of that file"]
    return [
        "phase A: scope, prompt, difficulty check, gold answer and positive criteria are written and frozen; from "
        "then on the database refuses every change, and `sha256` says what was frozen",
        "phase B: a response is graded by the frozen criteria; the first grader adds the errors really present as "
        "negative criteria of that response",
        "`frozen_at`, `collected_at` and `first_shown_at` stand in every line, so that the order can be checked",
        "a second grader and the judges are asked about the same criteria and errors without the first verdicts",
        "a judge never grades a response of its own laboratory; declined evaluations are left out of the file",
        "score = 100 * S_raw / S_max, not clipped; the human score is that of the grade with the role `reference`",
        *imported * summary.has_imported,
    ]


CARD = Card(
    title="graded responses",
    generated="A program made the texts, rubrics and grades to try the software at scale.",
    simulated="Some grades were given by a program that imitates a judge.",
    format=f"one response a line, format `{FORMAT}`; see `rubric-gold.schema.json`. Offsets are half-open and given in "
    "code points and in UTF-16 code units; `response[start:end] == quote`. SHA-256 hashes of texts are of their UTF-8 "
    "bytes, that of a rubric is of its canonical form. Texts are exactly as graded, never normalised.",
    warnings=warnings,
    contents=contents,
    how_made=how_made,
)
RUBRIC_GOLD = GoldFormat(
    area="rubrics",
    name=gettext_lazy("Graded responses"),
    format=FORMAT,
    importer="rubric-gold",
    template="reports/rubrics/gold.html",
    lines=lines,
    prompts=lambda project: Prompt.objects.filter(Exists(graded(project).filter(prompt=OuterRef("pk")))),
    summarise=summarise,
    card=CARD,
)
