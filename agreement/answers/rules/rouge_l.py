"""ROUGE-L: the longest common subsequence of words."""

from agreement.answers.declaration import TABLE, TOP, Case, NotApplicable, Rule, Score, Scorer, Target
from agreement.answers.folding import words


def prepare(target: Target) -> Scorer:
    from rapidfuzz.distance import LCSseq

    reference = words(target.reference)
    if not reference:
        raise NotApplicable("rouge_l needs a reference with words")
    n_reference = len(reference)

    def score(answer: str) -> Score:
        said = words(answer)
        if said == reference:
            return Score(TOP, {"common": n_reference, "precision": 1.0, "recall": 1.0})
        common = LCSseq.similarity(reference, said)
        f1 = 2 * common / (n_reference + len(said))
        precision = common / len(said) if said else 0.0
        return Score.of_share(f1, {"common": common, "precision": precision, "recall": common / n_reference})

    return score


RULE = Rule(
    name="rouge_l",
    title="ROUGE-L",
    definition=(
        "The words of answer and reference that stand in both in the same order, gaps allowed: twice their number"
        " through the number of words of both texts (F1). Words are compared in folded spelling. The reference's "
        "own words score 10."
    ),
    version=1,
    published="MANUAL_ROUGE_SCORE",
    source=f"{TABLE}; C.-Y. Lin, ROUGE, 2004, section 3 (longest common subsequence, sentence level)",
    prepare=prepare,
    cases=(
        Case(reference="the cat sat", answer="the cat sat", score=10, detail={"common": 3}),
        # 2 of 3 and 2 of 2 words: 2 * 2 / 5
        Case(reference="the cat sat", answer="The cat!", score=8, detail={"common": 2, "precision": 1.0}),
        Case(reference="الآباءُ هنا", answer="الاباء هنا", score=10),
        # order counts: "b a" shares one word in order with "a b"
        Case(reference="a b", answer="b a", score=5, detail={"common": 1}),
        Case(reference="the cat sat", answer="", score=0),
        Case(reference="...", refused="needs a reference with words"),
    ),
)
