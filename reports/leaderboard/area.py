"""Benchmarks (ABBL): models answer a frozen set of questions, and rules and judges score what they wrote."""

from django.utils.translation import gettext_lazy as _

from benchmark import steps
from benchmark.importing.questions import BenchmarkQuestions
from benchmark.presets import BENCHMARK as PRESET
from benchmark.scoring_jobs import Scoring
from benchmark.scoring_task.task import AnswerScoring
from judging.ensembles.references import ReferencePanels
from judging.kinds.reference.kind import ReferenceScoring
from projects.navigation import Entry
from projects.steps import Step
from reports.areas import Area

LEADERBOARD = Area(
    name="leaderboard",
    preset=PRESET,
    task_types=(AnswerScoring(),),
    judge_kinds=(ReferenceScoring(),),
    ensembles=(ReferencePanels(),),
    formats=(BenchmarkQuestions,),
    menu=(Entry(27, _("Question sets"), "question-sets", "project.read"),),
    jobs=(Scoring(),),
    setup_steps=(
        Step(12, _("Import the questions"), "import", steps.questions),
        Step(14, _("Freeze the question set"), "question-sets", steps.freezing),
    ),
)
