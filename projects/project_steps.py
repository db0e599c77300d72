"""How far a project is with its texts and its people."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.models import Project, RaterKind
from projects.steps import DONE, OPEN


def texts(project: Project) -> tuple[str, str]:
    n = project.responses.count()
    if not n:
        return OPEN, _("Prompts with the responses of the models you want judged, as JSONL, CSV or TSV.")
    languages = project.responses.values("variety").distinct().count()
    responses = ngettext("%(n)d response", "%(n)d responses", n) % {"n": n}
    varieties = ngettext("%(n)d language variety", "%(n)d language varieties", languages) % {"n": languages}
    return DONE, _("%(responses)s in %(varieties)s.") % {"responses": responses, "varieties": varieties}


def people(project: Project) -> tuple[str, str]:
    n = project.memberships.values("user").distinct().count()
    elsewhere = project.raters.filter(kind=RaterKind.HUMAN, user=None).count()
    if n < 2 and not elsewhere:
        return OPEN, _("Native speakers, two or more to a language. They come by a link.")
    text = ngettext("%(n)d person takes part.", "%(n)d people take part.", n) % {"n": n}
    if elsewhere:
        more = ngettext("%(n)d rater worked elsewhere.", "%(n)d raters worked elsewhere.", elsewhere)
        text = f"{text} {more % {'n': elsewhere}}"
    return DONE, text
