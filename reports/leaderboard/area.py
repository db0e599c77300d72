"""Benchmarks (ABBL): models answer a frozen set of questions, and rules and judges score what they wrote."""

from django.utils.translation import gettext_lazy as _

from benchmark import steps
from benchmark.archived import OF_BENCHMARK
from benchmark.collecting import FROZEN_SET
from benchmark.importing.answers import BenchmarkAnswers
from benchmark.importing.questions import BenchmarkQuestions
from benchmark.models import RuleScore
from benchmark.presets import BENCHMARK as PRESET
from benchmark.project_parts import PARTS
from benchmark.question_check.task import QuestionCheckTaskType
from benchmark.scoring_jobs import Scoring
from benchmark.scoring_task.task import AnswerScoring
from benchmark.set_jobs import AnswersExport, Freezing, SetExport
from benchmark.version_jobs import NextVersion, ShufflingOptions
from judging import steps as of_judging
from judging.ensembles.references import ReferencePanels
from judging.kinds.reference.kind import ReferenceScoring
from judging.probing.job import Probing
from judging.speed.jobs import MeasuringSpeed
from projects.navigation import Entry
from projects.own_laboratories import Judged
from projects.steps import Step
from reports.areas import Area
from reports.leaderboard.dashboard import LEADERBOARD as DASHBOARD
from reports.leaderboard.report import BoardReport
from reports.leaderboard.versions import VersionsCompared

LEADERBOARD = Area(
    name="leaderboard",
    preset=PRESET,
    project_parts=PARTS,
    archived=(OF_BENCHMARK,),
    task_types=(QuestionCheckTaskType(), AnswerScoring()),
    judge_kinds=(ReferenceScoring(),),
    ensembles=(ReferencePanels(),),
    judged=Judged("scores of judges", RuleScore, ("answer__configuration__target_model",)),
    collecting_gate=FROZEN_SET,
    formats=(BenchmarkQuestions, BenchmarkAnswers),
    jobs=(
        Scoring(),
        Freezing(),
        SetExport(),
        AnswersExport(),
        NextVersion(),
        ShufflingOptions(),
        VersionsCompared(),
        MeasuringSpeed(),
        Probing(),
        BoardReport(),
    ),
    dashboards=(DASHBOARD,),
    pages="reports.leaderboard.urls",
    menu=(
        Entry(27, _("Question sets"), "question-sets", "project.read"),
        Entry(28, _("Errata"), "errata", "project.edit", under="question-sets"),
        Entry(29, _("Models"), "model-cards", "dashboard.read", first=_("Model cards")),
        Entry(45, _("Target models"), "targets", "judges.run", under="model-cards"),
        Entry(60, _("Leaderboard"), "leaderboard", "dashboard.read", first=_("The board")),
        Entry(61, _("Skills of several models"), "board-radar", "dashboard.read", under="leaderboard"),
        Entry(62, _("Two models compared"), "board-compare", "answers.read", under="leaderboard"),
        Entry(63, _("Anchor answers"), "board-anchors", "project.edit", under="leaderboard"),
        Entry(64, _("Measure speed"), "speed", "judges.run", under="leaderboard"),
        Entry(65, _("Flags and notes"), "board-flags", "project.edit", under="leaderboard"),
        Entry(66, _("Probes of contamination"), "board-probes", "judges.run", under="leaderboard"),
        Entry(69, _("Settings of the board"), "board-settings", "project.edit", under="leaderboard"),
        Entry(67, _("Submissions"), "board-submissions", "project.edit", under="leaderboard"),
        # Behind the same entry of an area with gold, which is the one shown where a project has both.
        Entry(72, _("Raw answers"), "frames", "answers.read", under="leaderboard"),
    ),
    setup_steps=(
        Step(12, _("Import the questions"), "import", steps.questions),
        Step(13, _("Have the questions checked"), "stages", steps.checking, is_optional=True),
        Step(14, _("Freeze the question set"), "question-sets", steps.freezing),
        Step(15, _("Say which models answer"), "model-cards", steps.models),
        Step(16, _("Bring answers in"), "import", steps.answers),
        Step(17, _("Score the answers"), "question-sets", steps.scoring),
        Step(18, _("Let models judge"), "judges", of_judging.scorers, is_optional=True),
        Step(19, _("Read the results"), "leaderboard", steps.ranking),
    ),
)
