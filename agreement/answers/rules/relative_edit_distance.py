"""How many of the errors of a text were corrected."""

from agreement.answers.declaration import TABLE, Case, NotApplicable, Rule, Score, Scorer, Target
from agreement.answers.folding import normal


def prepare(target: Target) -> Scorer:
    from rapidfuzz.distance import Levenshtein

    reference, original = normal(target.reference), normal(target.original)
    if not original:
        raise NotApplicable("relative_edit_distance needs the original text")
    before = Levenshtein.distance(original, reference)
    if not before:
        raise NotApplicable("relative_edit_distance needs an original text that differs from the reference")

    def score(answer: str) -> Score:
        after = Levenshtein.distance(normal(answer), reference)
        share = (before - after) / before
        return Score.of_share(share, {"edits_before": before, "edits_after": after, "share": share})

    return score


RULE = Rule(
    name="relative_edit_distance",
    title="Errors corrected",
    definition=(
        "The share of the edits between original and reference that the answer saves: S = (d(original, reference)"
        " - d(answer, reference)) / d(original, reference), d the least number of characters inserted, deleted or"
        " exchanged. A text that got worse scores 0."
    ),
    version=1,
    published="MANUAL_RELATIVE_MIN_DISTANCE",
    source=f"{TABLE} and section 3.4.4",
    prepare=prepare,
    cases=(
        # 10 edits before, 4 after
        Case(
            original="aaaaaaaaaa",
            reference="bbbbbbbbbb",
            answer="bbbbbbaaaa",
            score=6,
            detail={"edits_before": 10, "edits_after": 4},
        ),
        Case(original="helo wrld", reference="hello world", answer="hello world", score=10),
        Case(original="helo wrld", reference="hello world", answer="helo wrld", score=0),
        Case(original="helo", reference="hello", answer="something else", score=0),
        Case(original="", reference="hello", refused="needs the original text"),
        Case(original="cafe\u0301", reference="café", refused="differs from the reference"),
    ),
)
