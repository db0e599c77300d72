"""Questionnaires: a lead says in a few lines what a screen shows and asks."""

from django.utils.translation import gettext_lazy as _

from annotation.importing.questionnaires import QuestionnaireAnswers
from annotation.presets import QUESTIONNAIRES as PRESET
from annotation.questionnaires.task import QuestionnaireTaskType
from judging import steps as of_judging
from projects import project_steps
from projects.navigation import Entry
from projects.steps import Step
from reports.areas import Area
from reports.questionnaires.dashboard import QUESTIONNAIRES as DASHBOARD

QUESTIONNAIRES = Area(
    name="questionnaires",
    preset=PRESET,
    task_types=(QuestionnaireTaskType(),),
    formats=(QuestionnaireAnswers,),
    dashboards=(DASHBOARD,),
    menu=(
        Entry(45, _("Target models"), "targets", "judges.run", under="stages"),
        Entry(46, _("Pairs"), "pairs", "project.edit", under="stages"),
        Entry(61, _("Results of questionnaires"), "questionnaire-results", "dashboard.read"),
        Entry(62, _("Raw answers"), "frames", "answers.read", under="questionnaire-results"),
    ),
    setup_steps=(
        Step(19, _("Collect the responses"), "targets", of_judging.responses, is_optional=True),
        Step(20, _("Import responses"), "import", project_steps.texts),
    ),
)
