"""Every alpha a second time: recomputed by the package `krippendorff` from the rows that the figure was made from.

Pure: no database, no request. An area tells which alphas it shows and from which rows (`figures.FiguresByVariety.
alphas`); here they are recomputed and compared. Nothing of `agreement` is used: two ways to one number.

Package: S. Castro, "Fast Krippendorff: Fast computation of Krippendorff's alpha agreement measure" (2017), GPL-3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from agreement.figures import Figure

#: Two numbers that differ by more are not the same one.
TOLERANCE = 1e-9
#: So many cells of unit by value by value the package is given at once: it holds several tables of them.
MAX_CELLS = 4_000_000


Level = Literal["nominal", "ordinal", "interval", "ratio"]


class Rows(Protocol):
    def recomputed(self) -> float | None:
        """Alpha of these rows; None where it is undefined."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """Single ratings: which item each is of and its value, shape (N,); level as the package names it."""

    item: NDArray[Any]
    value: NDArray[Any]
    level: Level

    def recomputed(self) -> float | None:
        domain, code = np.unique(self.value, return_inverse=True)
        items, place = np.unique(self.item, return_inverse=True)
        counts = np.zeros((len(items), len(domain)), dtype=np.int64)
        np.add.at(counts, (place.reshape(-1), code.reshape(-1)), 1)
        return package_alpha(counts, domain, self.level)


@dataclass(frozen=True, eq=False)
class Unitizings:
    """Answers that mark stretches of texts; fields as of agreement.unitizing.unitizing_alpha.

    The package knows no unitizing. It recomputes the nominal alpha of single characters, each marked or not by every
    answer on its text, which has the same observed disagreement. The expected one differs in that marked stretches
    are paired whole: with L characters in all answers, of which G unmarked, and U the sum of squared lengths of
    stretches, 1 - alpha_u = (1 - alpha_nominal) (L^2 - U - G) / (L^2 - L).
    """

    lengths: NDArray[np.int64]
    text_of_answer: NDArray[np.int64]
    answer: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    def recomputed(self) -> float | None:
        stretches: dict[int, list[tuple[int, int]]] = {}
        for answer, start, end in zip(self.answer.tolist(), self.start.tolist(), self.end.tolist(), strict=True):
            stretches.setdefault(answer, []).append((start, end))
        answers_of: dict[int, list[int]] = {}
        for answer, text in enumerate(self.text_of_answer.tolist()):
            answers_of.setdefault(text, []).append(answer)
        parts, squares = [], 0
        for text, answers in answers_of.items():
            if len(answers) < 2:
                continue
            marked = np.zeros(int(self.lengths[text]), dtype=np.int64)
            for answer in answers:
                for start, end in put_together(stretches.get(answer, [])):
                    marked[start:end] += 1
                    squares += (end - start) ** 2
            parts.append(np.column_stack((len(answers) - marked, marked)))
        if not parts:
            return None
        counts = np.concatenate(parts)
        nominal = package_alpha(counts, np.arange(2), "nominal")
        total, unmarked = int(counts.sum()), int(counts[:, 0].sum())
        # Where everything is one stretch, nothing could have been otherwise.
        if nominal is None or total**2 - squares - unmarked <= 0:
            return None
        return 1 - (1 - nominal) * (total**2 - squares - unmarked) / (total**2 - total)


def put_together(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches that overlap are one; those that only touch stay two."""
    segments: list[tuple[int, int]] = []
    for start, end in sorted(each for each in stretches if each[0] < each[1]):
        if segments and start < segments[-1][1]:
            segments[-1] = (segments[-1][0], max(segments[-1][1], end))
        else:
            segments.append((start, end))
    return segments


def package_alpha(counts: NDArray[np.int64], domain: NDArray[Any], level: Level) -> float | None:
    """The package's alpha of value counts, shape (units, values); None where it is undefined.

    The package holds a table of units by values by values. Where that would be too large, its coincidences, which are a
    sum over units, are added up from parts; distances and the last line are the package's as well.
    """
    import krippendorff

    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts) or np.count_nonzero(counts.sum(axis=0)) < 2:
        return None
    n_values = counts.shape[1]
    if counts.size * n_values <= MAX_CELLS:
        value = krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)
        return float(value) if np.isfinite(value) else None
    package: Any = krippendorff.krippendorff
    at_once = max(1, MAX_CELLS // n_values**2)
    observed = np.zeros((n_values, n_values))
    for begin in range(0, len(counts), at_once):
        observed += package._coincidences(counts[begin : begin + at_once])
    per_value = observed.sum(axis=0)
    expected = package._random_coincidences(per_value)
    distances = package._distances(domain, package._distance_metric(level), per_value)
    return float(1 - (observed * distances).sum() / (expected * distances).sum())


@dataclass(frozen=True, eq=False)
class MeanOf:
    """The ratings of several questions, whose alpha is the mean of those that have one."""

    questions: Sequence[Ratings]

    def recomputed(self) -> float | None:
        known = [alpha for one in self.questions if (alpha := one.recomputed()) is not None]
        return sum(known) / len(known) if known else None


@dataclass(frozen=True)
class Shown:
    """An alpha as it stands in a table: the table's id, the labels of its row, the measure; and the rows behind it."""

    table: str
    labels: tuple[str, ...]
    measure: str
    figure: Figure
    rows: Rows


@dataclass(frozen=True)
class Comparison:
    """`shown` and `recomputed` are None where alpha is undefined, `undefined` is the reason the table gives."""

    table: str
    labels: tuple[str, ...]
    measure: str
    shown: float | None
    undefined: str
    recomputed: float | None

    @property
    def difference(self) -> float | None:
        """None where either is undefined."""
        return None if self.shown is None or self.recomputed is None else abs(self.shown - self.recomputed)

    @property
    def agrees(self) -> bool:
        if self.difference is None:
            return self.shown is None and self.recomputed is None
        return self.difference <= TOLERANCE

    @property
    def place(self) -> str:
        return f"{self.table}: {', '.join(self.labels)}: {self.measure}"

    def as_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "labels": list(self.labels),
            "measure": self.measure,
            "shown": self.shown,
            "undefined": self.undefined or None,
            "recomputed": self.recomputed,
            "difference": self.difference,
            "agrees": self.agrees,
        }


def compared(shown: Iterable[Shown]) -> list[Comparison]:
    """Each alpha beside the package's; one set of rows that stands in several tables is recomputed once."""
    made: dict[int, float | None] = {}
    comparisons, kept_alive = [], []
    for alpha in shown:
        if id(alpha.rows) not in made:
            made[id(alpha.rows)] = alpha.rows.recomputed()
            kept_alive.append(alpha.rows)  # or another's rows might come by its number
        figure = alpha.figure
        comparisons.append(
            Comparison(
                alpha.table, alpha.labels, alpha.measure, figure.value, figure.undefined or "", made[id(alpha.rows)]
            )
        )
    return comparisons


def disagreeing(comparisons: Sequence[Comparison]) -> list[Comparison]:
    return [comparison for comparison in comparisons if not comparison.agrees]


def package_version() -> str:
    return f"krippendorff {version('krippendorff')}"
