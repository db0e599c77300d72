"""Guessing pass phrases and codes becomes slow, and nobody can lock another person out by it.

What is counted, and what follows:

- *One account from one address*: `FREE_TRIES` wrong ones cost nothing, then each further try waits twice as long as the
  one before. The right phrase, at its time, wipes this out. Failures from elsewhere do not count here, so five wrong
  phrases of a stranger leave the owner's sign-in as it was.
- *One address*: how many accounts have failed there and not come in since. People behind one address who mistype and
  then come in use nothing of it. Beyond `FREE_ACCOUNTS` the address waits between tries, ever longer.
- *One account from all addresses*: after `FREE_FAILURES` in a day only the first try of an address is free. A guesser
  with a thousand addresses has a thousand tries and then waits at each; the owner's first try is always looked at.
  A code has six digits, and who guesses at it has the pass phrase already: there all addresses wait for one another.

Where a person came in within the last month the last two do not touch them.

A try is counted before the phrase is looked at and taken back when it is right, so that many at once are no way round.
"""

from dataclasses import dataclass

from projects import throttling

PASS_PHRASE, CODE = "pass phrase", "code"
FREE_TRIES = 5
FREE_ACCOUNTS = 30
FREE_FAILURES = 50
DAY = 24 * 3600.0
MONTH = 30 * DAY
# Seconds: the first wait, doubled each time, and the longest one.
PAIR_WAIT, MAX_PAIR_WAIT = 15.0, 900.0
ADDRESS_WAIT, MAX_ADDRESS_WAIT = 2.0, 300.0
CODE_WAIT = 60.0


class TooSoon(Exception):
    """The next try is not looked at before `wait_seconds` have passed."""

    def __init__(self, wait_seconds: float) -> None:
        super().__init__(f"{wait_seconds:.0f} s")
        self.wait_seconds = wait_seconds


@dataclass(frozen=True)
class Try:
    """One try at `account`, an address of e-mail or another name for it, from `address`; `what` is guessed at."""

    what: str
    account: str
    address: str
    number: int

    @property
    def pair(self) -> str:
        return f"{self.address} {self.account}"

    def succeeded(self) -> None:
        throttling.forget(f"{self.what}: tries", self.pair)
        throttling.forget(f"{self.what}: next try", self.pair)
        if self.number > 1:  # an earlier one failed and was counted
            throttling.give_back(f"{self.what}: accounts", self.address)
        throttling.count(f"{self.what}: came in", self.pair, MONTH)

    def failed(self) -> None:
        if self.number == 1:
            throttling.count(f"{self.what}: accounts", self.address, DAY)
        throttling.count(f"{self.what}: failures", self.account, DAY)


def begin(what: str, account: str, address: str) -> Try:
    """Count a try. Raises TooSoon where it must wait; then it counts for nothing."""
    pair = f"{address} {account}"
    number = throttling.count(f"{what}: tries", pair, DAY).n
    came_in_here = throttling.counted(f"{what}: came in", pair) > 0
    is_under_attack = not came_in_here and throttling.counted(f"{what}: failures", account) >= FREE_FAILURES
    beyond = number - (1 if is_under_attack else FREE_TRIES)
    turns: list[tuple[str, str]] = []
    try:
        if beyond >= 0:
            _wait_turn(f"{what}: next try", pair, doubled(PAIR_WAIT, beyond, MAX_PAIR_WAIT))
            turns.append((f"{what}: next try", pair))
        if is_under_attack and what == CODE:
            _wait_turn(f"{what}: next of account", account, CODE_WAIT)
            turns.append((f"{what}: next of account", account))
        if not came_in_here:
            _wait_for_address(what, address)
    except TooSoon:
        for turn in turns:  # which this try had, and makes no use of
            throttling.forget(*turn)
        throttling.give_back(f"{what}: tries", pair)
        raise
    return Try(what, account, address, number)


def doubled(seconds: float, times: int, longest: float) -> float:
    return min(seconds * 2 ** min(times, 30), longest)  # a power of thousands is no float


def _wait_for_address(what: str, address: str) -> None:
    beyond = throttling.counted(f"{what}: accounts", address) - FREE_ACCOUNTS
    if beyond >= 0:
        _wait_turn(f"{what}: next of address", address, doubled(ADDRESS_WAIT, beyond, MAX_ADDRESS_WAIT))


def _wait_turn(name: str, key: str, seconds: float) -> None:
    """Go on, and keep the next one waiting for so long; or raise TooSoon where the one before keeps us waiting."""
    wait = throttling.take(name, key, 1, seconds)
    if wait is not None:
        raise TooSoon(wait)
