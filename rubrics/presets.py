"""What a project of rubrics begins with: Perle's weight bands and its stages."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from projects.models import Project
from projects.presets import ProjectPreset
from rubrics.models import WeightBand
from workflow.models import Stage

# Perle, section 3.2: the importance bands of its worked example.
BANDS = (
    ("core-term", gettext_noop("Core term identification"), 8, 10),
    ("meaning", gettext_noop("Meaning and context"), 5, 9),
    ("cultural-depth", gettext_noop("Cultural depth"), 3, 7),
    ("dialect", gettext_noop("Dialect and register"), 3, 5),
)
# A rubric is written over days: what an author has begun is held for them so long.
TWO_WEEKS = 14 * 24 * 60


def add_bands(project: Project) -> None:
    """Copy the four bands in; from then on they are the project's own to change."""
    WeightBand.objects.bulk_create(
        WeightBand(project=project, slug=slug, name=name, lowest=lowest, highest=highest, position=position)
        for position, (slug, name, lowest, highest) in enumerate(BANDS, start=1)
    )


def add_stages(project: Project) -> None:
    Stage.objects.bulk_create(
        [
            Stage(
                project=project,
                kind="authoring",
                name=gettext_noop("Authoring"),
                position=1,
                overlap=1,
                lease_minutes=TWO_WEEKS,
            ),
            Stage(project=project, kind="scoring", name=gettext_noop("Scoring"), position=2, overlap=1),
            Stage(
                project=project, kind="regrading", name=gettext_noop("Regrading"), position=3, overlap=1, is_open=False
            ),
        ]
    )


RUBRICS = ProjectPreset(
    slug="rubrics",
    name=_("Rubrics (Perle)"),
    description=_("Authors write weighted criteria before any response is seen; people and judges grade by them."),
    set_up=[add_bands, add_stages],
)
