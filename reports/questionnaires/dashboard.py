"""The dashboard of questionnaires, as page, command and programming interface know it."""

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models import QuestionnaireAnswer
from projects.models import Project
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Group, Source
from reports.progress import progress
from reports.questionnaires.measures import answers, judges
from reports.questionnaires.reader import Reader
from reports.questionnaires.results import QuestionnaireResults


def answers_of(project: Project) -> list[QuerySet[QuestionnaireAnswer]]:
    return [QuestionnaireAnswer.objects.filter(stage__project=project)]


QUESTIONNAIRES = Dashboard(
    area="questionnaires",
    page="questionnaire-results",
    title=_("Results of questionnaires"),
    lead=_("What people answered to each question, and how far they agree. Brackets hold the 95 % interval."),
    empty=_("Figures appear here once a questionnaire was answered."),
    source=Source(Reader(), QuestionnaireResults),
    groups=(Group(answers, ("answers",)), Group(judges, ("answers",), title=_("Judges beside people"))),
    first=(progress,),
    answers=answers_of,
)
