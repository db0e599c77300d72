"""Judged: grammatical analysis (i'rab)."""

from agreement.answers.declaration import Rule

RULE = Rule(
    name="judge_irab",
    title="Grammatical analysis (i'rab), judged",
    definition=(
        "A judge says from 0 to 10 how far the analysis of each word agrees with the reference; where parts of "
        "the analysis are missing, 0."
    ),
    version=1,
    published="AUTOMATED_LLM_AS_A_JUDGE_GRAMMAR_IRAB",
    source="ABBL, table 6 and appendix B.4",
)
