"""Scores controlled for length and format, by a regression that is fitted once for each version of a question set.

The coefficients are stored with the version. A newcomer is corrected by them and changes them for nobody, so that no
configuration moves because another arrived.

Source: Y. Dubois, B. Galambosi, P. Liang and T. B. Hashimoto, Length-Controlled AlpacaEval (arXiv 2404.04475), section
3: what a score would be at the baseline's length, with the hyperbolic tangent of the standardised difference; format
features as in T. Li et al., Does Style Matter? (LMSYS, 2024). Here the outcome is a score of 0 to 10, the regression is
linear with an effect of each question and each configuration, and the coefficients are common to all configurations.
Variance over clusters: K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986), 13-22.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import regex
from numpy.typing import ArrayLike, NDArray

from agreement.ranks import units_of

#: Of an answer: doublings of its length, and marks of format for every thousand characters.
FEATURES = ("doublings", "headings", "list_items", "bold")
REFERENCES_AT_LEAST = 2
QUESTIONS_AT_LEAST = 30

_HEADING = regex.compile(r"^ {0,3}#{1,6}\s", regex.MULTILINE)
_LIST_ITEM = regex.compile(r"^\s*(?:[-*+•]|\p{Nd}{1,3}[.)])\s", regex.MULTILINE)
_BOLD = regex.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")

Floats = NDArray[np.float64]


def features(text: str) -> tuple[float, float, float, float]:
    """Length and format of one answer, in the order of FEATURES: log2(1 + characters), then headings, list items and
    bold passages of Markdown for every thousand characters (counted as at least a thousand)."""
    return float(np.log2(1 + len(text))), *marks_of_format(text)


def marks_of_format(text: str) -> tuple[float, float, float]:
    """`features` without the length: of short texts a logarithm takes as long as all the counting."""
    thousands = max(1.0, len(text) / 1000)
    headings = len(_HEADING.findall(text)) if "#" in text else 0
    bold = len(_BOLD.findall(text)) if "**" in text or "__" in text else 0
    return headings / thousands, len(_LIST_ITEM.findall(text)) / thousands, bold / thousands


@dataclass(frozen=True)
class LengthControl:
    """What is frozen with a version of a question set.

    version       of the question set, by its canonical hash.
    features      names of the K features.
    questions     keys of the Q questions, in the order of `centres`.
    centres       mean of each feature over the reference configurations' answers to each question, (Q, K).
    scales        standard deviation of each feature around its centre, (K,); 0 where it does not vary.
    coefficients  points of score for one unit of tanh((feature - centre) / scale), (K,); 0 where it does not vary.
    covariance    of the coefficients, over units, (K, K).
    references    keys of the configurations that it was fitted on.
    answers       how many answers it was fitted on; units: how many clusters of questions, or questions.
    """

    version: str
    features: tuple[str, ...]
    questions: tuple[str, ...]
    centres: tuple[tuple[float, ...], ...]
    scales: tuple[float, ...]
    coefficients: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    references: tuple[str, ...]
    answers: int
    units: int

    def as_json(self) -> dict[str, Any]:
        """Plain JSON types; `from_json` of it is equal to this."""
        return {name: _lists(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "LengthControl":
        """Raises TypeError for a part that is missing or unknown, ValueError where parts do not fit together."""
        control = cls(**{name: _tuples(value) for name, value in stored.items()})
        k, n_questions = len(control.features), len(control.questions)
        if (
            np.shape(control.centres) != (n_questions, k)
            or np.shape(control.covariance) != (k, k)
            or {len(control.scales), len(control.coefficients)} != {k}
        ):
            raise ValueError("a length control has one centre per question and feature, one coefficient per feature")
        return control


def _lists(value: Any) -> Any:
    return [_lists(part) for part in value] if isinstance(value, tuple | list) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, tuple | list) else value


def fit(
    scores: ArrayLike,
    answers: ArrayLike,
    *,
    version: str,
    questions: Sequence[str],
    references: Sequence[str],
    names: Sequence[str] = FEATURES,
    cluster: ArrayLike | None = None,
) -> LengthControl:
    """The regression of the reference configurations' scores on length and format.

    scores   of Q questions and R reference configurations, shape (Q, R), NaN where unscored.
    answers  features of each answer, shape (Q, R, K); NaN where there is no answer (empty, refused, cut off): such an
             answer has the score 0 for another reason than its length, and is left out.

        score_qr = question_q + configuration_r + sum_k b_k tanh((x_qrk - centre_qk) / scale_k) + rest
    by least squares. Effects of questions and configurations take out that some questions ask for more words and that
    some configurations are both better and longer; b says what more words do to the score of the same configuration
    on the same question. Features that do not vary have b = 0; collinear ones share (least norm).

    Raises ValueError for shapes that differ, fewer than 2 reference configurations or 30 questions with two answers.
    """
    table, given = np.asarray(scores, dtype=float), np.asarray(answers, dtype=float)
    n_questions, n_references = len(questions), len(references)
    if table.shape != (n_questions, n_references) or given.shape != (*table.shape, len(names)):
        raise ValueError("every question and reference configuration has a score and an answer's features")
    used = ~(np.isnan(table) | np.isnan(given).any(axis=2))
    if n_references < REFERENCES_AT_LEAST or (used.sum(axis=1) >= 2).sum() < QUESTIONS_AT_LEAST:
        raise ValueError("a length control needs 2 reference configurations and 30 questions that two of them answered")
    known = used.sum(axis=1)
    # A question that no reference answered has the mean of all as its centre.
    overall = given[used].mean(axis=0)
    centres = np.where(used[:, :, None], given, 0).sum(axis=1) / np.maximum(known, 1)[:, None]
    centres = np.where(known[:, None] > 0, centres, overall)
    question, reference = np.nonzero(used)
    away = given[used] - centres[question]
    scales = np.sqrt((away**2).mean(axis=0))
    scales[scales < 1e-9] = 0.0
    bent = _bent(away, scales)
    columns = _without_effects(np.column_stack((table[used], bent)), question, reference, (n_questions, n_references))
    outcome, design = columns[:, 0], columns[:, 1:]
    inverse = np.linalg.pinv(design.T @ design, rcond=1e-10, hermitian=True)
    coefficients = inverse @ design.T @ outcome
    units = units_of(n_questions, cluster)
    pulls = np.zeros((units.count, len(names)))
    np.add.at(pulls, units.index[question], design * (outcome - design @ coefficients)[:, None])
    spread = units.count / max(1, units.count - 1) * pulls.T @ pulls
    covariance = inverse @ spread @ inverse
    return LengthControl(
        version=version,
        features=tuple(names),
        questions=tuple(questions),
        centres=_tuples(centres.tolist()),
        scales=tuple(scales.tolist()),
        coefficients=tuple(coefficients.tolist()),
        covariance=_tuples(covariance.tolist()),
        references=tuple(references),
        answers=int(used.sum()),
        units=units.count,
    )


def controlled(control: LengthControl, questions: Sequence[str], scores: ArrayLike, answers: ArrayLike) -> Floats:
    """Scores of one configuration as they would be at the reference length and format, shape (Q,).

    questions  keys, any of the version's in any order; scores  shape (Q,), NaN where unscored.
    answers    features, shape (Q, K); NaN where there is no answer: its score stays as it is.

        score - sum_k b_k tanh((x_k - centre_k) / scale_k)
    depends on nothing but this configuration and what is frozen. Not clipped: a score just below 0 or above 10 keeps
    the mean unbiased. Interval and rank: `ranks.mean_score` and `ranks.rank_sets` of these, given the coefficients.
    Raises ValueError for shapes that differ or a question that the version has not.
    """
    table, given = np.asarray(scores, dtype=float), np.asarray(answers, dtype=float)
    if table.shape != (len(questions),) or given.shape != (len(questions), len(control.features)):
        raise ValueError("every question has a score and an answer's features")
    place = {key: row for row, key in enumerate(control.questions)}
    unknown = [key for key in questions if key not in place]
    if unknown:
        raise ValueError(f"questions that this version has not: {unknown[:5]}")
    rows = np.array([place[key] for key in questions], dtype=np.int64)
    centres = np.asarray(control.centres, dtype=float).reshape(-1, len(control.features))[rows]
    bent = _bent(given - centres, np.asarray(control.scales))
    correction = bent @ np.asarray(control.coefficients)
    return table - np.where(np.isnan(given).any(axis=1), 0.0, correction)


def _bent(away: Floats, scales: Floats) -> Floats:
    """tanh of the standardised distance: ten times the length is not ten times the effect. 0 without a scale."""
    return np.where(scales > 0, np.tanh(away / np.where(scales > 0, scales, 1.0)), 0.0)


def _without_effects(columns: Floats, question: NDArray, reference: NDArray, shape: tuple[int, int]) -> Floats:
    """What is left of each column after its regression on questions and configurations, (N, k) each.

    By the normal equations of the configurations once questions are taken out, which are few: exact also where answers
    are missing (R. Frisch and F. V. Waugh, Econometrica 1 (1933), 387-401).
    """
    n_questions, n_references = shape
    known = np.maximum(np.bincount(question, minlength=n_questions), 1)

    def within(values: Floats) -> Floats:
        sums = np.zeros((n_questions, values.shape[1]))
        np.add.at(sums, question, values)
        return values - (sums / known[:, None])[question]

    dummies = within(np.eye(n_references)[reference])
    rest = within(columns)
    return rest - dummies @ (np.linalg.pinv(dummies.T @ dummies, hermitian=True) @ (dummies.T @ rest))
