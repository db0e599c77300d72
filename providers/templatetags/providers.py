from decimal import Decimal

from django import template
from django.utils.translation import gettext_lazy

from providers.capabilities import FLAGS
from providers.models import ServedModel
from providers.prices import in_dollars
from providers.problem_texts import in_words

register = template.Library()
register.filter(in_words)

# What the test of a model can leave out of its request (providers/probing.py).
PARAMETERS = {
    "schema": gettext_lazy("JSON Schema"),
    "object": gettext_lazy("JSON object"),
    "logprobs": gettext_lazy("log probabilities"),
    "seed": gettext_lazy("seed"),
    "temperature": gettext_lazy("temperature"),
    "limit": gettext_lazy("the usual name of the limit of length"),
}


@register.filter
def dollars_to_the_millionth(billionths: int) -> str:
    """An amount that is counted in billionths of a US dollar, to the millionth."""
    if 0 < billionths < 500:
        return "< $0.000001"
    amount = f"{in_dollars(billionths):.6f}".rstrip("0")
    return f"${amount}0" if amount.endswith(".") else f"${amount}"


@register.filter
def price(amount: Decimal) -> str:
    """US dollars with the digits that they have."""
    return f"${amount.normalize():f}"


@register.filter
def known_flags(served: ServedModel) -> list[tuple[str, bool | None]]:
    """What a model takes and gives, as it is known: yes, no, or None."""
    return [(flag_name(name), getattr(served, name)) for name in FLAGS]


@register.filter
def seen_flags(seen: dict) -> list[tuple[str, bool | None]]:
    """The same as a test saw it."""
    return [(flag_name(name), seen.get("flags", {}).get(name)) for name in FLAGS]


def flag_name(name: str) -> str:
    return str(ServedModel._meta.get_field(name).verbose_name)  # type: ignore[union-attr]


@register.filter
def parameter_names(left_out: list[str]) -> str:
    """What a request left out, in words."""
    return ", ".join(str(PARAMETERS.get(name, name)) for name in left_out)
