"""What state a project's grades are in, setting by setting, as the revisions of the rows tell.

People's grades and judges' are told apart, so that a judge's new grade leaves what rests on people alone as it was.
"""

from projects.models import Project
from reports.dashboard.freshness.revisions import digest, revisions
from reports.dashboard.settings_of_project import settings_with_rubrics
from reports.rubrics.loading import JUDGE_KIND

# What a group of figures may rest on, and the revisions that tell of it; a group names those it does.
# A frozen rubric never changes, so that it was frozen stands for its criteria.
PARTS = {
    "responses": ("responses", "prompts", "rubrics", "raters"),
    "people": ("grades of people",),
    "judges": ("grades of judges",),
    "errors": ("errors",),
    "verdicts": ("verdicts of people",),
    "verdicts_of_judges": ("verdicts of judges",),
    "calls": (f"calls {JUDGE_KIND}",),
    "speakers": ("speakers",),
}


def fingerprints(project: Project) -> dict[int, dict[str, str]]:
    """Variety id to the fingerprint of each of PARTS, for every variety with responses to a prompt with a rubric."""
    state = revisions(project)
    return {
        variety: {part: digest(state.of(*names, variety=variety)) for part, names in PARTS.items()}
        for variety in settings_with_rubrics(project, state)
    }
