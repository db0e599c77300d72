"""Judged: meaning of a free answer."""

from agreement.answers.declaration import Rule

RULE = Rule(
    name="judge_generation",
    title="Meaning, judged",
    definition=(
        "A judge says from 0 to 10 how far the answer means what the reference means. More words cost nothing as "
        "long as they contradict nothing; several different answers to a question that has one score 3 at most, "
        "and so does a calculation with another result."
    ),
    version=1,
    published="AUTOMATED_LLM_AS_A_JUDGE_GENERATION",
    source="ABBL, table 6 and appendix B.1",
)
