"""What templates of a board say of models."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop, ngettext

from agreement.answers import alternatives
from agreement.answers.fixed import LANGUAGE
from agreement.answers.states import State
from agreement.drift import DRIFTED, STEADY, UNCERTAIN, UNKNOWN
from agreement.figures import Figure
from agreement.ranks import CLUSTER
from benchmark.models import FlagKind, Question
from projects import directions
from projects.directions import direction
from projects.enumeration import in_parts
from reports.dashboard.wording import number
from reports.leaderboard.measures.tables import size_name
from reports.templatetags.figures import rests_on

register = template.Library()
register.filter("size_name", size_name)


@register.filter
def flag_name(kind: str) -> str:
    return str(FlagKind(kind).label)


@register.filter
def counted(shown: Figure) -> str:
    """What an interval rests on: n, and where its units are passages, how many these are and the effective number."""
    words = directions.set_apart(rests_on(shown))
    if shown.detail.get("unit") != CLUSTER:
        return words
    units = shown.detail["units"]
    said = ngettext("%(units)s passage", "%(units)s passages", units) % {"units": number(units, "count")}
    parts = [words, said]
    if (effective := shown.detail.get("effective")) is not None:
        parts.append(gettext("effective number %(n)s") % {"n": number(round(effective), "count")})
    return in_parts(parts)


@register.filter
def score_bar(shown: Figure, highest: float = 10) -> SafeString:
    """A score of 0 to `highest` as a bar, its interval as a line on it; nothing where there is no score.

    The number beside it says the same, so that it is a picture only."""
    if shown.value is None:
        return mark_safe("")
    value, low, high = (
        None if at is None else round(100 * min(max(at, 0), highest) / highest, 1)
        for at in (shown.value, shown.low, shown.high)
    )
    interval = ""
    if low is not None and high is not None:
        interval = format_html('<path class="score-bar__interval" d="M{0} 1V9M{0} 5H{1}M{1} 1V9"/>', low, high)
    return format_html(
        '<svg class="score-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="score-bar__track" y="2" width="100" height="6"/>'
        '<rect class="score-bar__value" y="2" width="{}" height="6"/>{}</svg>',
        value,
        interval,
    )


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
def p_value(p: float) -> str:
    """As "p = 0.0012"; what is smaller than a computer's arithmetic is worth says so."""
    return "p < 1e-9" if p < 1e-9 else f"p = {p:.2g}"


@register.filter
def in_words(reason: str) -> str:
    """A fixed reason in the reader's language."""
    return gettext(reason) if reason else ""


@register.filter
def apart(name: str) -> str:
    """A model's name within a sentence, running as its own letters do."""
    return directions.set_apart(name)


FIXED_RULES = {
    LANGUAGE: gettext_noop("language"),
    State.EMPTY: gettext_noop("empty"),
    State.TRUNCATED: gettext_noop("cut short"),
    State.REFUSED: gettext_noop("declined to answer"),
    alternatives.NAME: gettext_noop("several answers"),
}


@register.filter
def fixed_rule_name(rule: str) -> str:
    """A fixed rule in the reader's language."""
    return gettext(FIXED_RULES.get(rule, rule_name(rule)))


@register.filter
def rule_name(rule: str) -> str:
    """The rule as documents and files call it, in words."""
    return rule.replace("_", " ")


@register.filter
def direction_of(question: Question, answer: str) -> str:
    """How an answer runs: as the letters behind its label do, and as its question does where there are none."""
    return direction(answer, question.answer_direction) if question.options else "auto"
