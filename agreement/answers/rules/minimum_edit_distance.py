"""How far an answer is from the reference in edits."""

from agreement.answers.declaration import Case, NotApplicable, Rule, Score, Scorer, Target, scaled
from agreement.answers.folding import normal


def prepare(target: Target) -> Scorer:
    from rapidfuzz.distance import Levenshtein

    reference = normal(target.reference)
    if not reference:
        raise NotApplicable("minimum_edit_distance needs a reference")

    def score(answer: str) -> Score:
        said = normal(answer)
        edits = Levenshtein.distance(said, reference)
        longer = max(len(said), len(reference))
        return Score(scaled(1 - edits / longer), {"edits": edits, "characters": longer})

    return score


RULE = Rule(
    name="minimum_edit_distance",
    title="Edit distance",
    definition=(
        "1 - d / n, d the least number of characters to insert, delete or exchange between answer and reference, "
        "n the characters of the longer one. Spelling counts; normal form and the kind of white space do not."
    ),
    version=1,
    published="MANUAL_MIN_DISTANCE",
    prepare=prepare,
    cases=(
        Case(reference="شو أخبار العيلة؟", answer="شو أخبار  العيلة؟", score=10),
        # one of four characters
        Case(reference="abcd", answer="abxd", score=7.5, detail={"edits": 1, "characters": 4}),
        Case(reference="abcd", answer="", score=0),
        Case(reference=" ", refused="needs a reference"),
    ),
)
