"""The reward for training a judge on pairs, and the text in which a trained judge answers.

A file by itself: it needs the standard library alone, so that it can be copied beside a trainer. What it calls a
good answer is what `manage.py export_training` writes as one and asks for:

    <think>...</think>
    <grade_a>4</grade_a>
    <grade_b>2</grade_b>

For grades s and gold g of the two responses A and B (MENLO, section 4.1):

    R = sum over A and B of max(1[s = g], 0.5 * 1[|s - g| = 1])
        + 1[sign(s_A - s_B) = sign(g_A - g_B)]
        - 1 if a grade is missing or invalid
        - 0.2 if a tag is missing, stands twice or out of order

The maximum is 3. A grade that is missing or invalid earns nothing and decides nothing: the term for the order of the
two needs both. It is taken off once, though both be missing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

REASONING = "think"
GRADES = ("grade_a", "grade_b")
TAGS = (REASONING, *GRADES)
EXACT, NEAR, SAME_ORDER = 1.0, 0.5, 1.0
NO_GRADE, NO_FORM = -1.0, -0.2
MAXIMUM = len(GRADES) * EXACT + SAME_ORDER
LOWEST, HIGHEST = 1, 5
# The digits of JSON alone: int() would take Arabic and full-width ones, underscores, signs and spaces as well.
WHOLE = re.compile(r"-?[0-9]{1,6}")


def written(first: int, second: int, reasoning: str | None = None) -> str:
    """The answer with these grades; without a reasoning it has the two grades alone."""
    parts = [] if reasoning is None else [f"<{REASONING}>{reasoning}</{REASONING}>"]
    return "\n".join([*parts, *(f"<{tag}>{grade}</{tag}>" for tag, grade in zip(GRADES, (first, second), strict=True))])


def read_grade(text: str, tag: str, lowest: int = LOWEST, highest: int = HIGHEST) -> int | None:
    """The grade that stands in this tag, or None where it is missing, no whole number of the scale, or two of them."""
    marked = {content.strip(" \t\r\n") for content in re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)}
    if len(marked) != 1:
        return None
    [content] = marked
    if not WHOLE.fullmatch(content):
        return None
    grade = int(content)
    return grade if lowest <= grade <= highest else None


def read_grades(text: str, lowest: int = LOWEST, highest: int = HIGHEST) -> tuple[int | None, int | None]:
    """What an answer grades A and B, after its reasoning: grades that it only thinks of are none."""
    answer = text.rpartition(f"</{REASONING}>")[2]
    first, second = (read_grade(answer, tag, lowest, highest) for tag in GRADES)
    return first, second


def is_well_formed(text: str, tags: Sequence[str] = TAGS) -> bool:
    """Whether every tag is opened and closed exactly once, one after the other in their order."""
    marks = [mark for tag in tags for mark in (f"<{tag}>", f"</{tag}>")]
    return re.findall(rf"</?(?:{'|'.join(tags)})>", text) == marks


def sign(number: float) -> int:
    return (number > 0) - (number < 0)


def reward(
    text: str, gold: tuple[float, float], lowest: int = LOWEST, highest: int = HIGHEST, tags: Sequence[str] = TAGS
) -> float:
    """The reward of one answer against the gold of A and B, in the order in which they were shown. From -1.2 to 3."""
    grades = read_grades(text, lowest, highest)
    earned = sum(closeness(grade, best) for grade, best in zip(grades, gold, strict=True))
    first, second = grades
    if first is None or second is None:
        earned += NO_GRADE
    elif sign(first - second) == sign(gold[0] - gold[1]):
        earned += SAME_ORDER
    return earned if is_well_formed(text, tags) else earned + NO_FORM


def closeness(grade: int | None, gold: float) -> float:
    if grade is None:
        return 0.0
    distance = abs(grade - gold)
    return EXACT if distance == 0 else NEAR if distance == 1 else 0.0


def text_of(completion: str | Sequence[Mapping[str, Any]]) -> str:
    """A completion's text: a string as it is, of a conversation what its last message says."""
    if isinstance(completion, str):
        return completion
    return str(completion[-1].get("content") or "") if completion else ""


def pair_reward(
    prompts: Sequence[Any],
    completions: Sequence[str | Sequence[Mapping[str, Any]]],
    *,
    gold_a: Sequence[float],
    gold_b: Sequence[float],
    lowest: Sequence[int] | None = None,
    highest: Sequence[int] | None = None,
    **columns: Any,
) -> list[float]:
    """The rewards of a batch, with the signature that TRL's GRPOTrainer calls: GRPOTrainer(reward_funcs=pair_reward).

    `gold_a`, `gold_b`, `lowest` and `highest` are columns of the exported file, a value for each completion. The
    trainer passes its other columns and its state as well; they are not looked at.
    Raises ValueError where the columns are not as long as the completions.
    """
    n = len(completions)
    bottom, top = lowest or [LOWEST] * n, highest or [HIGHEST] * n
    rows = zip(completions, gold_a, gold_b, bottom, top, strict=True)
    return [reward(text_of(completion), (first, second), low, high) for completion, first, second, low, high in rows]


def compute_score(
    data_source: str, solution_str: str, ground_truth: Mapping[str, Any], extra_info: Any = None, **more: Any
) -> float:
    """The same reward as verl calls it; `ground_truth` has the keys gold_a, gold_b, lowest and highest."""
    gold = (ground_truth["gold_a"], ground_truth["gold_b"])
    return reward(solution_str, gold, ground_truth.get("lowest", LOWEST), ground_truth.get("highest", HIGHEST))
