"""Answers against references by the edits between them."""

from collections.abc import Callable

from agreement.answers.declaration import NotApplicable, Score, Scorer, Target


def scorer_of_edits(rule: str, target: Target, compared: Callable[[str], str]) -> Scorer:
    """Scores by 1 - d / n: d the least number of characters to insert, delete or exchange (Levenshtein) between what
    is `compared` of answer and reference, n the characters of the longer one.

    Raises NotApplicable, in the rule's name, where nothing of the reference is compared.
    """
    from rapidfuzz.distance import Levenshtein

    reference = compared(target.reference)
    if not reference:
        raise NotApplicable(f"{rule} needs a reference")

    def score(answer: str) -> Score:
        said = compared(answer)
        edits = Levenshtein.distance(said, reference)
        longer = max(len(said), len(reference))
        return Score.of_share(1 - edits / longer, {"edits": edits, "characters": longer})

    return score
