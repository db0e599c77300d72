"""Judged: multiple choice."""

from agreement.answers.declaration import Rule

RULE = Rule(
    name="judge_choice",
    title="Multiple choice, judged",
    definition=(
        "A judge says which option the answer settles on: 10 for the reference's, 0 for another, for several or "
        "for none. It is asked only where `choices` finds none in the answer."
    ),
    version=1,
    published="AUTOMATED_LLM_AS_A_JUDGE_MCQ",
    source="ABBL, table 6 and appendix B.2",
)
