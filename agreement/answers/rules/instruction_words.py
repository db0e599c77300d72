"""IFEval: words an answer has to mention, so many times."""

from collections.abc import Callable

from agreement.answers.declaration import TABLE, TOP, Case, NotApplicable, Parameter, Rule, Score, Scorer, Target
from agreement.answers.folding import words

RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "exactly": int.__eq__,
    "at least": int.__ge__,
    "at most": int.__le__,
}
RELATION = Parameter(
    name="relation",
    kind="text",
    default="exactly",
    choices=tuple(RELATIONS),
    help="how the number found has to compare",
)


def _occurrences(phrase: tuple[str, ...], said: tuple[str, ...]) -> int:
    """How often a phrase stands in a text, without overlap."""
    if len(phrase) == 1:
        return said.count(phrase[0])
    count = position = 0
    while position <= len(said) - len(phrase):
        if said[position : position + len(phrase)] == phrase:
            count += 1
            position += len(phrase)
        else:
            position += 1
    return count


def prepare(target: Target, phrases: tuple[str, ...], relation: str, count: int) -> Scorer:
    if relation == "at least" and not count:
        raise NotApplicable("instruction_words: at least 0 holds of every answer")
    asked = {phrase: words(phrase) for phrase in phrases}
    if empty := [phrase for phrase, terms in asked.items() if not terms]:
        raise NotApplicable(f"instruction_words: no word in {', '.join(empty)}")
    holds = RELATIONS[relation]

    def score(answer: str) -> Score:
        said = words(answer)
        counts = {phrase: _occurrences(terms, said) for phrase, terms in asked.items()}
        is_followed = bool(said) and all(holds(number, count) for number in counts.values())
        return Score(TOP if is_followed else 0.0, {"counts": counts, "asked": f"{relation} {count}"})

    return score


RULE = Rule(
    name="instruction_words",
    title="Instruction: words to mention",
    definition=(
        "10 where the answer mentions each of the given words or phrases as often as the question asks, else 0. "
        "Words are whole and compared in folded spelling. An answer without words has followed nothing."
    ),
    version=1,
    published="MANUAL_IFEVAL_1",
    source=f"{TABLE} and section 3.4.4; J. Zhou et al., IFEval, 2023, keywords: existence, frequency, forbidden words",
    parameters=(
        Parameter(name="phrases", kind="texts", help="words or phrases"),
        RELATION,
        Parameter(name="count", kind="integer", minimum=0, help="how often; at most 0: never"),
    ),
    prepare=prepare,
    cases=(
        Case(
            reference="",
            answer="النيل نهر. النِّيل طويل، وضفاف النيل خضراء",
            score=10,
            parameters={"phrases": ["النيل"], "count": 3},
            detail={"counts": {"النيل": 3}},
        ),
        Case(reference="", answer="a b a b", score=0, parameters={"phrases": ["a b"], "count": 1}),
        Case(reference="", answer="A cat", score=10, parameters={"phrases": ["a"], "relation": "at least", "count": 1}),
        Case(
            reference="",
            answer="A category",
            score=10,
            parameters={"phrases": ["cat"], "relation": "at most", "count": 0},
        ),
        Case(reference="", answer="", score=0, parameters={"phrases": ["cat"], "relation": "at most", "count": 0}),
        Case(reference="", parameters={"phrases": ["!"], "count": 1}, refused="no word in !"),
        Case(
            reference="", parameters={"phrases": ["a"], "relation": "at least", "count": 0}, refused="of every answer"
        ),
    ),
)
