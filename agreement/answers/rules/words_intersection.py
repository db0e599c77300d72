"""Distinct words that answer and reference share."""

from agreement.answers.declaration import Case, NotApplicable, Parameter, Rule, Score, Scorer, Target
from agreement.answers.folding import words


def prepare(target: Target, of: str) -> Scorer:
    reference = frozenset(words(target.reference))
    if not reference:
        raise NotApplicable("words_intersection needs a reference with words")

    def score(answer: str) -> Score:
        said = frozenset(words(answer))
        shared = len(reference & said)
        share = shared / len(reference) if of == "reference" else 2 * shared / (len(reference) + len(said))
        return Score.of_share(share, {"shared": shared, "reference": len(reference), "answer": len(said)})

    return score


RULE = Rule(
    name="words_intersection",
    title="Words in common",
    definition=(
        "Distinct words that stand in both texts: twice their number through the distinct words of both. Order "
        "and repetition do not count; words beyond the reference's lower the score, so that a long answer cannot "
        "gather all words. Words are compared in folded spelling."
    ),
    version=1,
    published="MANUAL_WORDS_INTERSECTION",
    parameters=(
        Parameter(
            name="of",
            kind="text",
            default="both",
            choices=("both", "reference"),
            help="both: share of the words of both texts; reference: share of the reference's words alone",
        ),
    ),
    prepare=prepare,
    cases=(
        Case(reference="Cairo, Giza", answer="giza cairo", score=10),
        # 1 shared, 2 and 2 words: 2 * 1 / 4
        Case(reference="Cairo Giza", answer="Cairo Luxor Cairo", score=5, detail={"shared": 1, "answer": 2}),
        Case(reference="Cairo Giza", answer="Cairo Giza Luxor Aswan", score=10, parameters={"of": "reference"}),
        Case(reference="Cairo Giza", answer="", score=0),
        Case(reference="—", refused="needs a reference with words"),
    ),
)
