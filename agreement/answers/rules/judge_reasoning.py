"""Judged: reasoning and its conclusion."""

from agreement.answers.declaration import Rule

RULE = Rule(
    name="judge_reasoning",
    title="Reasoning, judged",
    definition=(
        "A judge compares steps and conclusion with the reference: 10 where both agree, 3 where the steps agree "
        "and the conclusion does not."
    ),
    version=1,
    published="AUTOMATED_LLM_AS_A_JUDGE_REASONING",
    source="ABBL, table 6 and appendix B.5",
)
