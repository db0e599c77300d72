"""What state a project's ratings are in, setting by setting: the revisions of the rows, and the rules by their values.

People's answers and judges' are told apart, so that a judge's answer leaves what rests on people alone as it was.
"""

from typing import Any

from annotation.models import RatingSettings
from projects.models import Project
from reports.dashboard.freshness.revisions import digest, revisions
from reports.dashboard.settings_of_project import settings_with_responses
from reports.ratings.loading import KINDS

# What a group of figures may rest on, and the revisions that tell of it; a group names those it does.
PARTS = {
    "texts": ("responses", "pairs", "prompts", "raters"),
    "people": ("ratings of people", "experts"),
    "judges": ("ratings of judges", *(f"calls {kind}" for kind in KINDS)),
}


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with responses."""
    state, shared = revisions(project), _shared(project)
    return {
        variety: {part: digest([state.of(*names, variety=variety), shared[part]]) for part, names in PARTS.items()}
        for variety in settings_with_responses(project, state)
    }


def _shared(project: Project) -> dict[str, Any]:
    """What all settings share: questions and their scales, the rule of gold, and what an unreadable verdict counts
    as."""
    chosen = RatingSettings.objects.filter(project=project).first() or RatingSettings()
    questions = project.question_types.order_by("id")
    return {
        "texts": list(questions.values_list("id", "slug", "dimension_id", "dimension__slug", "lowest", "highest")),
        "people": str(chosen.gold_rule),
        "judges": str(chosen.unparseable),
    }
