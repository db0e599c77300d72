"""What calls cost, in billionths of a US dollar: whole numbers, rounded up, so that sums are exact and not too low."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from judging.models import Judge, ServedModel

BILLION = 10**9


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


def prices_of(judges: Iterable[Judge]) -> dict[int, Price]:
    """By id of judge, of those whose model has a price. One statement."""
    judges = list(judges)
    served = ServedModel.objects.filter(provider__in={judge.provider_id for judge in judges}, input_price__isnull=False)
    rows = served.values_list("provider", "name", "input_price", "output_price")
    of_model = {(provider, name): Price.of(read, written) for provider, name, read, written in rows}
    priced = ((judge.pk, of_model.get((judge.provider_id, judge.model))) for judge in judges)
    return {pk: price for pk, price in priced if price is not None}


def price_of(judge: Judge) -> Price | None:
    """None where nobody has said what its model costs: then no call of it has a cost."""
    return prices_of([judge]).get(judge.pk)


def in_billionths(dollars: Decimal) -> int:
    return int(dollars * BILLION)


def in_dollars(billionths: int) -> Decimal:
    return Decimal(billionths) / BILLION
