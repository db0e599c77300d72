"""A rubric as people read it, draft or frozen: the codes of its body as words in their language."""

from collections.abc import Iterable
from dataclasses import dataclass

from rubrics.models import Explicitness, Objectivity, Scope, WeightBand


@dataclass(frozen=True, slots=True)
class Line:
    """One criterion; what is not decided yet is empty."""

    number: int
    text: str
    weight: int | None
    band: str
    band_range: str
    objectivity: str
    explicitness: str
    tags: list[str]


@dataclass(frozen=True, slots=True)
class Reading:
    scope: str
    prompt: str
    gold_answer: str
    lines: list[Line]
    kept: list[dict]  # {"number" of the criterion or empty, "words", "reason"} of each finding that was kept

    @property
    def total(self) -> int:
        """S_max: the positive weights together."""
        return sum(line.weight for line in self.lines if line.weight and line.weight > 0)

    @property
    def has_tags(self) -> bool:
        return any(line.tags for line in self.lines)


def readable(body: dict, bands: Iterable[WeightBand]) -> Reading:
    by_slug = {band.slug: band for band in bands}
    numbers = {criterion["key"]: number for number, criterion in enumerate(body["criteria"], start=1)}
    return Reading(
        scope=_label(Scope, body["scope"]),
        prompt=body["prompt"],
        gold_answer=body["gold_answer"],
        lines=[_line(numbers[criterion["key"]], criterion, by_slug) for criterion in body["criteria"]],
        kept=[
            {"number": numbers.get(finding["criterion"], ""), "words": finding["words"], "reason": finding["reason"]}
            for finding in body["accepted"]
        ],
    )


def _line(number: int, criterion: dict, bands: dict[str, WeightBand]) -> Line:
    band = bands.get(criterion["band"])
    return Line(
        number=number,
        text=criterion["text"],
        weight=criterion["weight"],
        band=band.label if band else criterion["band"],
        band_range=f"{band.lowest}–{band.highest}" if band else "",
        objectivity=_label(Objectivity, criterion["objectivity"]),
        explicitness=_label(Explicitness, criterion["explicitness"]),
        tags=criterion.get("tags") or [],  # drafts of before there were tags have none
    )


def _label(choices: type[Scope] | type[Objectivity] | type[Explicitness], value: str) -> str:
    return str(choices(value).label) if value else ""
