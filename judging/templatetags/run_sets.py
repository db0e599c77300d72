"""Figures of runs and run sets in words."""

from collections.abc import Iterator

from django import template
from django.db.models import TextChoices
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from judging.engine.choice import Choice
from judging.engine.estimates import Range
from judging.engine.planning import Plan
from judging.engine.run_sets import SetPlan
from judging.engine.summaries import Progress, SetProgress
from judging.forms.sets import SetForm
from judging.models import PausedBecause, RunState
from projects.enumeration import enumerated
from projects.models import Split
from providers.prices import in_dollars

register = template.Library()
NARROW_SPACE = "\u202f"
WHY_PAUSED = {
    PausedBecause.PERSON: lambda: _("Somebody paused this. What was answered is kept; resume it whenever you like."),
    PausedBecause.BUDGET: lambda: _(
        "The budget has nothing left for another call. What was answered is kept. Raise the limit below, then resume."
    ),
    PausedBecause.PROVIDER: lambda: _(
        "The provider has not answered for a while, so nothing more is sent. What was answered is kept; resume once "
        "the provider is back."
    ),
}


@register.filter
def grouped(number: int) -> SafeString:
    return left_to_right(in_groups(number))


@register.filter
def dollars(billionths: int) -> SafeString:
    """US dollars to the cent; below ten cents with two digits that say something."""
    return left_to_right(in_words(billionths))


def in_words(billionths: int) -> str:
    amount = in_dollars(billionths)
    if not amount or amount >= 1:
        return f"{amount:,.2f}".replace(",", NARROW_SPACE)
    return f"{amount:.2f}" if amount >= 0.1 else f"{amount:.2g}" if amount >= 0.0001 else "< 0.0001"


@register.filter
def dollar_range(money: Range) -> SafeString:
    return from_to(in_words(money.low), in_words(money.high))


@register.filter
def count_range(counts: Range) -> SafeString:
    return from_to(in_groups(counts.low), in_groups(counts.high))


def in_groups(number: int) -> str:
    return f"{number:,}".replace(",", NARROW_SPACE)


def from_to(low: str, high: str) -> SafeString:
    return left_to_right(low if low == high else f"{low} – {high}")


def left_to_right(words: str) -> SafeString:
    """Numbers keep their order on a page that runs from right to left."""
    return format_html('<bdi dir="ltr">{}</bdi>', words)


@register.filter
def sufficiency(plan: SetPlan) -> list[tuple[str, str]]:
    """Whether each limit is enough, by what it is a limit of."""
    limits = ((_("US dollars"), plan.money_suffices), (_("tokens"), plan.tokens_suffice))
    return [(name, suffices.value) for name, suffices in limits if suffices is not None]


@register.filter
def answered_or_called(plan: Plan) -> int:
    return plan.already_marked + plan.already_called


@register.filter
def chosen_values(form: SetForm) -> Iterator[tuple[str, str]]:
    """Names and values as the form was sent, for a form that sends the same again."""
    for name in form.fields:
        for value in form.data.getlist(name):  # type: ignore[attr-defined]
            yield name, value


@register.filter
def choice_in_words(choice: Choice) -> list[str]:
    """What responses it lets through; that it lets all through where it names nothing."""
    words = [enumerated(values) for values in (choice.varieties, choice.target_models, choice.domains) if values]
    if choice.split:
        words.append(str(Split(choice.split).label))
    if choice.search:
        words.append(_("keys with “%(text)s”") % {"text": choice.search})
    if choice.sample is not None:
        words.append(_("a sample of %(n)d, seed %(seed)d") % {"n": choice.sample, "seed": choice.seed})
    return words or [_("all responses")]


@register.filter
def unanswered(progress: Progress) -> list[tuple[TextChoices, int]]:
    """The states that are no answer and occur, with their numbers of calls."""
    return progress.unanswered


@register.filter
def set_state(progress: SetProgress) -> str:
    return str(RunState(progress.state).label)


@register.filter
def why_paused(reason: str) -> str:
    return WHY_PAUSED[PausedBecause(reason)]()
