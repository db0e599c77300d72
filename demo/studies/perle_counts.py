"""How many prompts, responses and errors a generated study of rubrics has: the counts of Perle.

Those of prompts, responses, Iraqi errors and Egyptian hallucinations are published (arXiv 2607.00139, sections 3.3,
5.1 and 5.5); where a figure says how many of them are whose, it is kept, and the rest is chosen to add up. Pass
rates are chosen so that the mean scores come near those of Table 4.
"""

from dataclasses import dataclass
from random import Random

VARIETIES = ("ar-EG", "ar-IQ")
SCOPES = ("cultural", "linguistics")
PROMPTS = {"ar-EG": {"cultural": 38, "linguistics": 32}, "ar-IQ": {"cultural": 15, "linguistics": 18}}

# Name, laboratory, and how many Egyptian prompts it has not answered.
GEMINI, MUSE, GROK = "gemini-3.1-pro-preview", "Muse Spark", "grok-4.3"
TARGETS = ((GEMINI, "Google", 0), (MUSE, "Meta", 2), (GROK, "xAI", 5))

FAILURE_TYPES = (
    "cultural-misattribution",
    "ambiguous-framing",
    "omission",
    "hallucination",
    "irrelevant-addition",
    "rendering-failure",
)
# Per target, in the order of FAILURE_TYPES. Iraqi: 172, 172, 145, 140, 38 and 0 together.
ERRORS = {
    "ar-IQ": {GEMINI: (45, 55, 22, 30, 20, 0), MUSE: (74, 73, 47, 48, 12, 0), GROK: (53, 44, 76, 62, 6, 0)},
    "ar-EG": {GEMINI: (1, 3, 10, 30, 5, 0), MUSE: (1, 3, 25, 33, 8, 0), GROK: (1, 3, 30, 106, 4, 0)},
}
# Share of positive criteria that pass, by target, in the order of SCOPES.
PASSED = {
    "ar-IQ": {GEMINI: (0.75, 0.85), MUSE: (0.70, 0.76), GROK: (0.42, 0.52)},
    "ar-EG": {GEMINI: (0.80, 0.985), MUSE: (0.83, 0.65), GROK: (0.57, 0.42)},
}
# Errors are likelier in responses to cultural prompts, where the scores of the two scopes lie apart.
LIKELIER_IF_CULTURAL = {"ar-IQ": 1.2, "ar-EG": 1.6}

# Weight bands of the preset: how many criteria of each a rubric has, and their weights.
BANDS = {"core-term": (1, 8, 10), "meaning": (2, 5, 9), "cultural-depth": (2, 3, 7), "dialect": (1, 3, 5)}
ERROR_WEIGHTS = {"ar-EG": (-7, -3), "ar-IQ": (-6, -2)}


@dataclass(frozen=True)
class Place:
    """A response that errors can be dealt to: how likely it is, and how many of one type it has room for."""

    item: str
    weight: float
    room: int


def deal(rng: Random, count: int, places: list[Place]) -> dict[str, int]:
    """So many errors over responses, more to likelier ones, none beyond its room. Raises ValueError without room."""
    if count > sum(place.room for place in places):
        raise ValueError(f"there is no room for {count} errors")
    dealt = dict.fromkeys((place.item for place in places), 0)
    for _ in range(count):
        free = [place for place in places if dealt[place.item] < place.room]
        dealt[rng.choices(free, [place.weight for place in free])[0].item] += 1
    return dealt
