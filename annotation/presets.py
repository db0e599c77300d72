"""What a project of error spans begins with: its taxonomy and its two stages."""

import json
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from annotation.models import ErrorCategory
from projects.models import Preset, Project
from projects.presets import ProjectPreset, register
from workflow.models import Policy, Stage

TAXONOMY = Path(__file__).parent / "data" / "taxonomy.json"


def add_taxonomy(project: Project) -> None:
    """Copy the eight thin and thick categories in; from then on they are the project's own to change."""
    rows = json.loads(TAXONOMY.read_text(encoding="utf-8"))
    ErrorCategory.objects.bulk_create(
        ErrorCategory(
            project=project,
            slug=row["slug"],
            name=row["name"],
            definition=row["definition"],
            example=row["example"],
            error_type=row["type"],
            depth=row["depth"],
            position=position,
        )
        for position, row in enumerate(rows, start=1)
    )


def add_stages(project: Project) -> None:
    Stage.objects.bulk_create(
        [
            Stage(project=project, kind="spans", name="Marking", position=1, overlap=2),
            Stage(
                project=project,
                kind="reviews",
                name="Validation",
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
