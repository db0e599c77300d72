"""How the simulated model grades by criteria: it looks for the words that a criterion quotes, and slips as told.

A positive criterion holds where everything it quotes between «guillemets» or “quotation marks” stands in the
response; the error of a negative one is present where it does. A criterion that quotes nothing is decided by a hash
of the two texts, the same for every model. On top of that a model slips: `Habit` says how often, and a hash of the
seed, the model and the texts says where. So whoever knows the texts knows what error to expect of a judge:

    expected raw score - true raw score = lenient * (weights of what is not deserved, but would be if it slipped)
                                          - harsh * (weights of what is deserved)

Further defects can be told, which a dashboard has to find (`Habit`): to be lenient with long responses alone, to
overlook what no criterion says in so many words (one that quotes nothing), and to grant always what certain words are
in.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

ANSWER = re.compile(
    r"<<<answer (?P<ticket>[0-9a-f]{16,64})>>>\n(?P<text>.*?)\n<<<end of answer (?P=ticket)>>>", re.DOTALL
)
# In whatever language it is asked: the line above the marks names the criterion and ends with its weight, whose sign
# says what may be said of it.
CRITERION = re.compile(
    r"^[^\n]*?(?<![A-Za-z0-9])(?P<name>c\d+)(?![0-9])[^\n]*?(?P<weight>-?[0-9]+)[^\n0-9]*\n"
    r"<<<criterion (?P<ticket>[0-9a-f]{16,64})>>>\n(?P<text>.*?)\n<<<end of criterion (?P=ticket)>>>$",
    re.DOTALL | re.MULTILINE,
)
QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”")
HOLDS_WITHOUT_QUOTE = 0.6
#: A response of more characters than this is long.
LONG = 400


@dataclass(frozen=True, slots=True)
class Habit:
    """Shares, from 0 to 1, of what is not deserved and given still, and of what is deserved and withheld.

    verbose          given still, to a response of more than LONG characters.
    misses_implicit  given still, where the criterion quotes nothing: the model does not see what is not spelt out.
    granted          words of criteria that are always decided in the response's favour.
    """

    lenient: float = 0.0
    harsh: float = 0.0
    verbose: float = 0.0
    misses_implicit: float = 0.0
    granted: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not all(0 <= share <= 1 for share in (self.lenient, self.harsh, self.verbose, self.misses_implicit)):
            raise ValueError("a habit is a share")
        if isinstance(self.granted, str):
            raise TypeError("granted is a list of words")
        object.__setattr__(self, "granted", tuple(self.granted))

    def gives(self, response: str, criterion: str) -> float:
        """The share of what is not deserved that this criterion of this response is given still."""
        if any(words in criterion for words in self.granted):
            return 1.0
        shares = [self.lenient]
        if len(response) > LONG:
            shares.append(self.verbose)
        if not QUOTED.search(criterion):
            shares.append(self.misses_implicit)
        return max(shares)

    @classmethod
    def of(cls, leniency: float, noise: float = 0.0) -> "Habit":
        """Slips both ways by `noise`, and by `leniency` besides: above 0 in the response's favour, below against it.

        Raises ValueError where that makes a share above 1 or below 0.
        """
        return cls(noise + max(leniency, 0), noise + max(-leniency, 0))


HONEST = Habit()


def share(*parts: str) -> float:
    """A number from 0 up to 1, always the same for the same parts."""
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def holds(response: str, criterion: str) -> bool:
    """Whether the response truly does what the criterion says, for good or ill."""
    quoted = [first or second for first, second in QUOTED.findall(criterion)]
    if quoted:
        return all(words in response for words in quoted)
    return share(response, criterion) < HOLDS_WITHOUT_QUOTE


def verdict(stirred: str, response: str, criterion: str, is_positive: bool, habit: Habit) -> str:
    """The token for one criterion. `stirred` is what the dice are stirred with: the seed and the model."""
    is_favourable = holds(response, criterion) == is_positive
    often = habit.harsh if is_favourable else habit.gives(response, criterion)
    slips = bool(often) and share(stirred, response, criterion) < often
    if is_positive:
        return "PASS" if is_favourable != slips else "FAIL"
    return "NO_ERROR" if is_favourable != slips else "ERROR_PRESENT"


def grade(stirred: str, asked: str, habit: Habit) -> list[dict]:
    """A verdict on every criterion of a question, with a reason that says what it is worth."""
    answer = ANSWER.search(asked)
    if answer is None:
        return []
    return [
        {
            "criterion": criterion["name"],
            "justification": "Simulated: decided by looking for quoted words, and by a hash.",
            "verdict": verdict(stirred, answer["text"], criterion["text"], int(criterion["weight"]) > 0, habit),
        }
        for criterion in CRITERION.finditer(asked, answer.end())
    ]
