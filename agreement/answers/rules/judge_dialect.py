"""Judged: writing in a dialect."""

from agreement.answers.declaration import Rule

RULE = Rule(
    name="judge_dialect",
    title="Writing in a dialect, judged",
    definition=(
        "A judge says from 0 to 10 how well the answer is written in the dialect of the reference. Another "
        "dialect scores 0, and so does the standard language where a dialect was asked for, or a dialect where "
        "the standard was."
    ),
    version=1,
    published="AUTOMATED_LLM_AS_A_JUDGE_WRITING_DIALECT",
    source="ABBL, table 6 and appendix B.3",
)
