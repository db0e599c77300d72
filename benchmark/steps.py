"""How far the question sets of a project are."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.models import (
    Answer,
    Configuration,
    ConfigurationKind,
    Question,
    QuestionCheck,
    QuestionSet,
    RuleScore,
    Ruling,
)
from projects.models import Project
from projects.steps import BEGUN, DONE, OPEN


def questions(project: Project) -> tuple[str, str]:
    """Done where the project has questions."""
    n = Question.objects.filter(question_set__project=project).count()
    if not n:
        return OPEN, _("Questions with reference answers, as JSONL, CSV or TSV.")
    return DONE, ngettext("%(n)d question is there.", "%(n)d questions are there.", n) % {"n": n}


def freezing(project: Project) -> tuple[str, str]:
    """Done where every set is frozen."""
    states = list(QuestionSet.objects.filter(project=project).values_list("frozen_at", flat=True))
    frozen = sum(1 for state in states if state is not None)
    if not frozen:
        return OPEN, _("A frozen set can no longer be changed: all models answer the same questions.")
    text = ngettext("%(n)d version is frozen", "%(n)d versions are frozen", frozen) % {"n": frozen}
    if drafts := len(states) - frozen:
        more = ngettext("%(n)d is a draft.", "%(n)d are drafts.", drafts) % {"n": drafts}
        return BEGUN, f"{text}; {more}"
    return DONE, f"{text}."


def checking(project: Project) -> tuple[str, str]:
    """Done with the first check: how many it takes is the lead's to say."""
    n = QuestionCheck.objects.filter(question__question_set__project=project).count()
    if not n:
        return OPEN, _("Native speakers answer each question themselves and say whether it is fit.")
    return DONE, ngettext("%(n)d check is handed in.", "%(n)d checks are handed in.", n) % {"n": n}


def models(project: Project) -> tuple[str, str]:
    """Done where a model has a configuration."""
    n = Configuration.objects.filter(project=project, kind=ConfigurationKind.MODEL).count()
    if not n:
        return OPEN, _(
            "A card for each model and a configuration for each way to run it; a file of answers brings them."
        )
    return DONE, ngettext("%(n)d configuration is there.", "%(n)d configurations are there.", n) % {"n": n}


def answers(project: Project) -> tuple[str, str]:
    """Done where models have answered."""
    n = Answer.objects.filter(configuration__project=project).count()
    if not n:
        return OPEN, _("Collect them from models, or import what models wrote elsewhere.")
    return DONE, ngettext("%(n)d answer is there.", "%(n)d answers are there.", n) % {"n": n}


def scoring(project: Project) -> tuple[str, str]:
    """Done where the fixed rules have looked at an answer."""
    scored = Ruling.objects.filter(answer__configuration__project=project).exists()
    return (DONE if scored else OPEN), _("Rules score at once; what only a judge can score waits for one.")


def ranking(project: Project) -> tuple[str, str]:
    """Done where anything has points: then there is a board to read."""
    scored = RuleScore.objects.filter(answer__configuration__project=project).exists()
    return (DONE if scored else OPEN), _("Ranks with what the questions cannot tell apart, by skill, size and source.")
