"""Gold of what questionnaires ask, part by part, from people's answers: expert first, then the majority, of numbers and
of ranks the mean. The rules are those of `annotation/consensus.py`; free text has no gold."""

from agreement.consensus import Gold, Nominal
from annotation.consensus import MAJORITY, MEAN, consensus_of_grades
from formats.layout import Asked, Type
from reports.questionnaires.reader import Values


def rule_of(part: Asked) -> str:
    """A number and a rank have no majority: hardly two people give the same."""
    return MEAN if part.type in (Type.NUMBER, Type.RANKING) else MAJORITY


def scale_of(part: Asked) -> tuple[int, int] | None:
    """Lowest and highest value of the part as `Values` has them; `Nominal` of names without an order."""
    if part.type == Type.CHOICES:
        return Nominal(0, 1)
    if part.type == Type.CHOICE:
        last = len(part.options) - 1
        return (0, last) if part.is_ordered else Nominal(0, last)
    if part.type == Type.SCALE:
        assert part.lowest is not None
        assert part.highest is not None
        return int(part.lowest), int(part.highest)
    return None


def gold_of(values: Values) -> Gold:
    """Gold of every item that people answered; of names without an order, of those where one leads."""
    part = values.part
    return consensus_of_grades(values.item, values.value, values.expert, rule_of(part), scale_of(part))
