"""Rows that show what a score is worth: answers that know nothing, and what chance gives.

A blind answer's score is a mean of independent hits: W. Feller, An Introduction to Probability Theory and Its
Applications, volume 1, 3rd edition (1968), chapter 9.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement.figures import NO_ITEMS, Figure

EMPTY, CONSTANT, FIRST_OPTION, LONGEST_OPTION, ECHO = "empty", "constant", "first option", "longest option", "echo"
BASELINES = (EMPTY, CONSTANT, FIRST_OPTION, LONGEST_OPTION, ECHO)
NO_CHOICE = "no question with choices"


def baseline_answer(kind: str, question: str, options: Sequence[str] = (), constant: str = "") -> str | None:
    """What a baseline answers; None where it has no answer to such a question, which then counts as unscored.

    kind      "empty": nothing; "constant": the same text to all; "first option" and "longest option" (in characters,
              the first of equals): one of its options, None where there are none; "echo": the question.
    options   texts of the choices, as a model would repeat them.
    Raises ValueError for an unknown kind.
    """
    if kind not in BASELINES:
        raise ValueError(f"kind must be one of {BASELINES}, not {kind!r}")
    if kind in (FIRST_OPTION, LONGEST_OPTION):
        if not options:
            return None
        return options[0] if kind == FIRST_OPTION else max(options, key=len)
    return {EMPTY: "", CONSTANT: constant, ECHO: question}[kind]


def chance_levels(skill: Sequence[Hashable], choices: Sequence[int | None]) -> dict[Hashable, Figure]:
    """Expected score, 0 to 10, of an answer picked blindly, by skill in the order in which skills first occur.

    skill    of each question; choices  how many options it has, None where it has none (free text).

    The mean of 10 / options over the questions with options; n counts those. detail: `questions` of the skill in all,
    `share` of them with options, `standard_deviation` of one blind pass's mean (so that a score within two of it is
    chance). Free text has no chance level: what a blind answer gets from a judge is measured by the baselines.
    Undefined: "no question with choices". Raises ValueError for lengths that differ or fewer than two options.
    """
    if len(skill) != len(choices):
        raise ValueError("every question has a skill, and choices or None")
    if any(count is not None and count < 2 for count in choices):
        raise ValueError("a choice has two options at least")
    by_skill: dict[Hashable, list[int | None]] = {}
    for name, count in zip(skill, choices, strict=True):
        by_skill.setdefault(name, []).append(count)
    return {name: _chance(counts) for name, counts in by_skill.items()}


def overall_chance(levels: Mapping[Hashable, Figure]) -> Figure:
    """The chance level of all questions with choices together. Undefined as `chance_levels`, or "no items"."""
    known = [figure for figure in levels.values() if figure.value is not None]
    questions = sum(figure.detail["questions"] for figure in levels.values())
    if not known:
        return Figure.without_value(NO_CHOICE if levels else NO_ITEMS, questions=questions, share=0.0)
    n = sum(figure.n for figure in known)
    value = sum(figure.number * figure.n for figure in known) / n
    spread = np.sqrt(sum((figure.detail["standard_deviation"] * figure.n) ** 2 for figure in known)) / n
    detail = {"questions": questions, "share": n / questions, "standard_deviation": float(spread)}
    return Figure(float(value), n, detail=detail)


def _chance(counts: list[int | None]) -> Figure:
    given: NDArray[np.float64] = np.array([count for count in counts if count is not None], dtype=float)
    detail: dict[str, Any] = {"questions": len(counts), "share": len(given) / len(counts)}
    if not len(given):
        return Figure.without_value(NO_CHOICE, **detail)
    hit = 1 / given
    spread = 10 * float(np.sqrt((hit * (1 - hit)).sum())) / len(given)
    return Figure(float(10 * hit.mean()), len(given), detail={**detail, "standard_deviation": spread})
