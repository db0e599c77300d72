"""Lines of ratings as arrays, for the arithmetic: what an importer would store, without a database."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from agreement.preferences import LOSS, TIE, WIN

PREFERENCES = {"first": WIN, "tie": TIE, "second": LOSS}


@dataclass
class Rated:
    """Lines about items or pairs, in their order; `subjects` and `raters` name what the codes stand for."""

    lines: list[dict]
    subjects: list[str] = field(default_factory=list)
    raters: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.subjects = list(dict.fromkeys(self._subject(line) for line in self.lines))
        self.raters = list(dict.fromkeys(line["rater"] for line in self.lines))

    @staticmethod
    def _subject(line: dict) -> str:
        return line.get("item") or line["pair"]

    @property
    def subject(self) -> np.ndarray:
        code = {name: number for number, name in enumerate(self.subjects)}
        return np.array([code[self._subject(line)] for line in self.lines])

    @property
    def rater(self) -> np.ndarray:
        code = {name: number for number, name in enumerate(self.raters)}
        return np.array([code[line["rater"]] for line in self.lines])

    def numbers(self, name: str) -> np.ndarray:
        """`grade`, `first` or `second` of each line, NaN where it has none."""
        return np.array([line.get(name, np.nan) for line in self.lines], dtype=float)

    @property
    def preference(self) -> np.ndarray:
        """What each line says outright, NaN where it could not be read."""
        return np.array([PREFERENCES.get(line.get("preference", ""), np.nan) for line in self.lines])

    def of(self, **wanted: object) -> "Rated":
        """The lines whose fields are these."""
        return Rated([line for line in self.lines if all(line.get(name) == value for name, value in wanted.items())])

    def by_subject(self, values: np.ndarray, subjects: Iterable[str]) -> np.ndarray:
        """One rater's values put beside these subjects, NaN where the rater has none."""
        found = dict(zip((self._subject(line) for line in self.lines), values, strict=True))
        assert len(found) == len(self.lines), "one line about each subject"
        return np.array([found.get(subject, np.nan) for subject in subjects], dtype=float)


def rated(lines: Iterator[dict]) -> Rated:
    return Rated([line for line in lines if line["kind"] == "ratings"])
