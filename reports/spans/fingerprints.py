"""What state a project's answers are in, setting by setting: the revisions of the rows, and the rules by their values.

A fingerprint changes with every write of a row that it covers, and not with others.
"""

from typing import Any

from annotation.settlement import review_rules
from projects.models import Project
from reports.dashboard.freshness.revisions import digest, revisions
from reports.dashboard.settings_of_project import settings_with_responses

# What a group of figures may rest on, and the revisions that tell of it; a group names those it does.
PARTS = {
    "responses": ("responses", "prompts", "raters"),
    "answers": ("markings", "spans"),
    "reviews": ("reviews",),
    "gold": ("gold",),
    "codings": ("codings",),
    "calls": ("calls spans",),
}


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with responses."""
    state, shared = revisions(project), _shared(project)
    return {
        variety: {part: digest([state.of(*names, variety=variety), shared.get(part)]) for part, names in PARTS.items()}
        for variety in settings_with_responses(project, state)
    }


def _shared(project: Project) -> dict[str, Any]:
    """What all settings of a project share: its review rule, its points, its categories' depths and order."""
    categories = list(project.error_categories.order_by("position", "id").values_list("id", "depth"))
    return {
        "answers": (sorted(project.penalties.items()), [pk for pk, _ in categories]),
        "reviews": repr(review_rules([project.pk])[project.pk]),
        "gold": categories,
    }
