"""How far a project is with what it rates on, with its templates, and with settling what was marked."""

from django.db.models import Count, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import GoldAnswer
from projects.models import Localisation, Project
from projects.steps import BEGUN, DONE, OPEN


def refinement(project: Project) -> tuple[str, str]:
    answers = GoldAnswer.objects.filter(response__project=project)
    counts = answers.aggregate(kept=Sum("kept"), open=Sum("open"), pending=Sum("pending"))
    if counts["kept"] is None:
        return OPEN, _("Decide what reviewers leave open, group what is one error, and give every error a category.")
    if counts["open"]:
        n = counts["open"]
        text = ngettext("%(n)d marked span is left to an expert.", "%(n)d marked spans are left to an expert.", n)
        return BEGUN, text % {"n": n}
    if counts["pending"]:
        n = counts["pending"]
        text = ngettext("%(n)d marked span still awaits verdicts.", "%(n)d marked spans still await verdicts.", n)
        return BEGUN, text % {"n": n}
    return DONE, _("Nothing is left open.")


def asking(project: Project) -> tuple[str, str]:
    n, dimensions = project.question_types.count(), project.dimensions.exclude(question_types=None).distinct().count()
    if not n:
        return OPEN, _("What responses are rated on: dimensions, question types, and what each grade means.")
    questions = ngettext("%(n)d question type", "%(n)d question types", n) % {"n": n}
    of = ngettext("%(n)d dimension", "%(n)d dimensions", dimensions) % {"n": dimensions}
    return DONE, _("%(questions)s in %(dimensions)s. Read them before anybody rates.") % {
        "questions": questions,
        "dimensions": of,
    }


def localising(project: Project) -> tuple[str, str]:
    """Done where every template has been put into as many languages as the one that is furthest."""
    per_template = list(project.prompt_templates.annotate(n=Count("localisations")).values_list("n", flat=True))
    if not per_template:
        return OPEN, _(
            "Prompts with placeholders that native speakers put into their language. Other prompts come in a file."
        )
    n = len(per_template)
    templates = ngettext("%(n)d template", "%(n)d templates", n) % {"n": n}
    made = Localisation.objects.filter(template__project=project).count()
    prompts = ngettext("%(n)d prompt", "%(n)d prompts", made) % {"n": made}
    is_done = min(per_template) == max(per_template) > 0
    return DONE if is_done else BEGUN, _("%(templates)s; %(prompts)s made of them so far.") % {
        "templates": templates,
        "prompts": prompts,
    }


def pairing(project: Project) -> tuple[str, str]:
    if n := project.pairs.count():
        return DONE, ngettext("%(n)d pair is there.", "%(n)d pairs are there.", n) % {"n": n}
    return OPEN, _("Say which models meet, where responses are to be rated two by two.")
