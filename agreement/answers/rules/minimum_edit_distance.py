"""How far an answer is from the reference in edits."""

from agreement.answers.declaration import Case, Rule, Scorer, Target
from agreement.answers.edits import scorer_of_edits
from agreement.answers.folding import normal


def prepare(target: Target) -> Scorer:
    return scorer_of_edits("minimum_edit_distance", target, normal)


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
