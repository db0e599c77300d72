"""Benchmarks (ABBL): models answer a frozen set of questions, and rules and judges score what they wrote."""

from django.utils.translation import gettext_lazy as _

from benchmark import steps
from benchmark.importing.answers import BenchmarkAnswers
from benchmark.importing.questions import BenchmarkQuestions
from benchmark.presets import BENCHMARK as PRESET
from benchmark.scoring_jobs import Scoring
from projects.navigation import Entry
from projects.steps import Step
from reports.areas import Area

LEADERBOARD = Area(
    name="leaderboard",
    preset=PRESET,
    formats=(BenchmarkQuestions, BenchmarkAnswers),
    menu=(Entry(27, _("Question sets"), "question-sets", "project.read"),),
    jobs=(Scoring(),),
    setup_steps=(
        Step(12, _("Import the questions"), "import", steps.questions),
        Step(14, _("Freeze the question set"), "question-sets", steps.freezing),
        Step(16, _("Bring answers in"), "import", steps.answers),
    ),
)
