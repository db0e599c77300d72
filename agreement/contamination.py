"""Did a model see the questions? Probes with p-values, false-positive rate and power.

Each probe compares what a model does with the questions to what one that never saw them would do. A probe accuses only
where its p-value is at most LEVEL / 3 = 0.083 %: with three statistical probes of one model (Bonferroni), a clean model
is accused by any of them with a chance of at most LEVEL = 0.25 %.

Every statement is about a clean model as each probe describes it. Where clean models themselves prefer originals (a
natural sentence over a disturbed one, say), the probe is told what models known to be clean do (`expected`,
`chance`), and tests against that.

Sources: S. Golchin and M. Surdeanu, Time Travel in LLMs (ICLR 2024, arXiv 2308.08493), guided completion, here with a
paraphrase of the same question as the control; the same, Data Contamination Quiz (arXiv 2311.06233), with its
correction for preferred positions; H. Zhang et al., A Careful Examination of Large Language Model Performance on Grade
School Arithmetic (arXiv 2405.00332), public questions against held-back twins; A. Srivastava et al., Beyond the
Imitation Game (arXiv 2206.04615), the canary. Sign-flip test: E. S. Edgington, Randomization Tests, 3rd edition (1995),
with the p-value of B. Phipson and G. K. Smyth, Statistical Applications in Genetics 9 (2010), article 39.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.ranks import TOO_FEW_UNITS, mean_score, units_of
from agreement.validation import wilson_interval

COMPLETION, QUIZ, TWINS, CANARY = "completion", "quiz", "twins", "canary"
PROBES = (COMPLETION, QUIZ, TWINS, CANARY)
#: Chance that any probe accuses a clean model.
LEVEL = 0.0025
#: Of one statistical probe: there are three.
PROBE_LEVEL = LEVEL / 3
FLIPS = 9_999
#: With fewer units no sign flip is as rare as the level: 2^-11 = 0.05 %.
MIN_UNITS = 11
#: Chance that a clean model writes as much of a canary, over all its completions.
CANARY_LEVEL = 1e-6
#: What a battery of probes says of a model.
NOT_FOUND, WARNING, CLEAR, UNKNOWN = "not found", "warning", "clear", "unknown"

Floats = NDArray[np.float64]
_HEXADECIMAL = re.compile(r"[0-9a-f]+")


def guided_completion(
    exact: ArrayLike, paraphrase: ArrayLike, cluster: ArrayLike | None = None, expected: float = 0.0, seed: int = 0
) -> Figure:
    """Does the model complete the original better than a paraphrase of it?

    exact, paraphrase  how far its completion of the first part of the original, and of a paraphrase, overlaps with the
                       true second part of the same wording (ROUGE-L, say, 0 to 1), shape (Q,); NaN where not asked.
    cluster            of each question, or None.
    expected           mean difference of models known to be clean.

    value = mean difference less `expected`; n = questions with both. detail and reasons as `paired_probe`.
    """
    return paired_probe(exact, paraphrase, cluster, expected, seed).with_detail(probe=COMPLETION)


def twin_gap(
    public: ArrayLike, twin: ArrayLike, cluster: ArrayLike | None = None, expected: float = 0.0, seed: int = 0
) -> Figure:
    """Does the model score higher on public questions than on their held-back twins?

    public, twin  scores of each public question and of its twin, shape (Q,); NaN where unscored.
    cluster       of each pair, or None.
    expected      mean gap of models known to be clean: 0 where a coin decided which of the two was made public, which
                  makes the test exact.

    value = mean gap less `expected`, in the units of the scores; n = pairs. detail and reasons as `paired_probe`.
    """
    return paired_probe(public, twin, cluster, expected, seed).with_detail(probe=TWINS)


def paired_probe(
    known: ArrayLike, control: ArrayLike, cluster: ArrayLike | None = None, expected: float = 0.0, seed: int = 0
) -> Figure:
    """One-sided paired sign-flip test over units: is `known` above `control` by more than `expected`?

    With S the sum of the unit sums of (known - control - expected) and B random flips of the units' signs,
        p = (1 + flips whose sum is at least S) / (B + 1),
    which is exact, whatever the distribution, where a clean model's differences are symmetric about 0. B is 9,999, or
    999 where 20 of these are as large.
    The interval is that of `ranks.mean_score`; detail: `p`, `level`, `found` (p at most the level), `units`, `unit`,
    `expected`, `flips`.
    Undefined: "no items"; "too few units" below 11, where no p-value could be as small as the level.
    Raises ValueError for lengths that differ or infinite numbers.
    """
    first, second = np.asarray(known, dtype=float), np.asarray(control, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError("every question has both values")
    if np.isinf(first).any() or np.isinf(second).any():
        raise ValueError("a value is a finite number, or NaN where there is none")
    differences = first - second - expected
    mean = mean_score(differences, cluster)
    detail = {**mean.detail, "level": PROBE_LEVEL, "expected": expected}
    if mean.value is None:
        return Figure.without_value(NO_ITEMS, **detail)
    units = units_of(len(first), cluster)
    both = ~np.isnan(differences)
    index = np.unique(units.index[both], return_inverse=True)[1].reshape(-1)
    sums = np.bincount(index, differences[both]).astype(np.float64)
    if len(sums) < MIN_UNITS:
        return Figure.without_value(TOO_FEW_UNITS, mean.n, **detail)
    p, flips = _as_large(sums, seed)
    return replace(mean, detail={**detail, "flips": flips, "p": p, "found": p <= PROBE_LEVEL})


def _as_large(sums: Floats, seed: int) -> tuple[float, int]:
    """The p-value of the sum, and how many flips it rests on: all, or the first tenth where 20 of them are as large.

    Below 2.1 % p is that of all flips, else no smaller than that of the first tenth: valid at every level.
    """
    # Equal sums added in another order differ by rounding, which must accuse nobody.
    least = sums.sum() - 1e-9 * np.abs(sums).sum()
    as_large = flips = 0
    for signs in _flips(len(sums), seed):
        as_large += int((signs.astype(np.float64) @ sums >= least).sum())
        flips += len(signs)
        if as_large >= 20:
            break
    return (1 + as_large) / (flips + 1), flips


@lru_cache(maxsize=1)
def _flips(units: int, seed: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Random signs, FLIPS of shape (units,); the models of one set are probed with the same ones."""
    signs = 2 * np.random.default_rng(seed).integers(0, 2, (FLIPS, units), dtype=np.int8) - 1
    return signs[: FLIPS // 10], signs[FLIPS // 10 :]


def quiz(original: ArrayLike, chosen: ArrayLike, options: int, chance: float = 0.0) -> Figure:
    """Does the model pick the original among disturbed copies of it?

    original  at which of the k = `options` places the original stood, integers from 0, shape (Q,).
    chosen    which place the model picked, -1 for none of them (a miss), shape (Q,).
    chance    how often models known to be clean pick the original.

    A model that likes a place meets the original there more often than 1 / k where originals stand there more often.
    With a_p the share of originals at place p and b_p the share of choices of it,
        p0 = max(1 / k, sum a_p b_p, chance),
    and the hits are tested, one-sided, against the binomial distribution of Q questions and p0. Where places were drawn
    at random, a clean model's hits are binomial with 1 / k whatever its likes, and the correction is on the safe side.
    value = (hits / Q - p0) / (1 - p0), the share of questions known beyond chance (negative below it), with Wilson's
    interval; n = questions. detail: `p`, `level`, `found`, `hits`, `chance` (p0), `probe`.
    Undefined: "no items"; "every place is the original's" where p0 = 1.
    Raises ValueError for lengths that differ, a place that is none, fewer than two options, or a chance outside [0, 1].
    """
    true, picked = np.asarray(original, dtype=np.int64), np.asarray(chosen, dtype=np.int64)
    if true.shape != picked.shape or true.ndim != 1:
        raise ValueError("every question has a place of the original and a choice")
    if options < 2 or not 0 <= chance <= 1:
        raise ValueError("a quiz has two options at least, and a chance lies between 0 and 1")
    if len(true) and (true.min() < 0 or picked.min() < -1 or max(true.max(), picked.max()) >= options):
        raise ValueError("a place lies between 0 and the number of options")
    n, hits = len(true), int((true == picked).sum())
    detail: dict[str, Any] = {"level": PROBE_LEVEL, "probe": QUIZ, "hits": hits, "options": options}
    if n == 0:
        return Figure.without_value(NO_ITEMS, **detail)
    places, picks = np.bincount(true, minlength=options), np.bincount(picked[picked >= 0], minlength=options)
    met = max(1 / options, float((places * picks).sum()) / n**2, chance)
    detail["chance"] = met
    if met == 1:
        return Figure.without_value("every place is the original's", n, **detail)
    p = float(scipy.special.bdtrc(hits - 1, n, met)) if hits else 1.0
    value, low, high = ((rate - met) / (1 - met) for rate in (hits / n, *wilson_interval(hits, n)))
    interval = {"interval": "Wilson", "confidence": 0.95}
    return Figure(value, n, low, high, detail={**detail, **interval, "p": p, "found": p <= PROBE_LEVEL})


def canary(completions: Sequence[str], remainder: str) -> Figure:
    """Does the model know the canary by which the published set can be recognised?

    completions  what it wrote after the first part of the canary, in any number of attempts.
    remainder    hexadecimal digits of the canary that it was not shown; dashes do not count.

    value = the most leading digits h of the remainder that occur together anywhere in a completion; n = completions.
    To a clean model the digits are random: with m digits written in all,
        p = min(1, m 16^-h)
    is at least its chance of writing as many. Found where p is at most one in a million: seven digits of one attempt.
    detail: `p`, `level`, `found`, `probe`. Undefined: "no items". Raises ValueError for a remainder without digits or
    with anything else in it.
    """
    digits = remainder.lower().replace("-", "")
    if not _HEXADECIMAL.fullmatch(digits):
        raise ValueError("the remainder of a canary is made of hexadecimal digits")
    detail: dict[str, Any] = {"level": CANARY_LEVEL, "probe": CANARY}
    if not completions:
        return Figure.without_value(NO_ITEMS, **detail)
    runs = [run for text in completions for run in _HEXADECIMAL.findall(text.lower().replace("-", ""))]
    longest = next(h for h in range(len(digits), -1, -1) if h == 0 or any(digits[:h] in run for run in runs))
    written = sum(map(len, runs))
    p = min(1.0, written * 16.0**-longest) if longest else 1.0
    return Figure(float(longest), len(completions), detail={**detail, "p": p, "found": p <= CANARY_LEVEL})


def verdict(probes: Mapping[str, Figure]) -> str:
    """What the probes of one model say together, by probe's name.

    "clear"      the canary, or two of the other probes: leaves the ranking until somebody decides.
    "warning"    one of the other probes: a visible warning.
    "not found"  at least one probe had an answer and none accuses.
    "unknown"    no probe had an answer.
    A clean model gets one of the first two with a chance of at most 0.25 %. Raises ValueError for an unknown probe.
    """
    if set(probes) - set(PROBES):
        raise ValueError(f"unknown probes: {sorted(set(probes) - set(PROBES))}")
    accusing = {name for name, figure in probes.items() if figure.value is not None and figure.detail["found"]}
    if CANARY in accusing or len(accusing) > 1:
        return CLEAR
    if accusing:
        return WARNING
    return NOT_FOUND if any(figure.value is not None for figure in probes.values()) else UNKNOWN


def quiz_power(n: int, share: float, options: int, chance: float = 0.0) -> float:
    """Chance that `quiz` accuses a model that knows a share of n questions, its originals at random places.

    Exact for the binomial distribution with p0 = max(1 / options, chance) under the level.
    Raises ValueError for a share outside [0, 1] or fewer than two options.
    """
    if options < 2 or not 0 <= share <= 1:
        raise ValueError("two options at least, and a share between 0 and 1")
    met = max(1 / options, chance)
    hits = np.arange(1, n + 1)
    enough = hits[scipy.special.bdtrc(hits - 1, n, met) <= PROBE_LEVEL]
    return float(scipy.special.bdtrc(enough[0] - 1, n, met + (1 - met) * share)) if len(enough) else 0.0


def paired_power(units: int, share: float, effect: float, spread: float) -> float:
    """Chance that `guided_completion` or `twin_gap` accuses a model that knows a share of the questions.

    effect  mean difference of a question that it knows; spread  standard deviation of the differences of a clean model.

    By the noncentral t distribution, with mean share effect and variance spread^2 + share (1 - share) effect^2. A
    design value: differences far from normal need `share` to be larger.
    Raises ValueError for a share outside [0, 1] or a spread that is not positive.
    """
    if not 0 <= share <= 1 or spread <= 0:
        raise ValueError("a share lies between 0 and 1, and a spread is positive")
    if units < MIN_UNITS:
        return 0.0
    away = np.sqrt(units) * share * effect / np.sqrt(spread**2 + share * (1 - share) * effect**2)
    least = scipy.special.stdtrit(units - 1, 1 - PROBE_LEVEL)
    return float(1 - scipy.special.nctdtr(units - 1, away, least))
