"""The first line of an answer against the first line of the reference."""

from agreement.answers.declaration import TABLE, Case, Rule, Scorer, Target
from agreement.answers.edits import scorer_of_edits
from agreement.answers.folding import content_lines, normal

MAX_CHARACTERS = 100


def _first_line(text: str) -> str:
    lines = content_lines(text)
    return normal(lines[0])[:MAX_CHARACTERS] if lines else ""


def prepare(target: Target) -> Scorer:
    return scorer_of_edits("first_line", target, _first_line)


RULE = Rule(
    name="first_line",
    title="First line",
    definition=(
        "The first line with text of the answer against that of the reference, each cut after 100 characters: 1 -"
        " d / n, d the edits between them, n the characters of the longer one."
    ),
    version=1,
    published="MANUAL_MRCR_FIRST_LINE_MATCH",
    source=f"{TABLE} (answers of MRCR, the benchmark of texts found again in a long conversation)",
    prepare=prepare,
    cases=(
        Case(reference="abcd\nrest", answer="\n abcd\nother", score=10),
        Case(reference="abcd", answer="abxd\nabcd", score=7.5, detail={"edits": 1}),
        Case(reference="x" * 100 + "y", answer="x" * 100 + "z", score=10),
        Case(reference="abcd", answer="", score=0),
        Case(reference="\n", refused="needs a reference"),
    ),
)
