"""Benchmarks (ABBL): models answer a frozen set of questions, and rules and judges score what they wrote."""

from django.urls import path
from django.utils.translation import gettext_lazy as _

from benchmark import steps
from benchmark.importing.questions import BenchmarkQuestions
from benchmark.presets import BENCHMARK as PRESET
from benchmark.question_check.task import QuestionCheckTaskType
from benchmark.scoring_jobs import Scoring
from projects.navigation import Entry
from projects.steps import Step
from reports.areas import Area
from reports.leaderboard import checks, open_views, views
from reports.leaderboard.api import Leaderboard
from reports.leaderboard.dashboard import LEADERBOARD as DASHBOARD

SET = "p/<slug:slug>/question-sets/<slug:question_set>/<int:version>/"
PAGE = "p/<slug:slug>/leaderboard/"
OPEN = "boards/<slug:board>/"

LEADERBOARD = Area(
    name="leaderboard",
    preset=PRESET,
    task_types=(QuestionCheckTaskType(),),
    formats=(BenchmarkQuestions,),
    jobs=(Scoring(),),
    dashboards=(DASHBOARD,),
    pages=(
        path(f"{SET}checks/", checks.question_checks, name="question-checks"),
        path(f"{SET}changes/", checks.question_changes, name="question-changes"),
        path(f"{PAGE}radar/", views.radar, name="board-radar"),
        path(f"{PAGE}compare/", views.compare, name="board-compare"),
        path(f"{PAGE}settings/", views.settings, name="board-settings"),
        path(f"{PAGE}models/<slug:configuration>/", views.configuration, name="board-configuration"),
        path(f"{PAGE}models/<slug:configuration>/report/", views.report, name="board-report"),
        path("api/v1/projects/<slug:slug>/leaderboard/", Leaderboard.as_view(), name="api-leaderboard"),
        path(OPEN, open_views.page, name="open-board"),
        path(f"{OPEN}embed/", open_views.embed, name="open-board-embed"),
        path(f"{OPEN}board.json", open_views.board_json, name="open-board-json"),
        path(f"{OPEN}board.csv", open_views.board_csv, name="open-board-csv"),
        path(f"{OPEN}board.parquet", open_views.board_parquet, name="open-board-parquet"),
    ),
    menu=(
        Entry(27, _("Question sets"), "question-sets", "project.read"),
        Entry(60, _("Leaderboard"), "leaderboard", "dashboard.read", first=_("The board")),
        Entry(61, _("Skills of several models"), "board-radar", "dashboard.read", under="leaderboard"),
        Entry(62, _("Two models compared"), "board-compare", "answers.read", under="leaderboard"),
        Entry(63, _("Settings of the board"), "board-settings", "project.edit", under="leaderboard"),
    ),
    setup_steps=(
        Step(12, _("Import the questions"), "import", steps.questions),
        Step(14, _("Freeze the question set"), "question-sets", steps.freezing),
    ),
)
