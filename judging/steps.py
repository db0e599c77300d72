"""How far judges are with a project."""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Marking, QuestionnaireAnswer, Rating
from benchmark.models import RuleScore
from judging.collecting.summaries import overview
from judging.models import ANSWERED, Call
from projects.collecting_gates import gate_of
from projects.models import Project, RaterKind
from projects.project_steps import texts
from projects.steps import BEGUN, DONE, OPEN
from rubrics.models import Grade, GradeRole


def judges(project: Project) -> tuple[str, str]:
    came = Marking.objects.filter(response__project=project, rater__kind=RaterKind.JUDGE)
    text = _("Set up a judge and let it mark the same responses; nobody who annotates sees what it says.")
    return let_judge(project, ("spans",), came, text)


def graders(project: Project) -> tuple[str, str]:
    came = Grade.objects.filter(response__project=project, role=GradeRole.JUDGE)
    text = _("Set up a judge and let it grade the same responses; nobody who grades sees what it says.")
    return let_judge(project, ("rubric",), came, text)


def raters(project: Project) -> tuple[str, str]:
    came = Rating.objects.filter(question__project=project, rater__kind=RaterKind.JUDGE)
    text = _("Set up a judge and let it rate the same responses; nobody who rates sees what it says.")
    return let_judge(project, ("pointwise", "pairwise"), came, text)


def answerers(project: Project) -> tuple[str, str]:
    came = QuestionnaireAnswer.objects.filter(stage__project=project, rater__kind=RaterKind.JUDGE)
    text = _("Set up a judge and let it answer the same questions; nobody who answers sees what it says.")
    return let_judge(project, ("questionnaire",), came, text)


def scorers(project: Project) -> tuple[str, str]:
    came = RuleScore.objects.filter(answer__configuration__project=project, rater__kind=RaterKind.JUDGE)
    text = _("Set up a judge and let it score what no rule can compute.")
    return let_judge(project, ("reference",), came, text)


def let_judge(project: Project, kinds: Sequence[str], came: QuerySet, otherwise: str) -> tuple[str, str]:
    """Done when a model was asked and has answered; answers that came in a file are named, and are no such thing."""
    ours = project.judges.filter(kind__in=kinds)
    if n := ours.filter(Exists(Call.objects.filter(judge=OuterRef("pk"), state__in=ANSWERED))).count():
        return DONE, ngettext("%(n)d judge has answered.", "%(n)d judges have answered.", n) % {"n": n}
    if n := came.values("rater").distinct().count():
        text = ngettext(
            "Answers of %(n)d judge came in a file. No model has been asked from here.",
            "Answers of %(n)d judges came in a file. No model has been asked from here.",
            n,
        )
        return OPEN, text % {"n": n}
    if ours.exists():
        return BEGUN, _("A judge is set up and has not answered yet.")
    return OPEN, otherwise


def responses(project: Project) -> tuple[str, str]:
    targets = overview(project)
    if not targets.endpoints and project.responses.exists():
        return texts(project)  # they came in a file
    if not targets.endpoints:
        return OPEN, _("Say which models answer the prompts; those without an API are asked by hand.")
    waits = gate_of(project) is not None
    if not targets.frozen:
        if not waits:
            return BEGUN, _("Target models are set up. Import the prompts that they are to be asked.")
        return BEGUN, _("Target models are set up. Their responses are collected once rubrics are frozen.")
    missing = sum(summary.left + summary.under_way for summary in targets.endpoints)
    if missing:
        message = ngettext(
            "%(n)d response is missing for prompts whose rubrics are frozen.",
            "%(n)d responses are missing for prompts whose rubrics are frozen.",
            missing,
        )
        if not waits:
            message = ngettext("%(n)d response is missing.", "%(n)d responses are missing.", missing)
        return BEGUN, message % {"n": missing}
    if not waits:
        return DONE, _("Every target model was asked every prompt.")
    return DONE, _("Every target model was asked every prompt whose rubric is frozen.")
