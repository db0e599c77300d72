"""What several people's answers to a part come to: experts first, by the rule of the part (`Asked.gold`), else by the
majority, of numbers and of ranks the mean.

The rules are those of `annotation/consensus.py`; free text has no gold. No database.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from numpy.typing import ArrayLike

from agreement.consensus import Gold, Nominal, nearest_grade
from annotation.consensus import EXPERT, MAJORITY, MEAN, as_number, consensus_of_grades
from formats.layout import Asked, Type


def rule_of(part: Asked) -> str:
    """The part's own; else the majority, and of numbers and ranks, which hardly two people give alike, the mean."""
    if part.gold:
        return part.gold
    return MEAN if part.type in (Type.NUMBER, Type.RANKING) else MAJORITY


def scale_of(part: Asked) -> tuple[int, int] | None:
    """Lowest and highest value of the part as `as_numbers` has them; `Nominal` of names without an order."""
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


def level_of(part: Asked) -> str:
    """The level of Krippendorff's alpha at which answers to a part are compared."""
    if part.type in (Type.SCALE, Type.RANKING) or part.is_ordered:
        return "ordinal"
    return "interval" if part.type == Type.NUMBER else "nominal"


def consensus_of(part: Asked, items: ArrayLike, values: ArrayLike, is_expert: ArrayLike) -> Gold:
    """Gold of every item from values as `as_numbers` has them, of names without an order of those where one leads.
    Between two answers with an order the gold is the one nearer the middle of them all, at the very middle the lower.
    """
    made = consensus_of_grades(items, values, is_expert, rule_of(part), scale_of(part))
    if part.type == Type.CHOICE and part.is_ordered:
        return replace(made, values=nearest_grade(made.values, 0, len(part.options) - 1).astype(float))
    return made


def as_numbers(part: Asked, value: Any, responses: Collection[str]) -> Iterator[tuple[str, float]]:
    """What of a value can be compared: of any of several each option, 1 or 0; of a ranking the rank of each of these
    responses by its key; of one of several its place, of a grade or number the number, under an empty name.

    Nothing of an open part, but of any of several that may be left open: none chosen is an answer there; and nothing of
    what is no answer to the part: it was given before the part became another one. Free text is 0.
    """
    if part.type == Type.CHOICES:
        if type(value) is list or (value is None and part.is_optional):
            yield from ((option, float(option in (value or ()))) for option in part.options)
    elif part.type == Type.RANKING:
        if isinstance(value, Mapping):
            yield from ((name, float(rank)) for name, rank in value.items() if name in responses)
    elif part.type == Type.CHOICE:
        if value in part.options:
            yield "", float(part.options.index(value))
    elif part.type == Type.TEXT:
        if isinstance(value, str):
            yield "", 0.0
    elif type(value) in (int, float) and _is_within(part, value):
        yield "", float(value)


def _is_within(part: Asked, value: float) -> bool:
    return (part.lowest is None or value >= part.lowest) and (part.highest is None or value <= part.highest)


def gold_value(part: Asked, answers: Sequence[tuple[Any, bool]], responses: Collection[str]) -> Any:
    """The gold of these answers (value, by an expert) as an answer to the part has it; ranks may be halves. None of
    free text, where nobody answered, where of names without an order none leads, and where of any of several, of which
    one must be chosen, none does."""
    return gold_by_item(part, [(answers, responses)])[0]


def gold_by_item(part: Asked, items: Sequence[tuple[Sequence[tuple[Any, bool]], Collection[str]]]) -> list[Any]:
    """The `gold_value` of each of these items, of which `answers` and `responses` are given: all of them at once, for
    looking at one costs about as much as looking at thousands."""
    if part.type == Type.TEXT:
        return [None] * len(items)
    places: dict[tuple[int, str], int] = {}
    rows: list[tuple[int, float, bool]] = []
    for item, (answers, responses) in enumerate(items):
        for value, is_expert in answers:
            for name, number in as_numbers(part, value, responses):
                rows.append((places.setdefault((item, name), len(places)), number, is_expert))
    found: list[dict[str, float]] = [{} for _item in items]
    if rows:
        named = list(places)
        of_place, numbers, experts = zip(*rows, strict=True)
        gold = consensus_of(part, of_place, numbers, experts)
        for place, number in zip(gold.items.tolist(), gold.values.tolist(), strict=True):
            item, name = named[place]
            found[item][name] = number
    return [_as_answer(part, of_item) for of_item in found]


def _as_answer(part: Asked, found: Mapping[str, float]) -> Any:
    if not found:
        return None
    if part.type == Type.CHOICES:
        chosen = [option for option in part.options if found.get(option)]
        return chosen if is_given(part, found) else None
    if part.type == Type.RANKING:
        return dict(found)
    number = found[""]
    if part.type == Type.CHOICE:
        return part.options[int(number)]
    return int(number) if number == int(number) else number


def is_given(part: Asked, found: Mapping[str, float]) -> bool:
    """Whether anybody may answer so: to any of several, of which one must be chosen, not that it is none."""
    return part.type != Type.CHOICES or part.is_optional or any(found.values())


class GoldEntry(TypedDict):
    """The gold of one part as a gold file has it (formats/questionnaire_gold.py)."""

    part: str
    rule: str
    n: int
    value: Any


def gold_entries(
    parts: Sequence[Asked], given: Sequence[tuple[Mapping[str, Any], bool]], responses: Collection[str]
) -> list[GoldEntry]:
    """The gold of every part that has one, from answers (by key of the part, by an expert), one of each person."""
    made: list[GoldEntry] = []
    for part in parts:
        values = [(answers.get(part.key), is_expert) for answers, is_expert in given]
        value = gold_value(part, values, responses)
        if value is None:
            continue
        if isinstance(value, Mapping):
            value = {name: as_number(value[name]) for name in sorted(value)}
        counted = [is_expert for one, is_expert in values if any(True for _ in as_numbers(part, one, responses))]
        experts = sum(counted)
        rule = EXPERT if experts else rule_of(part)
        made.append({"part": part.key, "rule": rule, "n": experts or len(counted), "value": value})
    return made
