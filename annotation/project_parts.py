"""The parts of the project file about errors and ratings: categories, what errors cost, what is rated and how."""

from dataclasses import replace
from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

from annotation.error_scheme import LONGEST_NAME, MAX_POINTS, MOST_NAMES, error_scheme
from annotation.models import (
    Classification,
    DesignKind,
    ErrorCategory,
    ErrorScheme,
    GoldError,
    PairDesign,
    Rating,
    RatingSettings,
    SourceErrors,
    Span,
    UnparseablePolicy,
)
from annotation.pairs.forming import MAX_PER_PROMPT, MAX_SEED, design_of
from annotation.questions.settings import rating_settings
from formats import choices
from formats.kinds import FLAG, name, number_within, short_text, text, whole
from formats.project_file.part import LIST, RECORD, Findings, Part, Slug, numbers, texts
from formats.project_file.rows import Rows, Settings
from formats.question import HIGHEST, LOWEST, SCALE_RULES
from formats.records import Entries, ruled
from projects.models import Dimension, Label, Level, Project, QuestionType, Vocabulary
from projects.vocabularies import words

MAX_CATEGORIES = 500
MAX_DIMENSIONS = 100
MAX_QUESTIONS = 200
MAX_TEXT = 20_000

Definition = Annotated[str, short_text(MAX_TEXT)]
Short = Annotated[str, name(80)]


# --- Categories of errors, and what errors cost ---


class CategoryRecord(TypedDict):
    slug: Annotated[Slug, "What answers and files hold; it never changes"]
    name: Short
    definition: NotRequired[Definition | None]
    example: NotRequired[Definition | None]
    error_type: NotRequired[Annotated[Slug | None, "Left out: errors of any type may be of it"]]
    depth: NotRequired[Annotated[str | None, choices.Depth]]


def used_categories(ids: Any) -> set[int]:
    found: set[int] = set()
    for model in (Span, GoldError, Classification):
        rows = model._default_manager.filter(category__in=ids).order_by()
        found.update(rows.values_list("category", flat=True).distinct())
    return found


CATEGORIES = Rows(
    ErrorCategory,
    {name: name for name in ("slug", "name", "definition", "example", "error_type", "depth")},
    {"definition": "", "example": "", "error_type": "", "depth": choices.Depth.SEPARATE.value},
    fixed=("error_type", "depth"),
    used=used_categories,
)


class CategoriesPart(Part):
    """A category that answers name stays, with its type and depth; its name, definition and example may change. The
    file holds those that are offered; what was merged or split stays beside them, with what answers it is read as."""

    key = "categories"
    record = Annotated[list[CategoryRecord], LIST, Entries(most=MAX_CATEGORIES, unique="slug")]
    position = 50

    def read(self, project: Project) -> list[dict[str, Any]]:
        return [CATEGORIES.entry(row) for row in project.error_categories.offered().order_by("position", "pk")]

    def write(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        types = words(project, Vocabulary.ERROR_TYPE)
        there = project.error_categories.offered()
        gone = set(project.error_categories.values_list("slug", flat=True)) - {one.slug for one in there}
        for index, entry in enumerate(value):
            if entry.get("error_type") and entry["error_type"] not in types:
                findings.refuse(f"{self.key}[{index}].error_type", "not_a_choice", types.refusal())
            if entry["slug"] in gone:
                message = _("“%(slug)s” was merged or split and is no longer offered.") % {"slug": entry["slug"]}
                findings.refuse(f"{self.key}[{index}].slug", "conflict", message)
        if findings.total:
            return
        _rows, left_out = CATEGORIES.write(project, there, value, self.key, findings)
        CATEGORIES.remove(left_out, self.key, findings)


class WeightRecord(TypedDict):
    """What errors of one category cost, in place of the points of their criticality."""

    category: Annotated[Slug, "Short name of a category of the project"]
    criticality: NotRequired[Annotated[str | None, name(60), "Of this criticality alone"]]
    points: Annotated[float, number_within(0, MAX_POINTS)]


POINTS = "Of an error, by its criticality: another place for `points` of the labels, which an export writes"


class ErrorsRecord(TypedDict):
    """What errors cost."""

    points: NotRequired[Annotated[dict[str, float] | None, numbers(MAX_POINTS), POINTS]]
    weights: NotRequired[Annotated[list[WeightRecord] | None, LIST, Entries(most=MAX_CATEGORIES)]]
    source_errors: NotRequired[Annotated[str | None, SourceErrors, "What errors of the source text cost"]]
    source_categories: NotRequired[Annotated[list[str] | None, texts(MOST_NAMES, LONGEST_NAME)]]


ERRORS = Settings(
    ErrorScheme,
    {"weights": "weights", "source_errors": "source_errors", "source_categories": "source_categories"},
)


class ErrorsPart(Part):
    key = "errors"
    record = Annotated[ErrorsRecord, RECORD]
    position = 55

    def read(self, project: Project) -> dict[str, Any]:
        said = ERRORS.entry(error_scheme(project))
        if "weights" in said:
            fields = ("category", "criticality", "points")
            said["weights"] = [{name: w[name] for name in fields if name in w} for w in said["weights"]]
        return said

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        points = value.get("points") or {}
        weights = value.get("weights") or []
        known = words(project, Vocabulary.CRITICALITY)
        categories = set(project.error_categories.values_list("slug", flat=True)) if weights else set()
        for level in points:
            if level not in known:
                findings.refuse(f"errors.points.{level}", "not_a_choice", known.refusal())
        for index, weight in enumerate(weights):
            if weight["category"] not in categories:
                message = _("The project has no category “%(slug)s”.") % {"slug": weight["category"]}
                findings.refuse(f"errors.weights[{index}].category", "unknown", message)
            if weight.get("criticality") and weight["criticality"] not in known:
                findings.refuse(f"errors.weights[{index}].criticality", "not_a_choice", known.refusal())
        if findings.total:
            return
        for level, cost in points.items():
            known.by_slug[level].points = cost
        Label.objects.bulk_update([known.by_slug[level] for level in points], ["points"])
        scheme = error_scheme(project)
        said = [{name: given for name, given in weight.items() if given is not None} for weight in weights]
        if ERRORS.set_on(scheme, {**value, "weights": said}):
            scheme.save()


# --- What is rated ---


class LevelRecord(TypedDict):
    grade: Annotated[int, whole(LOWEST, HIGHEST)]
    label: NotRequired[Annotated[str | None, short_text(40)]]
    summary: Annotated[str, text(300), "In one line"]
    detail: NotRequired[Annotated[str | None, short_text(MAX_TEXT), "In full"]]


class QuestionRecord(TypedDict):
    slug: Annotated[Slug, "What answers and files hold, unique in the project; it never changes"]
    name: Short
    definition: NotRequired[Annotated[str | None, short_text(MAX_TEXT), "What is asked"]]
    lowest: NotRequired[Annotated[int | None, whole(LOWEST, HIGHEST), "Left out with highest: a preference alone"]]
    highest: NotRequired[Annotated[int | None, whole(LOWEST, HIGHEST)]]
    nominal: NotRequired[Annotated[bool | None, FLAG, "The grades are names without an order"]]
    levels: NotRequired[Annotated[list[LevelRecord] | None, LIST, Entries(most=201)]]


ruled(QuestionRecord, *SCALE_RULES)


class DimensionRecord(TypedDict):
    slug: Slug
    name: Short
    definition: NotRequired[Definition | None]
    questions: NotRequired[Annotated[list[QuestionRecord] | None, LIST, Entries(most=MAX_QUESTIONS, unique="slug")]]


DIMENSION_ROWS = Rows(Dimension, {name: name for name in ("slug", "name", "definition")}, {"definition": ""})
QUESTION_ROWS = Rows(
    QuestionType,
    {
        **{name: name for name in ("slug", "name", "definition", "lowest", "highest")},
        "nominal": "is_nominal",
    },
    {"definition": "", "lowest": None, "highest": None, "nominal": False},
    fixed=("lowest", "highest", "nominal"),
    used=lambda ids: set(Rating.objects.filter(question__in=ids).order_by().values_list("question", flat=True)),
)
LEVEL_ROWS = Rows(
    Level,
    {name: name for name in ("grade", "label", "summary", "detail")},
    {"label": "", "detail": ""},
    key="grade",
    owner="question",
)


class DimensionsPart(Part):
    """Question types that responses were rated on stay, with their scale; the wording may change."""

    key = "dimensions"
    record = Annotated[list[DimensionRecord], LIST, Entries(most=MAX_DIMENSIONS, unique="slug")]
    position = 35  # stages name the question type that they take a score on

    def read(self, project: Project) -> list[dict[str, Any]]:
        listed = []
        for dimension in project.dimensions.prefetch_related("question_types__levels"):
            entry = DIMENSION_ROWS.entry(dimension)
            questions = sorted(dimension.question_types.all(), key=lambda one: (one.position, one.pk))
            listed.append({**entry, "questions": [_question(one) for one in questions]} if questions else entry)
        return listed

    def write(self, project: Project, value: list[dict[str, Any]], findings: Findings) -> None:
        there = list(project.dimensions.all())
        dimensions, left_out = DIMENSION_ROWS.write(project, there, value, self.key, findings)
        questions = self._write_questions(project, value, dimensions, findings)
        if findings.total:
            return
        self._write_levels(value, questions)
        DIMENSION_ROWS.remove(left_out, self.key, findings)

    def _write_questions(
        self, project: Project, value: list[dict[str, Any]], dimensions: dict[str, Dimension], findings: Findings
    ) -> dict[str, QuestionType]:
        there = {row.slug: row for row in project.question_types.select_related("dimension")}
        seen: dict[str, QuestionType] = {}
        for index, dimension in enumerate(value):
            place, entries = f"{self.key}[{index}].questions", dimension.get("questions") or []
            for at, entry in enumerate(entries):
                if entry["slug"] in seen:
                    message = _("“%(key)s” stands twice in the file.") % {"key": entry["slug"]}
                    findings.refuse(f"{place}[{at}].slug", "duplicate_id", message)
            if findings.total:
                return {}
            own = [row for slug in (entry["slug"] for entry in entries) if (row := there.pop(slug, None))]
            belonging = replace(QUESTION_ROWS, beside={"dimension": dimensions[dimension["slug"]]})
            rows, _none = belonging.write(project, own, entries, place, findings)
            seen |= rows
        QUESTION_ROWS.remove(list(there.values()), self.key, findings)
        return seen

    def _write_levels(self, value: list[dict[str, Any]], questions: dict[str, QuestionType]) -> None:
        """The levels of a question that says other ones are made anew: nothing points at them."""
        stored: dict[int, list[Level]] = {}
        for level in Level.objects.filter(question__in=list(questions.values())):
            stored.setdefault(level.question_id, []).append(level)
        made, gone = [], []
        for entry in (entry for dimension in value for entry in dimension.get("questions") or []):
            question = questions[entry["slug"]]
            levels = [
                Level(
                    question=question,
                    grade=level["grade"],
                    label=level.get("label") or "",
                    summary=level["summary"],
                    detail=level.get("detail") or "",
                )
                for level in entry.get("levels") or []
            ]
            before = sorted(map(_level, stored.get(question.pk, [])), key=lambda level: level["grade"])
            if before != sorted(map(_level, levels), key=lambda level: level["grade"]):
                made += levels
                gone.append(question.pk)
        Level.objects.filter(question__in=gone).delete()
        Level.objects.bulk_create(made)


def _level(level: Level) -> dict[str, Any]:
    return LEVEL_ROWS.entry(level)


def _question(question: QuestionType) -> dict[str, Any]:
    entry = QUESTION_ROWS.entry(question)
    levels = [_level(level) for level in question.levels.all()]
    return {**entry, "levels": levels} if levels else entry


class RatingsRecord(TypedDict):
    """How ratings are taken."""

    asks_preference: NotRequired[Annotated[bool | None, FLAG]]
    asks_comment: NotRequired[Annotated[bool | None, FLAG]]
    gold_rule: NotRequired[Annotated[str | None, choices.GoldRule]]
    unparseable: NotRequired[
        Annotated[str | None, UnparseablePolicy, "What an unreadable verdict of a judge counts as"]
    ]


RATINGS = Settings(
    RatingSettings, {name: name for name in ("asks_preference", "asks_comment", "gold_rule", "unparseable")}
)


class RatingsPart(Part):
    key = "ratings"
    record = Annotated[RatingsRecord, RECORD]
    position = 65

    def read(self, project: Project) -> dict[str, Any]:
        return RATINGS.entry(rating_settings(project))

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        row = rating_settings(project)
        if RATINGS.set_on(row, value):
            row.save()


class PairsRecord(TypedDict):
    """How pairs are formed of the responses."""

    design: NotRequired[Annotated[str | None, DesignKind, "Which models meet"]]
    baseline: NotRequired[Annotated[str | None, short_text(200), "The model that each other one meets"]]
    per_prompt: NotRequired[Annotated[int | None, whole(1, MAX_PER_PROMPT), "Pairs to a prompt, if balanced"]]
    models: NotRequired[Annotated[list[str] | None, texts(MOST_NAMES, 200), "These alone; left out, all"]]
    seed: NotRequired[Annotated[int | None, whole(0, MAX_SEED), "Sides are drawn from it"]]


PAIRS = Settings(
    PairDesign,
    {"models": "among", **{name: name for name in ("design", "baseline", "per_prompt", "seed")}},
)


class PairsPart(Part):
    """What is a pair already stays one."""

    key = "pairs"
    record = Annotated[PairsRecord, RECORD]
    position = 66

    def read(self, project: Project) -> dict[str, Any]:
        return PAIRS.entry(design_of(project))

    def write(self, project: Project, value: dict[str, Any], findings: Findings) -> None:
        row = design_of(project)
        if PAIRS.set_on(row, value):
            row.save()


SPANS = (CategoriesPart(), ErrorsPart())
RATED = (DimensionsPart(), RatingsPart(), PairsPart())
