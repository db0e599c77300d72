"""How close an answer comes to the length of the reference."""

import regex

from agreement.answers.declaration import Case, NotApplicable, Parameter, Rule, Score, Scorer, Target
from agreement.answers.folding import normal, words

_GRAPHEME = regex.compile(r"\X")


def _length(text: str, unit: str) -> int:
    if unit == "words":
        return len(words(text))
    return sum(not piece.isspace() for piece in _GRAPHEME.findall(normal(text)))


def prepare(target: Target, unit: str) -> Scorer:
    length = _length(target.reference, unit)
    if not length:
        raise NotApplicable(f"reference_length needs a reference with {unit}")

    def score(answer: str) -> Score:
        said = _length(answer, unit)
        return Score.of_share(1 - abs(said - length) / length, {"answer": said, "reference": length, "unit": unit})

    return score


RULE = Rule(
    name="reference_length",
    title="Length of the reference",
    definition=(
        "1 less the difference in length as a share of the reference's length. An empty answer scores 0, and so "
        "does one twice as long as the reference or longer."
    ),
    version=1,
    published="MANUAL_CLOSE_TO_REFERENCE_LENGTH",
    parameters=(
        Parameter(
            name="unit",
            kind="text",
            default="words",
            choices=("words", "characters"),
            help="words, or characters as they are read (an emoji, a letter with its marks), without white space",
        ),
    ),
    prepare=prepare,
    cases=(
        Case(reference="a b c d", answer="w x y z", score=10),
        Case(reference="a b c d", answer="a b c", score=7.5, detail={"answer": 3, "reference": 4}),
        Case(reference="a b c d", answer="a b c d e f", score=5),
        Case(reference="a b", answer="a b c d e f", score=0),
        Case(reference="ab👩🏽‍🚀d", answer="a b c", score=7.5, parameters={"unit": "characters"}),
        Case(reference="!", refused="needs a reference with words"),
    ),
)
