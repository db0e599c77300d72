"""What projects of error spans and of ratings begin with: what is asked, and the stages of their work."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from annotation.models import ErrorCategory
from annotation.question_types import DIMENSIONS, LABELS
from annotation.taxonomy import TAXONOMY
from projects.models import Dimension, Level, Project, QuestionType
from projects.presets import ProjectPreset
from workflow.models import Policy, Stage

# A template is put into a language over days: what a speaker has begun is held for them so long.
TWO_WEEKS = 14 * 24 * 60
# MENLO, section 2: at least three people rate each pair.
RATERS_PER_PAIR = 3


def add_taxonomy(project: Project) -> None:
    """Copy the eight thin and thick categories in; from then on they are the project's own to change."""
    ErrorCategory.objects.bulk_create(
        ErrorCategory(
            project=project,
            slug=shipped.slug,
            name=shipped.name,
            definition=shipped.definition,
            example=shipped.example,
            error_type=shipped.error_type,
            depth=shipped.depth,
            position=position,
        )
        for position, shipped in enumerate(TAXONOMY, start=1)
    )


def add_stages(project: Project) -> None:
    Stage.objects.bulk_create(
        [
            Stage(project=project, kind="spans", name=gettext_noop("Marking"), position=1, overlap=2),
            Stage(
                project=project,
                kind="reviews",
                name=gettext_noop("Validation"),
                position=2,
                overlap=2,
                policy=Policy.UNANIMOUS,
                is_open=False,
            ),
        ]
    )


def add_question_types(project: Project) -> None:
    """Copy the dimensions in with their question types and levels; from then on they are the project's own."""
    dimensions = Dimension.objects.bulk_create(
        Dimension(
            project=project, slug=shipped.slug, name=shipped.name, definition=shipped.definition, position=position
        )
        for position, shipped in enumerate(DIMENSIONS, start=1)
    )
    types = [
        (
            QuestionType(
                project=project,
                dimension=dimension,
                slug=shipped.slug,
                name=shipped.name,
                definition=shipped.definition,
                lowest=1,
                highest=len(shipped.levels),
                position=position,
            ),
            shipped.levels,
        )
        for dimension, its in zip(dimensions, DIMENSIONS, strict=True)
        for position, shipped in enumerate(its.types, start=1)
    ]
    QuestionType.objects.bulk_create(question for question, _levels in types)
    Level.objects.bulk_create(
        Level(question=question, grade=grade, label=label, summary=level.summary, detail=level.detail)
        for question, levels in types
        for grade, (label, level) in enumerate(zip(LABELS, levels, strict=True), start=1)
    )


def add_stages_of_ratings(project: Project) -> None:
    Stage.objects.bulk_create(
        [
            Stage(
                project=project,
                kind="localising",
                name=gettext_noop("Localising"),
                position=1,
                overlap=1,
                lease_minutes=TWO_WEEKS,
            ),
            Stage(
                project=project,
                kind="pairs",
                name=gettext_noop("Rating"),
                position=2,
                overlap=RATERS_PER_PAIR,
                lease_minutes=120,
            ),
        ]
    )


SPANS = ProjectPreset(
    slug="spans",
    name=_("Error spans (JuICE)"),
    description=_("Two people mark errors, judges do too, and everybody's spans are cross-validated."),
    set_up=[add_taxonomy, add_stages],
)
RATINGS = ProjectPreset(
    slug="ratings",
    name=_("Pairwise ratings (MENLO)"),
    description=_(
        "Prompts are put into each language with their local values; three people or more and judges rate two "
        "responses side by side."
    ),
    set_up=[add_question_types, add_stages_of_ratings],
)
