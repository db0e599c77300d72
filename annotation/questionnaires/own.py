"""Of which target models an answer to a questionnaire is: judges are not heard about those of their own laboratory."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from annotation.models import QuestionnaireAnswer
from formats.layout import JUDGED
from projects.among import Among
from projects.models import Project
from projects.own_laboratories import about_own

#: Paths from an answer to the target models that it is about.
MODELS = (
    *("response__target_model", "prompt__responses__target_model"),
    *("pair__first__target_model", "pair__second__target_model"),
)


def of_prompts_alone(project: Project) -> Q:
    """A condition on answers: they are to questionnaires that show no response, so that they are about no model. One
    statement."""
    stages = project.stages.exclude(ask=[]).values_list("pk", "show")
    return Q(stage__in=Among(pk for pk, show in stages if not set(JUDGED) & set(show)))


def about_own_laboratory(project: Project, judges: Collection[int]) -> QuerySet[QuestionnaireAnswer]:
    """The answers of these judges (ids of their raters) about models of their own laboratory. Three statements."""
    own = QuestionnaireAnswer.objects.filter(about_own(project, judges, *MODELS))
    return own.exclude(of_prompts_alone(project))
