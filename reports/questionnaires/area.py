"""Questionnaires: a lead says in a few lines what a screen shows and asks."""

from django.utils.translation import gettext_lazy as _

from annotation.importing.questionnaire_gold import QuestionnaireGold
from annotation.importing.questionnaires import QuestionnaireAnswers
from annotation.models import QuestionnaireAnswer
from annotation.presets import QUESTIONNAIRES as PRESET
from annotation.questionnaires.own import MODELS, of_prompts_alone
from annotation.questionnaires.task import QuestionnaireTaskType
from judging import steps as of_judging
from judging.ensembles.questionnaires import QuestionnairePanels
from judging.kinds.questionnaire.kind import Questionnaires
from judging.models import Purpose
from projects import project_steps
from projects.navigation import Entry
from projects.own_laboratories import Judged
from projects.steps import Step
from reports.areas import Area
from reports.questionnaires.card import QUESTIONNAIRE_GOLD
from reports.questionnaires.cases import PartCases, PartCasesOfPrompts
from reports.questionnaires.dashboard import QUESTIONNAIRES as DASHBOARD
from screening import steps as of_screening
from screening.checks.kinds.questionnaires import QuestionnaireChecks

QUESTIONNAIRES = Area(
    name="questionnaires",
    preset=PRESET,
    task_types=(QuestionnaireTaskType(),),
    # What people answered is the measure; judges never make gold of it.
    purpose=Purpose.EVALUATION,
    judge_kinds=(Questionnaires(),),
    ensembles=(QuestionnairePanels(),),
    judged=Judged(
        "questionnaires",
        QuestionnaireAnswer,
        MODELS,
        of_prompts_alone,
    ),
    check_kinds=(QuestionnaireChecks(),),
    case_kinds=(PartCases(), PartCasesOfPrompts()),
    formats=(QuestionnaireAnswers, QuestionnaireGold),
    gold=QUESTIONNAIRE_GOLD,
    dashboards=(DASHBOARD,),
    menu=(
        Entry(11, _("Case book"), "cases", "work.claim", under="work"),
        Entry(38, _("Checks"), "checks", "project.edit", under="stages"),
        Entry(39, _("People under watch"), "watch", "project.edit", under="stages"),
        Entry(45, _("Target models"), "targets", "judges.run", under="stages"),
        Entry(46, _("Pairs"), "pairs", "project.edit", under="stages"),
        Entry(61, _("Results of questionnaires"), "questionnaire-results", "dashboard.read"),
        Entry(62, _("Raw answers"), "frames", "answers.read", under="questionnaire-results"),
    ),
    setup_steps=(
        Step(19, _("Collect the responses"), "targets", of_judging.responses, is_optional=True),
        Step(20, _("Import responses"), "import", project_steps.texts),
        Step(36, _("Check the work"), "watch", of_screening.watching, is_optional=True),
        Step(50, _("Let models judge"), "judges", of_judging.answerers, is_optional=True),
    ),
)
