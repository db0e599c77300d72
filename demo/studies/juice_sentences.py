"""Judges that are asked of each sentence whether it holds an error: JuICE, Table 9, of the models asked once.

They are asked about three responses of each setting: all 1,050 would be two hundred thousand calls. The responses are
those whose share of erroneous sentences is nearest to the published one, which accuracy depends on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from demo.studies.juice_judges import EASE, FinalSet

# The share P of erroneous sentences that Table 9 implies, the same for all six:
# 1 - accuracy = P * (1 - recall + recall * (1 / precision - 1)).
SHARE_OF_ERRONEOUS = 0.183
RESPONSES_OF_A_SETTING = 3


@dataclass(frozen=True)
class SentenceJudge:
    model: str
    precision: float
    recall: float

    @property
    def name(self) -> str:
        return f"{self.model} for sentences (simulated)"


JUDGES = (
    SentenceJudge("claude-haiku-4.5", 0.4018, 0.4059),
    SentenceJudge("claude-opus-4.7", 0.7714, 0.2427),
    SentenceJudge("gemini-3-flash-preview", 0.5969, 0.4629),
    SentenceJudge("gemini-3.1-pro-preview", 0.6108, 0.5285),
    SentenceJudge("gpt-5.4-mini", 0.6061, 0.1257),
    SentenceJudge("gpt-5.5", 0.6787, 0.3916),
)


def asked_about(final: FinalSet) -> list[str]:
    """Items, so many of each setting, the nearest to the published share of erroneous sentences."""
    of_setting: dict[str, list[str]] = {}
    for item in final.pages:
        of_setting.setdefault(item.rsplit("-", 1)[0], []).append(item)

    def distance(item: str) -> float:
        page = final.pages[item]
        return abs(len(page.erroneous) / len(page.sentences) - SHARE_OF_ERRONEOUS)

    return [item for items in of_setting.values() for item in sorted(items, key=distance)[:RESPONSES_OF_A_SETTING]]


def called_erroneous(final: FinalSet, items: Sequence[str], judge: SentenceJudge, seed: int) -> dict[str, set[int]]:
    """By item the numbers of the sentences that the judge calls erroneous, from 0.

    Errors of a category that is found more easily are found more often (weighted sampling without replacement,
    Efraimidis and Spirakis, 2006).
    """
    rng = Random(f"{seed}:sentences:{judge.model}")
    ease = ease_of_sentences(final, items)
    found = sorted(ease, key=lambda place: rng.random() ** (1 / ease[place]), reverse=True)
    found = found[: round(judge.recall * len(ease))]
    clean = [(item, number) for item in items for number in final.pages[item].clean]
    mistaken = rng.sample(clean, round(len(found) * (1 / judge.precision - 1)))
    called: dict[str, set[int]] = {item: set() for item in items}
    for item, number in (*found, *mistaken):
        called[item].add(number)
    return called


def ease_of_sentences(final: FinalSet, items: Sequence[str]) -> Mapping[tuple[str, int], float]:
    """Of each erroneous sentence, by item and number, that of its most easily found error."""
    ease = {(item, number): 0.0 for item in items for number in final.pages[item].erroneous}
    for error in final.errors:
        if error.item not in items:
            continue
        for number in final.pages[error.item].erroneous:
            words = final.pages[error.item].sentences[number]
            if words[0][0] < error.span["end"] and error.span["start"] < words[-1][1]:
                ease[error.item, number] = max(ease[error.item, number], EASE[error.category])
    return {place: value or 1.0 for place, value in ease.items()}
