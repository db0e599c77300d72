"""Benchmarks (ABBL): models answer a frozen set of questions, and rules and judges score what they wrote."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from benchmark import steps
from benchmark.importing.questions import BenchmarkQuestions
from benchmark.presets import BENCHMARK as PRESET
from benchmark.question_check.task import QuestionCheckTaskType
from projects.navigation import Entry
from projects.steps import Step
from reports.areas import Area
from reports.leaderboard import checks, versions

SET = "p/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"

LEADERBOARD = Area(
    name="leaderboard",
    preset=PRESET,
    task_types=(QuestionCheckTaskType(),),
    formats=(BenchmarkQuestions,),
    pages=(
        path(f"{SET}checks/", checks.question_checks, name="question-checks"),
        path(f"{SET}changes/", checks.question_changes, name="question-changes"),
        path(f"{SET}compared/<int:later>/", versions.question_versions, name="question-versions"),
    ),
    menu=(
        Entry(27, _("Question sets"), "question-sets", "project.read"),
        Entry(28, _("Errata"), "errata", "project.edit", under="question-sets"),
    ),
    setup_steps=(
        Step(12, _("Import the questions"), "import", steps.questions),
        Step(13, _("Have the questions checked"), "stages", steps.checking, is_optional=True),
        Step(14, _("Freeze the question set"), "question-sets", steps.freezing),
    ),
)
