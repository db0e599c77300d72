"""How the simulated model rates one response or two: what each is worth, slips, and a liking for what it reads first.

A response is worth what it says of itself in the words "simulated quality 3.7"; one that says nothing of the kind
is worth what a hash of its text says, the same for every model. A model adds to that its `Leaning`: `lenient` grades
more to everything, `noise` (a standard deviation, in grades) drawn by a hash of the seed, the model, the instructions
and the texts, `first` grades more to what stands first of two, and `verbose` grades more for each doubling of the
length from USUAL characters on. The sum is rounded and kept on the scale. So
whoever knows what the responses are worth knows what grades to expect of a judge.
"""

import hashlib
import re
from dataclasses import dataclass
from math import log2
from statistics import NormalDist

QUALITY = re.compile(r"simulated quality (\d+(?:\.\d+)?)")
# In whatever language it is told: a line with two numbers, and under it the grades, of which the first number is first.
SCALE = re.compile(r"^[^\n0-9]*?(-?[0-9]+)[^\n0-9]+?(-?[0-9]+)[^\n0-9]*\n- \1(?![0-9])", re.M)
#: Characters; a response of this length is worth to a verbose model what it is worth.
USUAL = 200
REASONING = "Simulated: graded by a hash, and by what the text says of its own quality."


@dataclass(frozen=True, slots=True)
class Leaning:
    """In grades of the scale: what is given to every response, to the one that stands first, by chance, and for
    twice the length."""

    lenient: float = 0.0
    first: float = 0.0
    noise: float = 0.0
    verbose: float = 0.0


FAIR = Leaning()


def share(*parts: str) -> float:
    """A number between 0 and 1, always the same for the same parts."""
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
    return (int.from_bytes(digest[:6], "big") + 0.5) / 2**48


def worth(response: str, lowest: int, highest: int) -> float:
    """What a response is truly worth, on this scale."""
    match = QUALITY.search(response)
    if match:
        return float(match[1])
    return lowest - 0.5 + share("worth", response) * (highest - lowest + 1)


def felt(stirred: str, response: str, lowest: int, highest: int, leaning: Leaning, is_first: bool = False) -> float:
    """What the model takes a response to be worth, before it rounds."""
    return leaned(stirred, response, worth(response, lowest, highest), leaning) + (leaning.first if is_first else 0.0)


def leaned(stirred: str, response: str, true: float, leaning: Leaning) -> float:
    """What a response of true worth seems to be worth, but for what stands first."""
    chance = NormalDist().inv_cdf(share(stirred, response)) * leaning.noise if leaning.noise else 0.0
    length = leaning.verbose * log2(max(1, len(response)) / USUAL)
    return true + leaning.lenient + chance + length


def scale_of(instructions: str) -> tuple[int, int]:
    match = SCALE.search(instructions)
    return (int(match[1]), int(match[2])) if match else (1, 5)


def on_scale(value: float, lowest: int, highest: int) -> int:
    return min(max(round(value), lowest), highest)


def grade_one(stirred: str, response: str, instructions: str, leaning: Leaning) -> dict:
    scale = scale_of(instructions)
    return {"reasoning": REASONING, "grade": on_scale(felt(stirred, response, *scale, leaning), *scale)}


def grade_two(stirred: str, responses: tuple[str, str], instructions: str, leaning: Leaning) -> dict:
    """Grades of both, or which is better by more than a quarter of a grade where a preference is asked for."""
    scale = scale_of(instructions)
    first = felt(stirred, responses[0], *scale, leaning, is_first=True)
    second = felt(stirred, responses[1], *scale, leaning)
    if '"preference"' in instructions:
        preferred = "tie" if abs(first - second) <= 0.25 else "A" if first > second else "B"
        return {"reasoning": REASONING, "preference": preferred}
    return {"reasoning": REASONING, "grade_a": on_scale(first, *scale), "grade_b": on_scale(second, *scale)}


def always_first(content: dict, instructions: str) -> dict:
    """The answer of a model that finds what it reads first the best there is, and what it reads second the worst."""
    lowest, highest = scale_of(instructions)
    best = {"grade_a": highest, "grade_b": lowest, "preference": "A"}
    return {name: best.get(name, value) for name, value in content.items()}
