from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judging.ensembles import TIE, TOO_FEW
from judging.kinds import judge_kind
from judging.models import Effort, Judge, Orders, Shots
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
def rating_settings(judge: Judge) -> list[str]:
    """How a judge that may be shown examples is set up, in words; nothing of any other."""
    if "shots" not in judge.options:
        return []
    told = [str(Shots(judge.options["shots"]).label)]
    if "examples_seed" in judge.options:
        told.append(_("seed of the examples: %(seed)d") % {"seed": judge.options["examples_seed"]})
    if "rubric" in judge.options:
        told.append(_("with the rubric") if judge.options["rubric"] else _("without the rubric"))
    return told + ([str(Orders(judge.options["orders"]).label)] if "orders" in judge.options else [])


@register.filter
def sent_settings(judge: Judge) -> list[str]:
    """What is sent with each of a judge's requests because somebody set it, in words."""
    told = []
    if "seed" in judge.options:
        told.append(_("seed %(seed)s") % {"seed": judge.options["seed"]})
    if "reasoning" in judge.options:
        told.append(_("reasoning effort: %(effort)s") % {"effort": Effort(judge.options["reasoning"]).label})
    if judge.max_output_tokens != Judge._meta.get_field("max_output_tokens").default:
        told.append(_("at most %(n)s tokens") % {"n": judge.max_output_tokens})
    return told


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
