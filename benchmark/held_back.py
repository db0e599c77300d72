"""Which texts of a project are held back: prompts of held-back questions, and what models answered to them.

Whatever leaves with such a text says so beside it, with the canary of the question set, so that it can be kept out of
training and of what is published.
"""

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from benchmark.models import Question
from projects.models import Project, Prompt


def held_back(prompt: str = "prompt") -> Exists:
    """Whether the prompt that the path leads to is that of a held-back question, in whichever version of a set."""
    return Exists(Question.objects.filter(prompt=OuterRef(prompt), is_held_back=True))


def canary_of(prompt: str = "prompt") -> Subquery:
    """The canary of the newest version that holds the question back, as a UUID; None where none does."""
    questions = Question.objects.filter(prompt=OuterRef(prompt), is_held_back=True)
    return Subquery(questions.order_by("-pk").values("question_set__canary")[:1])


def held_back_prompts(project: Project) -> QuerySet[Prompt]:
    return Prompt.objects.filter(held_back("pk"), project=project)


def canaries(prompts: QuerySet[Prompt]) -> list[str]:
    """The canaries of the sets that hold these prompts back, sorted."""
    of_sets = Question.objects.filter(prompt__in=prompts, is_held_back=True).order_by()
    return sorted(str(canary) for canary in of_sets.values_list("question_set__canary", flat=True).distinct())
