"""What calls cost, in billionths of a US dollar: whole numbers, rounded up, so that sums are exact and not too low."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, Protocol

from providers.client.replies import Reply
from providers.models import ServedModel

BILLION = 10**9
# Failures of a call whose attempt did come back, with a body that nothing could be read from: it may have been charged.
CAME_BACK = ("body_not_json", "body_too_long", "error_body", "no_choice", "no_message")


@dataclass(frozen=True, slots=True)
class Amount:
    """Billionths of a US dollar, and tokens."""

    money: int = 0
    tokens: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.money + other.money, self.tokens + other.tokens)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.money - other.money, self.tokens - other.tokens)

    def covers(self, other: "Amount") -> bool:
        return self.money >= other.money and self.tokens >= other.tokens


NOTHING = Amount()


class Charge(NamedTuple):
    """What a call cost. `money` is None where its model has no price, `is_bound` where it has no cost.

    It is a bound where the provider did not say how many tokens it counted, or where an attempt broke off that it may
    charge for all the same.
    """

    money: int | None
    tokens: int
    is_bound: bool | None


FREE = Charge(None, 0, None)


@dataclass(frozen=True, slots=True)
class Price:
    """Of a token read and of a token written, in thousandths of a billionth of a US dollar.

    That is the price of a million tokens in millionths of a dollar, the finest that `ServedModel` keeps.
    """

    read: int
    written: int

    @classmethod
    def of(cls, input_price: Decimal, output_price: Decimal) -> "Price":
        """From US dollars for a million tokens."""
        return cls(int(input_price * 10**6), int(output_price * 10**6))

    def cost(self, prompt_tokens: int, completion_tokens: int) -> int:
        return -(-(prompt_tokens * self.read + completion_tokens * self.written) // 1000)


def charge_of(reply: Reply, price: Price | None, sent_bytes: int, most_written: int) -> Charge:
    """The charge of all attempts at a call whose body has `sent_bytes`, and whose answer `most_written` tokens."""
    if not reply.attempts:
        return FREE
    broken_off = reply.uncertain
    is_answered = not reply.failure or (reply.failure in CAME_BACK and not broken_off)
    is_usage_known = reply.prompt_tokens is not None and reply.completion_tokens is not None
    read = (sent_bytes if reply.prompt_tokens is None else reply.prompt_tokens) if is_answered else 0
    written = (most_written if reply.completion_tokens is None else reply.completion_tokens) if is_answered else 0
    read, written = read + broken_off * sent_bytes, written + broken_off * most_written
    if price is None:
        return Charge(None, read + written, None)
    return Charge(price.cost(read, written), read + written, bool(broken_off) or (is_answered and not is_usage_known))


class Asked(Protocol):
    """A judge or a target model: what is asked through a provider."""

    pk: Any
    provider_id: Any
    model: Any


def prices_of(judges: Iterable[Asked]) -> dict[int, Price]:
    """By id of judge (or target model), of those whose model has a price. One statement."""
    judges = list(judges)
    served = ServedModel.objects.filter(provider__in={judge.provider_id for judge in judges}, input_price__isnull=False)
    rows = served.values_list("provider", "name", "input_price", "output_price")
    of_model = {
        (provider, name): Price.of(read, written)
        for provider, name, read, written in rows
        if read is not None and written is not None
    }
    priced = ((judge.pk, of_model.get((judge.provider_id, judge.model))) for judge in judges)
    return {pk: price for pk, price in priced if price is not None}


def price_of(judge: Asked) -> Price | None:
    """None where nobody has said what its model costs: then no call of it has a cost."""
    return prices_of([judge]).get(judge.pk)


def in_billionths(dollars: Decimal) -> int:
    return int(dollars * BILLION)


def in_dollars(billionths: int) -> Decimal:
    return Decimal(billionths) / BILLION
