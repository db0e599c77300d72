"""IFEval: how many words, sentences, paragraphs, lines or other units an answer has to have."""

from collections.abc import Callable

import regex

from agreement.answers.declaration import TABLE, TOP, Case, NotApplicable, Parameter, Rule, Score, Scorer, Target
from agreement.answers.folding import WORD, content_lines, words
from agreement.answers.rules.instruction_words import RELATION, RELATIONS

# Full stops and question marks of the scripts in use; an ellipsis or "?!" ends one sentence. A full stop between
# digits or letters ends none.
_SENTENCE_END = regex.compile(r"[.!?…؟۔।॥。！？]+[\"'»”’)\]]*(?=\s|$)|[。！？]+|[\r\n]+")
_PARAGRAPH_END = regex.compile(r"(?:[ \t]*\r?\n){2,}")
_BULLET = regex.compile(r"^[ \t]*(?:[-*+•▪◦‣·–]|\d{1,3}[.)\-]|[٠-٩]{1,3}[.)\-])[ \t]+\S", regex.MULTILINE)


def _pieces(text: str, end: regex.Pattern[str]) -> int:
    return sum(bool(WORD.search(piece)) for piece in end.split(text))


UNITS: dict[str, Callable[[str], int]] = {
    "words": lambda text: len(words(text)),
    "sentences": lambda text: _pieces(text, _SENTENCE_END),
    "paragraphs": lambda text: _pieces(text, _PARAGRAPH_END),
    "lines": lambda text: len(content_lines(text)),
    "bullets": lambda text: len(_BULLET.findall(text)),
    "commas": lambda text: sum(map(text.count, ",،、，")),
}


def prepare(target: Target, unit: str, relation: str, count: int) -> Scorer:
    if relation == "at least" and not count:
        raise NotApplicable("instruction_counts: at least 0 holds of every answer")
    holds, count_units = RELATIONS[relation], UNITS[unit]

    def score(answer: str) -> Score:
        number = count_units(answer)
        is_followed = bool(answer.strip()) and holds(number, count)
        return Score(TOP if is_followed else 0.0, {unit: number, "asked": f"{relation} {count}"})

    return score


RULE = Rule(
    name="instruction_counts",
    title="Instruction: number of words, sentences, lines, ...",
    definition=(
        "10 where the answer has as many words, sentences, paragraphs, lines, bulleted or numbered lines, or "
        "commas as the question asks, else 0. An empty answer has followed nothing."
    ),
    version=1,
    published="MANUAL_IFEVAL_2",
    source=f"{TABLE}; J. Zhou et al., IFEval, 2023, length constraints, number of bullets, no comma",
    parameters=(
        Parameter(name="unit", kind="text", choices=tuple(UNITS), help="what is counted"),
        RELATION,
        Parameter(name="count", kind="integer", minimum=0, help="how many; at most 0: none"),
    ),
    prepare=prepare,
    cases=(
        Case(reference="", answer="واحد اثنان ثلاثة", score=10, parameters={"unit": "words", "count": 3}),
        Case(
            reference="",
            answer="كيف حالك؟ بخير! الحمد لله.",
            score=10,
            parameters={"unit": "sentences", "count": 3},
            detail={"sentences": 3},
        ),
        Case(reference="", answer="It is 3.14... Really?!", score=10, parameters={"unit": "sentences", "count": 2}),
        Case(reference="", answer="One.\n\nTwo.\n \nThree.", score=10, parameters={"unit": "paragraphs", "count": 3}),
        Case(reference="", answer="- a\n2) b\n٣. ج", score=10, parameters={"unit": "bullets", "count": 3}),
        Case(reference="", answer="a، b", score=0, parameters={"unit": "commas", "relation": "at most", "count": 0}),
        Case(reference="", answer="a b c", score=0, parameters={"unit": "words", "relation": "at least", "count": 4}),
        Case(reference="", answer="", score=0, parameters={"unit": "words", "relation": "at most", "count": 4}),
        Case(reference="", parameters={"unit": "words", "relation": "at least", "count": 0}, refused="of every answer"),
    ),
)
