"""What a project of rubrics begins with: the bands of weights of Perle's worked example (section 3.2), and stages."""

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from formats.project_file.presets import preset_of

RUBRICS = preset_of(
    Path(__file__).parent / "rubrics.yaml",
    slug="rubrics",
    name=_("Rubrics (Perle)"),
    description=_("Authors write weighted criteria before any response is seen; people and judges grade by them."),
)
