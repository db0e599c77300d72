"""Rubrics (Perle): weighted criteria are written before any response is seen; people and judges grade by them."""

from django.utils.translation import gettext_lazy as _

from judging import steps as of_judging
from judging.ensembles.rubric import RubricPanels
from judging.kinds.rubric.kind import RubricGrading
from judging.models import Purpose
from projects.navigation import Entry
from projects.own_laboratories import Judged
from projects.steps import Step
from reports import steps as of_reports
from reports.areas import Area
from reports.rubrics.card import RUBRIC_GOLD
from reports.rubrics.cases import VerdictCases
from reports.rubrics.dashboard import RUBRICS as DASHBOARD
from reports.rubrics.written_cases import RubricCases
from rubrics import steps as of_rubrics
from rubrics.archived import OF_RUBRICS
from rubrics.authoring.task import AuthoringTaskType
from rubrics.collecting import FROZEN_RUBRIC
from rubrics.importing.gold import RubricGold
from rubrics.importing.grades import Grades
from rubrics.importing.rubrics import Rubrics
from rubrics.models import Grade
from rubrics.presets import RUBRICS as PRESET
from rubrics.project_parts import PARTS
from rubrics.scoring.task import Calibration, Regrading, Scoring
from screening import steps as of_screening
from screening.checks.kinds.grading import RegradingChecks, ScoringChecks
from screening.quiz.kinds.grading import SampleGrading

RUBRICS = Area(
    name="rubrics",
    preset=PRESET,
    project_parts=PARTS,
    archived=(OF_RUBRICS,),
    task_types=(AuthoringTaskType(), Scoring(), Regrading(), Calibration()),
    # The first grading of a person is the gold; judges never make any.
    purpose=Purpose.EVALUATION,
    judge_kinds=(RubricGrading(),),
    ensembles=(RubricPanels(),),
    judged=Judged("grades of judges", Grade, ("response__target_model",)),
    question_kinds=(SampleGrading(),),
    check_kinds=(ScoringChecks(), RegradingChecks()),
    case_kinds=(VerdictCases(), RubricCases()),
    collecting_gate=FROZEN_RUBRIC,
    formats=(Rubrics, Grades, RubricGold),
    gold=RUBRIC_GOLD,
    dashboards=(DASHBOARD,),
    pages="reports.rubrics.urls",
    menu=(
        Entry(11, _("Case book"), "cases", "work.claim", under="work"),
        Entry(27, _("Rubrics"), "rubrics", "rubrics.write", first=_("All rubrics")),
        Entry(28, _("To review"), "rubric-reviews", "rubrics.review", under="rubrics"),
        Entry(29, _("Rules for rubrics"), "rubric-settings", "project.edit", under="rubrics"),
        Entry(37, _("Screening"), "screening", "project.edit", first=_("Quizzes")),
        Entry(38, _("Interviews"), "interviews", "project.edit", under="screening"),
        Entry(38, _("Checks"), "checks", "project.edit", under="screening"),
        Entry(39, _("People under watch"), "watch", "project.edit", under="screening"),
        Entry(38, _("Calibration"), "calibration", "project.edit", under="stages"),
        Entry(45, _("Target models"), "targets", "judges.run", under="rubrics"),
        Entry(61, _("Rubric results"), "rubric-results", "dashboard.read"),
        Entry(62, _("Graded responses"), "rubric-responses", "answers.read", under="rubric-results"),
    ),
    setup_steps=(
        Step(26, _("Write the rubrics"), "rubrics", of_rubrics.writing),
        Step(28, _("Screen who takes part"), "screening", of_screening.screening, is_optional=True),
        Step(36, _("Check the work"), "watch", of_screening.watching, is_optional=True),
        Step(45, _("Collect the responses"), "targets", of_judging.responses),
        Step(50, _("Let models judge"), "judges", of_judging.graders, is_optional=True),
        Step(60, _("Read the rubric results"), "rubric-results", of_reports.rubric_figures),
        Step(71, _("Take the gold"), "gold", of_reports.rubric_gold),
    ),
)
