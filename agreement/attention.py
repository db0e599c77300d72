"""Signals that somebody may not be reading: answers faster than reading, and one grade over and over.

They are numbers to look at, with what would be expected beside them. None of them is a verdict on a person.
"""

import unicodedata
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.validation import wilson_interval
from agreement.words import words

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Silent reading takes 183 / 238 of the time of reading aloud (M. Brysbaert, Journal of Memory and Language 109
#: (2019), 104047), for which there are figures by language.
SILENT = 238 / 183

#: By ISO 15924 script, what is counted and how much of it adults read aloud in a minute: Brysbaert's mean for English,
#: and those of Arabic, Hebrew, Russian, Chinese and Japanese from S. Trauzettel-Klosinski and K. Dietz, Investigative
#: Ophthalmology & Visual Science 53 (2012), 5452-5461.
ALOUD: dict[str, tuple[str, float]] = {
    "Latn": ("words", 183),
    "Arab": ("words", 138),
    "Hebr": ("words", 187),
    "Cyrl": ("words", 184),
    "Hani": ("characters", 255),
    "Jpan": ("characters", 357),
}
#: The latter's mean over 17 languages, for scripts it has not: words where a script spaces them, else characters.
ALOUD_ELSEWHERE: dict[str, tuple[str, float]] = {"spaced": ("words", 184), "unspaced": ("characters", 863)}
UNSPACED = ("Thai", "Laoo", "Khmr", "Mymr")
_SAME_AS = {"Hans": "Hani", "Hant": "Hani", "Hira": "Jpan", "Kana": "Jpan"}

#: Below this share of an average reader's time nobody reads: it is over 450 words of English a minute.
RUSHED = 0.5


def reading_rate(script: str) -> tuple[str, float]:
    """What is counted in a script, "words" or "characters", and how many an average adult reads silently a minute.

    script  ISO 15924 code. Unknown ones count as spaced scripts on average do.
    """
    code = _SAME_AS.get(script, script)
    unit, aloud = ALOUD.get(code) or ALOUD_ELSEWHERE["unspaced" if code in UNSPACED else "spaced"]
    return unit, aloud * SILENT


def reading_seconds(text: str, script: str = "Latn") -> float:
    """Seconds an average adult needs to read the text silently. Characters are letters and digits."""
    unit, rate = reading_rate(script)
    if unit == "words":
        return 60 * len(words(text)) / rate
    return 60 * sum(unicodedata.category(character)[0] in "LN" for character in text) / rate


def rushing(raters: ArrayLike, seconds: ArrayLike, needed: ArrayLike, threshold: float = RUSHED) -> dict[int, Figure]:
    """Share of each rater's answers that took less than `threshold` of what reading needs; rater -> Figure.

    raters   ids, shape (N,), one entry per answer.
    seconds  from opening the item to handing it in, shape (N,); NaN where unknown, left out.
    needed   `reading_seconds` of all there was to read, shape (N,).
    n = answers with a time; interval: Wilson; detail: threshold, and the median of seconds / needed.
    Undefined: "no items". Raises ValueError for lengths that differ or a needed time that is not above 0.
    """
    raters, seconds = np.asarray(raters, dtype=np.int64), np.asarray(seconds, dtype=float)
    needed = np.asarray(needed, dtype=float)
    if not raters.shape == seconds.shape == needed.shape or raters.ndim != 1:
        raise ValueError("every answer has its rater, its time and the time it needs")
    if not (needed > 0).all():
        raise ValueError("reading needs some time")
    distinct, at = np.unique(raters, return_inverse=True)
    if not len(distinct):
        return {}
    pace = seconds / needed
    known = ~np.isnan(pace)
    order = np.argsort(at[known], kind="stable")
    groups = np.split(pace[known][order], np.cumsum(np.bincount(at[known], minlength=len(distinct)))[:-1])
    figures = {}
    for rater, own in zip(distinct.tolist(), groups, strict=True):
        if not len(own):
            figures[rater] = Figure.without_value(NO_ITEMS, threshold=threshold)
            continue
        rushed = int((own < threshold).sum())
        detail = {"threshold": threshold, "median_pace": float(np.median(own)), "interval": "Wilson"}
        figures[rater] = Figure(rushed / len(own), len(own), *wilson_interval(rushed, len(own)), detail=detail)
    return figures


@dataclass(frozen=True, eq=False)
class StraightLining:
    """One grade over and over, of J raters.

    raters       their ids, ascending, shape (J,).
    longest_run  most grades in a row that were alike; detail: `expected`, and `p`, the probability of as long a run or
                 a longer one, if grades were drawn one by one from all raters' grades.
    modal_share  share of the rater's commonest grade; detail: `grade`; `expected`, the share that it has among the
                 others on the very same items; `p`, the probability of as many or more at those shares.
    n = grades. Where good work is all alike (every response deserves a 5), `expected` is high as well and p is not low.
    """

    raters: Integers
    longest_run: tuple[Figure, ...]
    modal_share: tuple[Figure, ...]


def straight_lining(items: ArrayLike, raters: ArrayLike, grades: ArrayLike) -> StraightLining:
    """Longest run and modal share of every rater, beside what is expected.

    items, raters, grades  shape (N,), one entry per grade; the grades of a rater in the order they were given.

    p of a run is P(L >= k) = 1 - (1 - sum_c p_c^k) exp(-sum_c (n - k) (1 - p_c) p_c^k), p_c the shares of the grades:
    exact for a run from the first grade on, a Poisson approximation for those that begin later (R. Arratia,
    L. Goldstein and L. Gordon, Statistical Science 5 (1990), 403-424). p of the modal share is
    the normal approximation of a sum of independent answers, times the number of grades in use, since it is the
    commonest of them. On items that nobody else graded the share among all grades is expected.
    Raises ValueError for lengths that differ.
    """
    items, raters, grades = np.asarray(items), np.asarray(raters, dtype=np.int64), np.asarray(grades)
    if not items.shape == raters.shape == grades.shape or items.ndim != 1:
        raise ValueError("every grade has its item and its rater")
    distinct, at = np.unique(raters, return_inverse=True)
    values, code = np.unique(grades, return_inverse=True)
    order = np.argsort(at, kind="stable")
    at, code, items = at[order], code[order], items[order]
    n = np.bincount(at, minlength=len(distinct))
    shares = np.bincount(code, minlength=len(values)) / max(1, len(code))
    runs = tuple(_run(int(longest), int(many), shares) for longest, many in zip(_runs(at, code, n), n, strict=True))
    counts = np.bincount(at * len(values) + code, minlength=len(n) * len(values)).reshape(len(n), len(values))
    modal = counts.argmax(axis=1) if len(values) else np.zeros(0, dtype=np.int64)
    expected = _share_among_others(items, code, modal[at], len(values), shares)
    mean = np.bincount(at, expected, minlength=len(n))
    variance = np.bincount(at, expected * (1 - expected), minlength=len(n))
    figures = []
    for rater, many in enumerate(n):
        count = int(counts[rater, modal[rater]])
        p = min(1.0, len(values) * _p_of_count(count, float(mean[rater]), float(variance[rater])))
        detail = {"grade": values[modal[rater]].item(), "expected": float(mean[rater] / many), "p": p}
        figures.append(Figure(count / int(many), int(many), detail=detail))
    return StraightLining(distinct, runs, tuple(figures))


def _runs(at: Integers, code: Integers, n: Integers) -> Integers:
    """Longest run of one code within each rater; entries stand rater by rater."""
    if not len(at):
        return np.zeros(0, dtype=np.int64)
    begins = np.flatnonzero(np.concatenate(([True], (np.diff(at) != 0) | (np.diff(code) != 0))))
    longest = np.zeros(len(n), dtype=np.int64)
    np.maximum.at(longest, at[begins], np.diff(np.append(begins, len(at))))
    return longest


def _run(longest: int, n: int, shares: Floats) -> Figure:
    lengths = np.arange(1, n + 1)
    powers = shares[None, :] ** lengths[:, None]
    later = ((n - lengths[:, None]) * (1 - shares) * powers).sum(axis=1)
    at_least = 1 - (1 - powers.sum(axis=1)) * np.exp(-later)
    detail = {"expected": float(at_least.sum()), "p": float(at_least[longest - 1])}
    return Figure(float(longest), n, detail=detail)


def _share_among_others(items: NDArray, code: Integers, wanted: Integers, n_values: int, shares: Floats) -> Floats:
    """The share of the wanted grade among the item's other ratings, shape (N,)."""
    if not len(items):
        return np.zeros(0)
    _, index = np.unique(items, return_inverse=True)
    counts = np.bincount(index * n_values + code, minlength=(int(index.max()) + 1) * n_values)
    like = counts[index * n_values + wanted] - (code == wanted)
    others = np.bincount(index)[index] - 1
    return np.divide(like, others, out=shares[wanted].copy(), where=others > 0)


def _p_of_count(count: int, mean: float, variance: float) -> float:
    """P(X >= count) of a sum of independent answers with this mean and variance, with continuity correction."""
    if variance <= 0:
        return 1.0 if count <= mean + 1e-9 else 0.0
    return float(scipy.special.ndtr((mean - count + 0.5) / np.sqrt(variance)))
