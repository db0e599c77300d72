"""How generated raters come by their grades, so that mean, spread and agreement of all grades are those asked for.

A response has a quality, normal over responses. A rater sees quality - severity + an error of the moment, and gives
the nearest grade of 1 to 5. A careless rater gives grades as they are distributed over all responses, whatever the
response.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy  # its parts load when they are first named
from numpy.typing import NDArray

from agreement.alpha import alpha_of_coincidences

GRADES = np.arange(1, 6)
BOUNDARIES = np.array([1.5, 2.5, 3.5, 4.5])

Floats = NDArray[np.float64]


@cache
def qualities() -> Floats:
    """Qualities in equal shares of responses, to integrate over."""
    return scipy.special.ndtri((np.arange(4000) + 0.5) / 4000)


@dataclass(frozen=True)
class Grading:
    """Mean and standard deviation of quality, and how far raters stray from it, all in steps of the scale."""

    mean: float
    spread: float
    stray: float
    careless: float

    def expected(self) -> tuple[float, float, float]:
        """Mean, standard deviation and ordinal alpha of all grades."""
        given = self._given()
        overall = given.mean(axis=0)
        mean = float(overall @ GRADES)
        std = float(np.sqrt(overall @ (GRADES - mean) ** 2))
        # Two raters of one response: what each gives is independent once its quality is known.
        coincidences = given.T @ given / len(given)
        # As of so many grades that the correction for few of them is gone.
        alpha = alpha_of_coincidences(GRADES, "ordinal")(1e9 * coincidences.ravel())
        return mean, std, float(alpha)

    def shares(self) -> Floats:
        """How often each grade is given over all responses, shape (5,)."""
        return self._given().mean(axis=0)

    def _given(self) -> Floats:
        quality = self.mean + self.spread * qualities()
        up_to = scipy.special.ndtr((BOUNDARIES - quality[:, None]) / self.stray)
        attentive = np.diff(np.concatenate([np.zeros_like(up_to[:, :1]), up_to, np.ones_like(up_to[:, :1])], axis=1))
        return (1 - self.careless) * attentive + self.careless * attentive.mean(axis=0)


@cache
def grading_for(mean: float, std: float, alpha: float, careless: float) -> Grading:
    """The grading whose grades have this mean, standard deviation and ordinal alpha in expectation.

    Raises ValueError where no raters with so many careless ones among them agree so well.
    """

    def grading(place: Floats) -> Grading:
        return Grading(float(place[0]), float(np.exp(place[1])), float(np.exp(place[2])), careless)

    def missing(place: Floats) -> Floats:
        return np.subtract(grading(place).expected(), (mean, std, alpha))

    solution = scipy.optimize.root(missing, np.array([mean, np.log(std), np.log(std / 2)]))
    if not solution.success or np.abs(solution.fun).max() > 1e-6:
        raise ValueError(f"no raters agree by {alpha} with {careless:.0%} of them careless")
    return grading(solution.x)
