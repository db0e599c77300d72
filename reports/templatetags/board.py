"""What templates of a board say of models."""

from django import template
from django.utils.translation import gettext, gettext_noop

from agreement.drift import DRIFTED, STEADY, UNCERTAIN, UNKNOWN
from benchmark.models import FlagKind
from reports.leaderboard.measures.tables import size_name

register = template.Library()
register.filter("size_name", size_name)


@register.filter
def flag_name(kind: str) -> str:
    return str(FlagKind(kind).label)


DRIFT_STATES = {
    STEADY: gettext_noop("steady"),
    DRIFTED: gettext_noop("drifted"),
    UNCERTAIN: gettext_noop("uncertain: more anchors would tell"),
    UNKNOWN: gettext_noop("unknown: it takes anchors of six questions"),
}


@register.filter
def drift_state(state: str) -> str:
    return gettext(DRIFT_STATES[state])


@register.filter
def in_words(reason: str) -> str:
    """A fixed reason in the reader's language."""
    return gettext(reason) if reason else ""


@register.filter
def rule_name(rule: str) -> str:
    """The rule as documents and files call it, in words."""
    return rule.replace("_", " ")
