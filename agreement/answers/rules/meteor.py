"""METEOR with exact words and stems."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from agreement.answers.declaration import TABLE, TOP, Case, NotApplicable, Rule, Score, Scorer, Target, scaled
from agreement.answers.folding import words
from agreement.answers.stems import stemmer

# Weight of recall against precision, and of the penalty for matches in pieces: the published values.
ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
# No position, nor the one before a position.
UNPLACED = -2


def prepare(target: Target) -> Scorer:
    reference = words(target.reference)
    if not reference:
        raise NotApplicable("meteor needs a reference with words")
    stem = stemmer(target.language)
    stems = tuple(map(stem, reference))
    places, stem_places = _places(reference), _places(stems)
    n_reference = len(reference)

    def score(answer: str) -> Score:
        said = words(answer)
        if said == reference:
            return Score(TOP, {"exact": len(said), "stems": 0, "chunks": 1, "precision": 1.0, "recall": 1.0})
        alignment = [UNPLACED] * len(said)
        exact = matches = _align(said, reference, places, alignment)
        if exact < len(said) and exact < n_reference:
            stemmed = [stem(word) if place == UNPLACED else word for word, place in zip(said, alignment, strict=True)]
            matches += _align(stemmed, stems, stem_places, alignment)
        if not matches:
            return Score(0.0, {"exact": 0, "stems": 0, "chunks": 0, "precision": 0.0, "recall": 0.0})
        chunks = _chunks(alignment)
        precision, recall = matches / len(said), matches / n_reference
        mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
        value = scaled(mean * (1 - GAMMA * (chunks / matches) ** BETA))
        detail = {"exact": exact, "stems": matches - exact, "chunks": chunks, "precision": precision, "recall": recall}
        return Score(value, detail)

    return score


def _places(terms: Sequence[str]) -> dict[str, list[int]]:
    """By term, where it stands, in order."""
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms):
        places.setdefault(term, []).append(place)
    return places


def _align(said: Sequence[str], reference: Sequence[str], places: Mapping[str, list[int]], alignment: list[int]) -> int:
    """Give terms of the answer that are unplaced a free place in the reference; returns how many got one.

    From the start of the answer on, a term takes the place behind the one its neighbour took, so that runs stay
    whole; where that does not fit, the first free one. This keeps pieces few without trying all alignments.
    """
    taken = set(alignment)
    matches, behind, n_reference = 0, -1, len(reference)
    for position, term in enumerate(said):
        place = alignment[position]
        if place == UNPLACED:
            if term not in places:
                continue
            if 0 <= behind < n_reference and reference[behind] == term and behind not in taken:
                place = behind
            else:
                for place in places[term]:
                    if place not in taken:
                        break
                else:
                    continue
            alignment[position] = place
            taken.add(place)
            matches += 1
        behind = place + 1
    return matches


def _chunks(alignment: Sequence[int]) -> int:
    """Runs of matches that are neighbours in the same order in both texts."""
    return sum([place >= 0 and place != before + 1 for before, place in pairwise([UNPLACED, *alignment])])


RULE = Rule(
    name="meteor",
    title="METEOR",
    definition=(
        "Words of the answer that match words of the reference, as they stand or by their stem, each once. Recall"
        " weighs nine times as much as precision, and up to half is taken off where the matches lie in many "
        "separate pieces. No synonyms. The reference's own words score 10."
    ),
    version=1,
    published="MANUAL_METEOR_SCORE",
    source=f"{TABLE}; S. Banerjee and A. Lavie, METEOR, 2005, without its third module (synonyms)",
    prepare=prepare,
    cases=(
        Case(reference="the cat sat", answer="the cat sat", score=10),
        # P = R = 1, two pieces of three matches: 1 - 0.5 * (2 / 3) ** 3 = 0.851852
        Case(reference="a b c", answer="c a b", score=8.5185185185, detail={"chunks": 2}),
        # one stem, one word: F = 1, one piece of two: 1 - 0.5 / 8
        Case(reference="cats run", answer="cat run", language="en", score=9.375, detail={"exact": 1, "stems": 1}),
        # P = 1, R = 1/2: F = 0.5 / (0.9 + 0.05) = 0.526316, one piece of one: half of it
        Case(reference="cats run", answer="run", score=2.6315789474),
        Case(reference="cats run", answer="", score=0),
        Case(reference="؟!", refused="needs a reference with words"),
    ),
)
