"""The texts that quizzes examine people with: whoever could read what became of them would know the answers."""

from django.db.models import Q, QuerySet

from projects.models import Project, Prompt
from screening.models import QuizQuestion


def examined(project: Project) -> QuerySet[Prompt]:
    """The prompts of the samples in any quiz of the project."""
    samples = QuizQuestion.objects.filter(quiz__stage__project=project)
    marked, rated = (samples.exclude(**{sample: None}).values(sample) for sample in ("response", "pair"))
    answered = Prompt.objects.filter(Q(responses__in=marked) | Q(pairs__in=rated), project=project)
    return Prompt.objects.filter(pk__in=answered.values("pk"))
