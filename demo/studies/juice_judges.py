"""Judges that are evaluated against the final set of errors of a generated span project: they build none of it.

Precision and recall are those of JuICE, Tables 4 and 5. A judge finds so many of the errors that lie in words, exactly,
and marks so much else that its precision is the published one. Which errors it finds is drawn, category by category:
recall falls from explicit linguistic errors and inaccuracies to what is missing (section 4.3.1), and errors that people
found are harder for it than those that other judges found.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import Any

from agreement.sentences import sentences
from demo.studies import texts
from demo.studies.errors import ERROR_TYPE, NOT_THICK, THICK

# How much more, or less, often than other errors those of a category are found.
EASE = {
    "explicit-linguistic": 1.22,
    "cultural-inaccuracy": 1.20,
    "logical": 1.00,
    "implicit-linguistic": 0.84,
    "cultural-incoherence": 0.82,
    "cultural-specificity": 0.76,
    "cultural-connotation": 0.74,
    "cultural-missingness": 0.58,
}
# Of errors that a person found, beside those that only judges did.
EASE_IF_HUMAN = 0.7
# Told what thick errors are, a judge gains this much more on thick ones than on others (section 4.4, in points).
GAINED_ON_THICK = 7.6 / 3.9
# The model that groups, refines and categorises errors (section 3.4). Of the errors that two experts coded it agrees
# with the first somewhat less often than the second does (128 of 191); kappas of 0.56 and 0.59 are published.
PROPOSING = "gemini-3.1-pro-preview"
PROPOSED_AS_THE_FIRST = 0.6
# How many of its groups and refinements people looked at, and what they found wrong (appendices D.3 and D.4). Of its
# categories as many as it takes for a bound of 2 %, with wrong ones of our own number: the paper has none.
GROUPS_LOOKED_AT = 50
REFINEMENTS_LOOKED_AT, WRONG_REFINEMENTS = 200, 2
WRONG_CATEGORIES = 4
# Of what a judge marks for nothing, the share that lies in a sentence with an error, beside it.
BESIDE_AN_ERROR = 0.4
TRIES = 40


@dataclass(frozen=True)
class EvaluatedJudge:
    """`plain_recall` is that of the same model asked without categories and examples; without it, its own."""

    model: str
    precision: float
    recall: float
    with_taxonomy: bool = False
    with_examples: bool = False
    plain_recall: float | None = None

    @property
    def name(self) -> str:
        how = " + taxonomy" * self.with_taxonomy + " + few-shot" * self.with_examples
        return f"{self.model}{how} (simulated)"


JUDGES = (
    EvaluatedJudge("gemini-3.1-pro-preview", 0.4798, 0.5735),
    EvaluatedJudge("gpt-5.5", 0.4939, 0.5298),
    EvaluatedJudge("claude-haiku-4.5", 0.3375, 0.4072),
    EvaluatedJudge("claude-opus-4.7", 0.5653, 0.3741),
    EvaluatedJudge("gemini-3-flash-preview", 0.4044, 0.6025),
    EvaluatedJudge("gpt-5.4-mini", 0.4228, 0.2422),
    EvaluatedJudge("gemma-4-31B-it", 0.6105, 0.3535),
    EvaluatedJudge("gpt-oss-120b", 0.3317, 0.4102),
    EvaluatedJudge("Llama-4-Scout-17B-16E-Instruct", 0.2216, 0.4219),
    EvaluatedJudge("Qwen3-30B-A3B-Instruct-2507", 0.2328, 0.4822),
)
# The one model that was asked in other ways too.
SETUPS = (
    EvaluatedJudge("gemma-4-31B-it", 0.5662, 0.3829, with_taxonomy=True, plain_recall=0.3535),
    EvaluatedJudge("gemma-4-31B-it", 0.5392, 0.3963, with_examples=True, plain_recall=0.3535),
    EvaluatedJudge("gemma-4-31B-it", 0.5393, 0.4031, with_taxonomy=True, with_examples=True, plain_recall=0.3535),
)


@dataclass(frozen=True)
class GoldError:
    """An error of the final set that lies in words, by the span that stands for it."""

    item: str
    span: dict
    category: str
    by_human: bool


@dataclass
class _Page:
    """The words of a response by sentence, those that an error lies in, and what is marked in it already."""

    text: str
    sentences: list[list[tuple[int, int]]] = field(default_factory=list)
    erroneous: list[int] = field(default_factory=list)
    clean: list[int] = field(default_factory=list)
    gold: list[tuple[int, int]] = field(default_factory=list)


class FinalSet:
    """What judges are evaluated against, read from the lines of a project; every `step`th response of each setting."""

    def __init__(self, lines: Iterable[dict], step: int = 1) -> None:
        self.errors: list[GoldError] = []
        self.pages: dict[str, _Page] = {}
        self.known: set[str] = set()
        spans: dict[str, tuple[dict, bool]] = {}
        for line in lines:
            if "kind" not in line:
                if int(line["id"].rsplit("-", 1)[1]) % step == 0:
                    self.pages[line["id"]] = _Page(line["response"])
            elif line["item"] not in self.pages:
                continue
            elif line["kind"] == "spans":
                spans |= {span["id"]: (span, line["rater_kind"] == "human") for span in line["spans"]}
            elif line["kind"] == "classifications":
                self._take(line, spans)
        for page in self.pages.values():
            _cut(page)

    def _take(self, line: dict, spans: dict[str, tuple[dict, bool]]) -> None:
        """The first expert codes every error, the second one some of them again."""
        for row in line["classifications"]:
            span, by_human = spans[row["span"]]
            if span["id"] not in self.known and span["anchor"] == "words":
                self.known.add(span["id"])
                self.errors.append(GoldError(line["item"], span, row["category"], by_human))
                self.pages[line["item"]].gold.append((span["start"], span["end"]))


def _cut(page: _Page) -> None:
    cut = sentences(page.text)
    for start, end in zip(cut.starts.tolist(), cut.ends.tolist(), strict=True):
        words = texts.words_within(page.text, start, end)
        if words:
            place = len(page.sentences)
            page.sentences.append(words)
            is_erroneous = any(start < stop and begin < end for begin, stop in page.gold)
            (page.erroneous if is_erroneous else page.clean).append(place)


def marked(final: FinalSet, judge: EvaluatedJudge, seed: int) -> dict[str, list[dict[str, Any]]]:
    """The spans of a judge by response, those without any included, in the order of the text."""
    found = _found(Random(f"{seed}:{judge.model}"), final.errors, judge)
    rng = Random(f"{seed}:{judge.name}")
    spans: dict[str, list[dict[str, Any]]] = {item: [] for item in final.pages}
    taken: dict[str, set[tuple[int, int]]] = {item: set() for item in final.pages}
    hits = 0
    for error in found:
        place = _around(rng, final.pages[error.item], error, taken[error.item])
        if place:
            spans[error.item].append(_span(rng, final.pages[error.item], place, error.category, judge))
            hits += 1
    items = list(final.pages)
    for _mistake in range(round(hits * (1 / judge.precision - 1))):
        place = None
        while place is None:
            item = rng.choice(items)
            place = _beside(rng, final.pages[item], taken[item])
        category = rng.choice((*NOT_THICK[:2], *THICK))
        spans[item].append(_span(rng, final.pages[item], place, category, judge, reason="not an error"))
    for of_item in spans.values():
        of_item.sort(key=lambda span: (span["start"], span["end"]))
    return spans


def recalls(counts: Mapping[str, int], judge: EvaluatedJudge) -> dict[str, float]:
    """By category, such that over so many errors of each the recall is the judge's."""
    plain = judge.recall if judge.plain_recall is None else judge.plain_recall
    total = sum(counts.values()) or 1
    ease = sum(EASE[category] * counts[category] for category in EASE) / total
    gains = {category: GAINED_ON_THICK if category in THICK else 1.0 for category in EASE}
    gain = sum(gains[category] * counts[category] for category in EASE) / total
    return {
        category: plain * EASE[category] / ease + (judge.recall - plain) * gains[category] / gain
        for category in EASE
        if counts[category]
    }


def proposed(lines: Iterable[dict], seed: int) -> dict[str, str]:
    """The category that a judge proposes, by the key of the span that stands for an error.

    That of the first expert, but for errors that two experts coded: of these it differs in some."""
    given: dict[str, list[str]] = {}
    for line in lines:
        if line.get("kind") == "classifications":
            for row in line["classifications"]:
                given.setdefault(row["span"], []).append(row["category"])
    rng = Random(f"{seed}:categories")
    chosen = {}
    for span, (category, *again) in given.items():
        differs = bool(again) and rng.random() >= PROPOSED_AS_THE_FIRST
        chosen[span] = rng.choice([other for other in EASE if other != category]) if differs else category
    return chosen


def _found(rng: Random, errors: Sequence[GoldError], judge: EvaluatedJudge) -> Iterator[GoldError]:
    """The errors it marks, until so many of each category are met: a mark meets its error and those that overlap it.

    Weighted sampling without replacement (Efraimidis and Spirakis, 2006). The order is the model's, so that it finds
    what it found before, and more, where it finds more.
    """
    keys = [rng.random() ** (1 / (EASE_IF_HUMAN if error.by_human else 1.0)) for error in errors]
    counts = Counter(error.category for error in errors)
    left = {category: round(recall * counts[category]) for category, recall in recalls(counts, judge).items()}
    beside = _overlapping(errors)
    met: set[int] = set()
    for place in sorted(range(len(errors)), key=keys.__getitem__, reverse=True):
        if place in met or left[errors[place].category] <= 0:
            continue
        for reached in {place, *beside.get(place, ())} - met:
            met.add(reached)
            left[errors[reached].category] -= 1
        yield errors[place]


def _overlapping(errors: Sequence[GoldError]) -> dict[int, list[int]]:
    """Which errors share words with which, by their places; most with none."""
    by_item: dict[str, list[int]] = {}
    for place, error in enumerate(errors):
        by_item.setdefault(error.item, []).append(place)
    beside: dict[int, list[int]] = {}
    for places in by_item.values():
        for one, other in permutations(places, 2):
            first, second = errors[one].span, errors[other].span
            if first["start"] < second["end"] and second["start"] < first["end"]:
                beside.setdefault(one, []).append(other)
    return beside


def _around(rng: Random, page: _Page, error: GoldError, taken: set[tuple[int, int]]) -> tuple[int, int] | None:
    """The error's words, now and then with one beside them; None where each such span is another error's already."""
    start, end = error.span["start"], error.span["end"]
    words = next(words for words in page.sentences if words[0][0] < end and start < words[-1][1])
    first = next(place for place, word in enumerate(words) if word[1] > start)
    last = max(place for place, word in enumerate(words) if word[0] < end)
    wider = [(first, last), (max(first - 1, 0), last), (first, min(last + 1, len(words) - 1))]
    if rng.random() < 0.4:
        wider = wider[1:] + wider[:1]
    for left, right in wider:
        place = (words[left][0], words[right][1])
        if place not in taken:
            taken.add(place)
            return place
    return None


def _beside(rng: Random, page: _Page, taken: set[tuple[int, int]]) -> tuple[int, int] | None:
    """Some words that no error lies in; None where none were come upon."""
    for _try in range(TRIES):
        wanted = page.erroneous if rng.random() < BESIDE_AN_ERROR else page.clean
        words = page.sentences[rng.choice(wanted or page.erroneous or page.clean)]
        length = min(len(words), rng.choice((1, 2, 3, 3, 4, 5)))
        first = rng.randrange(len(words) - length + 1)
        place = (words[first][0], words[first + length - 1][1])
        if place not in taken and not any(start < place[1] and place[0] < end for start, end in page.gold):
            taken.add(place)
            return place
    return None


def _span(
    rng: Random, page: _Page, place: tuple[int, int], category: str, judge: EvaluatedJudge, reason: str = ""
) -> dict[str, Any]:
    quote = page.text[slice(*place)]
    return {
        "start": place[0],
        "end": place[1],
        "quote": quote,
        "type": ERROR_TYPE.get(category, "cultural"),
        # A judge that is not told the categories names none.
        "category": category if judge.with_taxonomy else "",
        "criticality": rng.choices(("high", "medium", "low"), (0.6, 1.0, 0.6))[0],
        "explanation": texts.explain("en", reason or category, quote),
    }
