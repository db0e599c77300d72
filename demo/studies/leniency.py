"""Generated judges whose mean signed error is known: they slip from the reference by rates solved for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

# A positive criterion that failed and an error that is present speak against a response.
AGAINST = {"fail": "pass", "present": "absent"}
FOR = {"pass": "fail", "absent": "present"}


@dataclass(frozen=True)
class GeneratedJudge:
    """`signed_error` in percentage points is what is put in; `harshness` the share of what speaks for a response
    that it does not see; `declined` how many responses of `declines` it refuses."""

    model: str
    laboratory: str
    signed_error: float
    harshness: float
    declined: int = 0
    declines: str = ""


@dataclass(frozen=True)
class Reference:
    """The first grading of one response: weight and verdict by criterion key."""

    weights: Mapping[str, int]
    verdicts: Mapping[str, str]

    def share(self, verdicts: Mapping[str, str]) -> float:
        """What the criteria with these verdicts weigh, in percent of all there is to earn."""
        maximum = sum(weight for weight in self.weights.values() if weight > 0)
        chosen = sum(abs(self.weights[key]) for key, value in self.verdicts.items() if value in verdicts)
        return 100 * chosen / maximum


def slip_rates(references: Sequence[Reference], signed_error: float, harshness: float) -> tuple[float, float]:
    """(lenient, harsh): how often a judge slips in a response's favour, and against it.

    In expectation, over these responses: signed error = lenient * mean(share against) - harsh * mean(share for).
    Raises ValueError where no such rate is a share.
    """
    against = sum(reference.share(AGAINST) for reference in references) / len(references)
    in_favour = sum(reference.share(FOR) for reference in references) / len(references)
    lenient = (signed_error + harshness * in_favour) / against
    if not 0 <= lenient <= 1:
        raise ValueError(f"no judge slips {lenient:.2f} of the time")
    return lenient, harshness


def slipped(rng: Random, reference: Reference, lenient: float, harsh: float) -> dict[str, str]:
    """The verdicts of a judge that slips so often."""
    verdicts = {}
    for key, value in reference.verdicts.items():
        slips = rng.random() < (lenient if value in AGAINST else harsh)
        verdicts[key] = (AGAINST | FOR)[value] if slips else value
    return verdicts
