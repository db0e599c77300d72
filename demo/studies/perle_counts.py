"""How many prompts, responses and errors a generated study of rubrics has: the counts of Perle.

Those of prompts, responses, Iraqi errors and Egyptian hallucinations are published (arXiv 2607.00139, sections 3.3,
5.1 and 5.5); where a figure says how many of them are whose, it is kept, and the rest is chosen to add up. Mean
scores are those of Table 4, errors of judges those of Tables 5 and 7, errors on targets those of Table 6.
"""

from dataclasses import dataclass
from random import Random

from demo.studies.leniency import GeneratedJudge

VARIETIES = ("ar-EG", "ar-IQ")
SCOPES = ("cultural", "linguistics")
PROMPTS = {"ar-EG": {"cultural": 38, "linguistics": 32}, "ar-IQ": {"cultural": 15, "linguistics": 18}}

# Name, laboratory, and how many Egyptian prompts it has not answered.
GEMINI, MUSE, GROK = "gemini-3.1-pro-preview", "Muse Spark", "grok-4.3"
TARGETS = ((GEMINI, "Google", 0), (MUSE, "Meta", 2), (GROK, "xAI", 5))

# Of the mean absolute errors by scope, cultural first, those of three judges are published, and of Claude's their
# difference; the others are chosen so that all judges together err on each target as published.
JUDGES = (
    GeneratedJudge("gpt-5.4", "OpenAI", -1.12, dict(zip(SCOPES, (12.20, 8.20), strict=True))),
    GeneratedJudge("gemini-3.1-pro-preview", "Google", 3.32, dict(zip(SCOPES, (12.44, 9.24), strict=True))),
    GeneratedJudge("claude-opus-4.7", "Anthropic", 6.10, dict(zip(SCOPES, (12.31, 9.71), strict=True))),
    GeneratedJudge("qwen-plus", "Alibaba", 6.56, dict(zip(SCOPES, (13.33, 11.50), strict=True)), 2, MUSE),
    GeneratedJudge("grok-4.3", "xAI", 2.01, dict(zip(SCOPES, (15.37, 10.59), strict=True))),
)
# Mean absolute error of all judges on what a target wrote.
TARGET_MAD = {GEMINI: 12.00, MUSE: 10.05, GROK: 12.77}

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
# Mean score in percent by target, in the order of SCOPES (section 5.1). What that leaves open is chosen so that the
# mean of each target is that of Table 6 and linguistics stand above culture but for Grok.
SCORES = {
    "ar-IQ": {GEMINI: (16.67, 32.47), MUSE: (-23.15, -13.70), GROK: (-8.00, -10.20)},
    "ar-EG": {GEMINI: (66.75, 95.21), MUSE: (64.09, 68.00), GROK: (19.29, 8.40)},
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
