"""Times the lint of criteria (rubrics/lint) as an author meets it: everything anew, and after one more keystroke.

Run from the project's root: `python -m speed.lint_bench`. Prints; never passes or fails. The texts are the
sound criteria of the tests' cases, cut to 30 criteria of 200 characters and a gold answer of 1,000. Processor time:
there is no input or output to wait for.
"""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import django
from django.conf import settings

from rubrics.lint import LintCriterion, LintInput, find
from rubrics.lint.texts import read
from speed import results

CASES = Path(__file__).resolve().parent.parent / "tests" / "rubrics" / "lint" / "cases"
REPEATS = 9
AIM = "under 20 ms"


def rubric(language: str) -> LintInput:
    groups = json.loads((CASES / f"{language}.json").read_text("utf-8"))
    sound = " ".join(text for group in groups.values() for text in group["good"] if isinstance(text, str))
    text = sound * (1 + 8_000 // len(sound))
    band = ("meaning", 5, 9)
    criteria = [LintCriterion(str(n), text[n * 190 : n * 190 + 200], n % 12, band) for n in range(30)]
    return LintInput(language, text[:200], text[500:1_500], criteria)


def main() -> None:
    if not settings.configured:
        settings.configure(USE_I18N=False)
        django.setup()
    for path in sorted(CASES.glob("*.json")):
        given = rubric(path.stem)
        find(given)
        anew, typed = [], []
        for number in range(REPEATS):
            read.cache_clear()
            anew.append(timed(find, given))
            last = given.criteria[-1]
            changed = [*given.criteria[:-1], replace(last, text=last.text + "x" * (number + 1))]
            typed.append(timed(find, replace(given, criteria=changed)))
        size = f"30 criteria x 200, gold answer of 1,000, {path.stem}"
        results.report(f"lint anew, {size}", f"{min(anew) * 1000:.1f} ms", bar=AIM)
        results.report(f"lint after a keystroke, {size}", f"{min(typed) * 1000:.1f} ms", bar=AIM)


def timed(work: Callable[[LintInput], object], given: LintInput) -> float:
    """Seconds of processor time."""
    begin = time.process_time()
    work(given)
    return time.process_time() - begin


if __name__ == "__main__":
    main()
