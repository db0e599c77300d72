"""What a project of error spans begins with: its taxonomy and its two stages."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from annotation.models import ErrorCategory
from annotation.taxonomy import TAXONOMY
from projects.models import Preset, Project
from projects.presets import ProjectPreset, register
from workflow.models import Policy, Stage


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


def register_presets() -> None:
    register(
        ProjectPreset(
            slug=Preset.SPANS,
            name=_("Error spans (JuICE)"),
            description=_("Two people mark errors, judges do too, and everybody's spans are cross-validated."),
            set_up=[add_taxonomy, add_stages],
        )
    )
