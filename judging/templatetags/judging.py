from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import SpanPart
from judging.ensembles import TIE, TOO_FEW
from judging.kinds import judge_kind
from judging.kinds.options import MAX_OUTPUT_TOKENS, SENT, SEVERAL_PLACES, in_words
from judging.models import Judge
from projects.access import PERMISSIONS
from projects.models import Project, RaterKind
from rubrics.models import VerdictValue

register = template.Library()


@register.filter
def kind_name(judge: Judge) -> str:
    """What the judge is asked for."""
    return judge_kind(judge.kind).name


@register.filter
def idle(judge: Judge) -> str:
    """Why there may be nothing to ask the judge about; empty where that is plain from the numbers."""
    return judge_kind(judge.kind).idle


@register.filter
def withheld(judge: Judge) -> str:
    """What is left out because the judge's own laboratory has a part in it."""
    return judge_kind(judge.kind).withheld


@register.filter
def not_ready(judge: Judge) -> str:
    """What is meant by responses that cannot be asked about yet."""
    return judge_kind(judge.kind).not_ready


@register.filter
def settings_in_words(judge: Judge) -> list[str]:
    """How the judge is set up, and what is sent with each of its requests because somebody set it."""
    sent = dict(judge.options)
    if judge.max_output_tokens != MAX_OUTPUT_TOKENS.default:
        sent[MAX_OUTPUT_TOKENS.name] = judge.max_output_tokens
    return in_words((*judge_kind(judge.kind).options, *SENT), sent)


@register.filter
def is_stored_whole(judge: Judge) -> bool:
    """Whether one answer is made of all questions about a response."""
    return judge_kind(judge.kind).is_stored_whole


@register.filter
def unit_name(judge: Judge, unit: int) -> str:
    """What a call's number stands for within its response; empty where it stands for nothing that has a name."""
    label = judge_kind(judge.kind).unit_label
    return str(label) % {"number": unit + 1} if label and unit >= 0 else ""


@register.filter
def duration(seconds: int) -> str:
    """Seconds as a person says them: under a minute in seconds, under an hour in minutes, else in hours."""
    if seconds < 60:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    minutes = round(seconds / 60)
    if minutes < 60:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = round(minutes / 60)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}


@register.filter
def verdict_label(value: str) -> str:
    """What a judge said of a criterion, as people are shown it everywhere."""
    return str(VerdictValue(value).label)


@register.filter
def panel_reason(reason: str) -> str:
    """Why a panel has no answer on an item."""
    reasons = {TIE: _("members evenly divided"), TOO_FEW: _("too few members answered")}
    return reasons.get(reason, _("not graded by a person yet"))


@register.filter
def undefined_reason(reason: str) -> str:
    """Why a figure has no value: the fixed words of agreement/, in the reader's language."""
    return _(reason)


@register.filter
def is_parted_by_people_alone(project: Project) -> bool:
    """That people mark errors in several places here and no judge that marks may: several places tell a reviewer whose
    a mark is. Only whoever can change that is told. Two statements."""
    if not project.viewer_roles & PERMISSIONS["judges.run"]:
        return False
    marking = Judge.objects.filter(project=project, kind="spans", is_active=True)
    may_name_several = [bool(options.get(SEVERAL_PLACES.name)) for options in marking.values_list("options", flat=True)]
    if not may_name_several or any(may_name_several):
        return False
    parts = SpanPart.objects.filter(span__response__project=project, span__rater__kind=RaterKind.HUMAN)
    return parts.exists()
