"""A study of pairwise ratings at the size of MENLO: 6,423 pairs in 47 varieties, 81,014 grades of 1,934 raters.

`generate(seed)` draws the pairs, the raters and what is true of both: the quality of each response, the severity of
each rater, who is careless, who is an expert. `Study.items` and `Study.answers` yield the lines of the imports, made
while they are read, so that two passes give the same lines. Every line says in its metadata that it was generated.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import NormalDist

from demo.studies.grading import Grading, grading_for
from demo.studies.menlo_counts import (
    CARELESS,
    DIMENSIONS,
    EVERYWHERE,
    JUDGED_WHOLLY,
    JUDGES,
    LASTING,
    MAX_RATERS,
    MIDDLE,
    MIN_RATERS,
    PREFERENCE_SAID,
    TARGETS,
    VALIDATION_EVERY,
    VARIETIES,
    Dimension,
    SimulatedJudge,
)
from formats.item import Item
from formats.item import Pair as PairOfItems

SENTENCES = Path(__file__).parent / "sentences" / "menlo.json"
GENERATED = {"generated": True}
DEFAULT_SEED = 2026
# What a template asks: one of the two questions every variety has, or both in either order.
FORMS = ((0,), (1,), (0, 1), (1, 0))
ENGLISH = (
    "How do people in [locale_country] celebrate {event}?",
    "What does {event} mean to a family in [locale_country]?",
)
EVENTS = ("[locale_event]", "[locale_event_2]")


@cache
def sentences() -> dict[str, dict]:
    """By variety: the local values of placeholders, two questions and five sentences to answer with."""
    return json.loads(SENTENCES.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Template:
    """A prompt before it is put into a language, answered in so many varieties."""

    id: str
    number: int
    dimension: Dimension
    question: str
    split: str
    varieties: tuple[str, ...]

    @property
    def serial(self) -> int:
        """Stands before its words, so that no two templates ask the very same ones."""
        return 100 * (DIMENSIONS.index(self.dimension) + 1) + self.number + 1

    @property
    def text(self) -> str:
        form = FORMS[self.number % len(FORMS)]
        asked = (ENGLISH[each].format(event=event) for each, event in zip(form, EVENTS, strict=False))
        return f"{self.serial}. " + " ".join(asked)

    def localised(self, variety: str) -> tuple[str, dict[str, str]]:
        """The template in a variety, with its placeholders, and the local values of these."""
        words = sentences()[variety]
        form = FORMS[self.number % len(FORMS)]
        asked = [words["ask"][each] for each in form]
        text = f"{self.serial}. " + " ".join(
            each.format(country="[locale_country]", topic=event) for each, event in zip(asked, EVENTS, strict=False)
        )
        topics = words["topics"]
        first = self.number // len(FORMS) + VARIETIES.index(variety)
        values = {"locale_country": words["country"]}
        for step, event in enumerate(EVENTS[: len(form)]):
            values[event.strip("[]")] = topics[(first + step) % len(topics)]
        return text, values

    def prompt(self, variety: str) -> str:
        text, values = self.localised(variety)
        for placeholder, value in values.items():
            text = text.replace(f"[{placeholder}]", value)
        return text


@dataclass
class Pair:
    """Two responses to one prompt; `targets` index TARGETS, `quality` is in steps of the scale."""

    id: str
    template: Template
    variety: str
    targets: tuple[int, int]
    texts: tuple[str, str]
    raters: int = MIN_RATERS
    quality: list[float] = field(default_factory=list)

    def response(self, side: int) -> str:
        return f"{self.id}-{'ab'[side]}"


@dataclass(frozen=True)
class Rater:
    """`severity` is in steps of the scale and sums to zero over the careful raters of a variety and dimension."""

    name: str
    variety: str
    severity: float
    is_careless: bool
    is_expert: bool


@dataclass
class Study:
    seed: int
    templates: list[Template]
    pairs: list[Pair]
    pools: dict[tuple[str, str], list[Rater]]  # by dimension and variety
    gradings: dict[str, Grading]  # by dimension

    @property
    def raters(self) -> list[Rater]:
        return [rater for pool in self.pools.values() for rater in pool]

    def items(self) -> Iterator[Item | PairOfItems]:
        """Two responses and their pair, pair by pair."""
        for pair in self.pairs:
            for side in (0, 1):
                yield self._item(pair, side)
            yield {"kind": "pair", "id": pair.id, "first": pair.response(0), "second": pair.response(1)}

    def _item(self, pair: Pair, side: int) -> Item:
        name, laboratory, _better = TARGETS[pair.targets[side]]
        return {
            "id": pair.response(side),
            "prompt_id": f"p-{pair.id}",
            "prompt": pair.template.prompt(pair.variety),
            "variety": pair.variety,
            "model": name,
            "laboratory": laboratory,
            "response": pair.texts[side],
            "domain": pair.template.dimension.slug,
            "question": pair.template.question,
            "template": pair.template.id,
            "metadata": GENERATED,
        }

    def answers(self) -> Iterator[dict]:
        """What people gave, pair by pair, then what judges gave, judge by judge."""
        rng = Random(f"{self.seed} people")
        for pair in self.pairs:
            slug = pair.template.dimension.slug
            grading = self.gradings[slug]
            for rater in rng.sample(self.pools[slug, pair.variety], pair.raters):
                yield _rating(rng, pair, rater, grading)
        for judge in JUDGES:
            yield from self.verdicts(judge)

    def verdicts(self, judge: SimulatedJudge) -> Iterator[dict]:
        rng = Random(f"{self.seed} {judge.name}")
        about = {
            "kind": "ratings",
            "rater": judge.name,
            "rater_kind": "judge",
            "model": model_of(judge),
            "laboratory": "simulated",
            "simulated": True,
            "metadata": {**GENERATED, "setup": judge.setup, "rubric": judge.with_rubric},
        }
        for pair in self.pairs:
            if pair.template.split != "test" and pair.variety not in JUDGED_WHOLLY:
                continue
            for order in (False, True):
                if judge.is_pairwise:
                    yield {
                        **about,
                        "pair": pair.id,
                        "both_orders": True,
                        "swapped": order,
                        **_seen(rng, pair, judge, order),
                    }
                else:
                    yield {**about, "item": pair.response(order), **_seen_alone(rng, pair.quality[order], judge)}


def model_of(judge: SimulatedJudge) -> str:
    return judge.model.replace(" ", "-")


def _seen(rng: Random, pair: Pair, judge: SimulatedJudge, is_swapped: bool) -> dict:
    if rng.random() < judge.unparseable:
        return {"unparseable": True}
    gains = (0.0, judge.first_position) if is_swapped else (judge.first_position, 0.0)
    together = rng.gauss(0, judge.noise * math.sqrt(judge.shared))
    alone = judge.noise * math.sqrt(1 - judge.shared)
    first, second = (
        nearest(_impression(quality, judge) + gain + together + rng.gauss(0, alone))
        for quality, gain in zip(pair.quality, gains, strict=True)
    )
    return {"first": first, "second": second}


def _seen_alone(rng: Random, quality: float, judge: SimulatedJudge) -> dict:
    if rng.random() < judge.unparseable:
        return {"unparseable": True}
    return {"grade": nearest(_impression(quality, judge) + rng.gauss(0, judge.noise))}


def _impression(quality: float, judge: SimulatedJudge) -> float:
    return MIDDLE + judge.discernment * (quality - MIDDLE) + judge.leniency


def nearest(seen: float) -> int:
    """The grade of 1 to 5 nearest to what a rater sees."""
    return min(5, max(1, math.floor(seen + 0.5)))


def _rating(rng: Random, pair: Pair, rater: Rater, grading: Grading) -> dict:
    if rater.is_careless:
        seen = [float(grade) for grade in rng.choices(range(1, 6), grading.shares().tolist(), k=2)]
    else:
        moment = grading.stray * math.sqrt(1 - LASTING)
        seen = [quality - rater.severity + rng.gauss(0, moment) for quality in pair.quality]
    first, second = (nearest(each) for each in seen)
    line = {
        "kind": "ratings",
        "pair": pair.id,
        "rater": rater.name,
        "rater_kind": "human",
        "first": first,
        "second": second,
        "swapped": rng.random() < 0.5,
        "metadata": GENERATED,
    }
    if rater.is_expert:
        line["expert"] = True
    if rng.random() < PREFERENCE_SAID:
        line["preference"] = _preference(first - second, seen[0] - seen[1])
    return line


def _preference(by_grades: int, by_what_was_seen: float) -> str:
    """Equal grades are a tie, unless one response was seen half a step above the other."""
    difference = by_grades or (by_what_was_seen if abs(by_what_was_seen) > 0.5 else 0)
    return "first" if difference > 0 else "second" if difference < 0 else "tie"


# --- Drawing the study --------------------------------------------------------------------------------


def generate(seed: int = DEFAULT_SEED) -> Study:
    """The study of this seed; the counts are the same whatever the seed."""
    rng = Random(seed)
    templates = [template for dimension in DIMENSIONS for template in _templates(dimension)]
    study = Study(seed, templates, _pairs(rng, templates), {}, {})
    expert_slots = _expert_slots()
    for dimension in DIMENSIONS:
        grading = grading_for(dimension.mean, dimension.std, dimension.alpha, CARELESS)
        study.gradings[dimension.slug] = grading
        pairs = [pair for pair in study.pairs if pair.template.dimension == dimension]
        _deal_qualities(rng, pairs, grading)
        _deal_raters(rng, pairs, dimension.grades // 2)
        sizes = _even(dimension.raters, EVERYWHERE)
        for variety, size in zip(VARIETIES, sizes, strict=True):
            study.pools[dimension.slug, variety] = _pool(
                dimension.slug, variety, size, (dimension.slug, variety) in expert_slots
            )
    _make_known(rng, study)
    return study


def _templates(dimension: Dimension) -> Iterator[Template]:
    for number, count in enumerate((*dimension.test, *dimension.train)):
        is_test = number < len(dimension.test)
        split = "test" if is_test else "train" if (number - len(dimension.test)) % VALIDATION_EVERY else "validation"
        # Where a template was not answered everywhere, the varieties after the last one's begin.
        start = number * 7 % EVERYWHERE
        chosen = {VARIETIES[(start + step) % EVERYWHERE] for step in range(count)}
        yield Template(
            id=f"{dimension.slug}-{number + 1:02}",
            number=number,
            dimension=dimension,
            question=dimension.questions[number % len(dimension.questions)],
            split=split,
            varieties=tuple(variety for variety in VARIETIES if variety in chosen),
        )


def _pairs(rng: Random, templates: list[Template]) -> list[Pair]:
    pairs = []
    for template in templates:
        for variety in template.varieties:
            first, second = rng.sample(range(len(TARGETS)), 2)
            pairs.append(Pair(f"{template.id}-{variety}", template, variety, (first, second), _texts(rng, variety)))
    return pairs


def _texts(rng: Random, variety: str) -> tuple[str, str]:
    """Two different answers of a few sentences."""
    say = sentences()[variety]["say"]
    while True:
        first, second = (" ".join(rng.sample(say, rng.randint(2, len(say)))) for _side in (0, 1))
        if first != second:
            return first, second


def _deal_qualities(rng: Random, pairs: list[Pair], grading: Grading) -> None:
    """Normal over responses, exactly; the prompt, the target model and the response itself have a share in each."""
    drawn = []
    for number, pair in enumerate(pairs):
        of_prompt = rng.gauss(0, 0.5)
        drawn += [
            (TARGETS[target][2] + of_prompt + rng.gauss(0, 0.8), number, side)
            for side, target in enumerate(pair.targets)
        ]
        pair.quality = [0.0, 0.0]
    normal = NormalDist(grading.mean, grading.spread)
    for rank, (_drawn, number, side) in enumerate(sorted(drawn)):
        pairs[number].quality[side] = normal.inv_cdf((rank + 0.5) / len(drawn))


def _deal_raters(rng: Random, pairs: list[Pair], total: int) -> None:
    """Raters per pair, from MIN_RATERS to MAX_RATERS, that add up."""
    left = total - MIN_RATERS * len(pairs)
    free = list(range(len(pairs)))
    for pair in pairs:
        pair.raters = MIN_RATERS
    for _step in range(left):
        place = rng.randrange(len(free))
        pair = pairs[free[place]]
        pair.raters += 1
        if pair.raters == MAX_RATERS:
            free[place] = free[-1]
            free.pop()


def _even(total: int, parts: int) -> list[int]:
    """`total` in nearly equal whole parts, the larger ones spread among the smaller."""
    return [end - start for start, end in pairwise(total * step // parts for step in range(parts + 1))]


def _expert_slots() -> set[tuple[str, str]]:
    """One expert in a variety, and a second one in every other; never two of one dimension."""
    slots = set()
    for number, variety in enumerate(VARIETIES):
        slots.add((DIMENSIONS[number % 4].slug, variety))
        if number % 2:
            slots.add((DIMENSIONS[(number + 2) % 4].slug, variety))
    return slots


def _pool(dimension: str, variety: str, size: int, has_expert: bool) -> list[Rater]:
    return [
        Rater(f"Generated rater {variety} {dimension} {number + 1:02}", variety, 0.0, False, has_expert and number == 0)
        for number in range(size)
    ]


def _make_known(rng: Random, study: Study) -> None:
    """Who is careless, and how severe the others are."""
    careless: set[str] = set()
    for dimension in DIMENSIONS:
        pools = (study.pools[dimension.slug, variety] for variety in VARIETIES)
        people = [rater.name for pool in pools for rater in pool if not rater.is_expert]
        careless |= set(rng.sample(people, round(CARELESS * dimension.raters)))
    for (slug, variety), pool in study.pools.items():
        lasting = study.gradings[slug].stray * math.sqrt(LASTING)
        drawn = {rater.name: rng.gauss(0, lasting) for rater in pool if rater.name not in careless}
        middle = sum(drawn.values()) / len(drawn)
        study.pools[slug, variety] = [
            Rater(
                rater.name,
                variety,
                drawn.get(rater.name, middle) - middle,
                rater.name in careless,
                rater.is_expert,
            )
            for rater in pool
        ]
