"""What a project of a benchmark begins with: a stage in which native speakers check the questions of a draft.

Two people check each question, so that it can be said how far they agree.
"""

from pathlib import Path

from django.utils.translation import gettext_lazy as _

from formats.project_file.presets import preset_of

BENCHMARK = preset_of(
    Path(__file__).parent / "leaderboard.yaml",
    slug="leaderboard",
    name=_("Benchmark"),
    description=_("Models answer a set of questions; rules and judges score the answers, and people check them."),
    way=_("From questions to the board"),
)
