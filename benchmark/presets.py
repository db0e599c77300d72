"""What a project of a benchmark begins with: a stage in which native speakers check the questions of a draft."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from benchmark.question_check.planning import KIND
from projects.models import Project
from projects.presets import ProjectPreset
from workflow.models import Stage

# Two people check each question, so that it can be said how far they agree.
CHECKERS = 2


def add_stages(project: Project) -> None:
    Stage.objects.create(
        project=project, kind=KIND, name=gettext_noop("Checking questions"), position=1, overlap=CHECKERS
    )


BENCHMARK = ProjectPreset(
    slug="leaderboard",
    name=_("Benchmark"),
    description=_("Models answer a set of questions; rules and judges score the answers, and people check them."),
    way=_("From questions to the board"),
    set_up=[add_stages],
)
