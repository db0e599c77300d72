"""What a project of a benchmark begins with: nothing yet. Its questions come by import."""

from django.utils.translation import gettext_lazy as _

from projects.presets import ProjectPreset

BENCHMARK = ProjectPreset(
    slug="leaderboard",
    name=_("Benchmark"),
    description=_("Models answer a set of questions; rules and judges score the answers, and people check them."),
)
