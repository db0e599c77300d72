"""The one retry layer: what is worth another attempt, how long to wait, and when to stop."""

import email.utils
import random
import time
from collections.abc import Mapping

import openai

from providers.client.guarded import is_refused
from providers.limiter.rate_limiter import DeadlineOver

MAX_ATTEMPTS = 6
# Codes with which a 429 says that waiting will not help: the account has nothing left to spend.
SPENT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "credit_balance_too_low"})

FIRST_WAIT = 0.5
MAX_WAIT = 30.0


def is_worth_another(problem: BaseException) -> bool:
    """True for 429, 408, 5xx, timeouts and lost connections; every other 4xx is as wrong the next time."""
    if isinstance(problem, openai.APIStatusError):
        if problem.status_code == 429:
            return problem.code not in SPENT
        return problem.status_code == 408 or problem.status_code >= 500
    # Its subclass APITimeoutError too. What must not be connected to is not tried again.
    return isinstance(problem, openai.APIConnectionError) and not is_refused(problem)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a Retry-After header asks for, given as seconds or as a date; None where it says neither."""
    value = headers.get("retry-after-ms")
    if value is not None and value.isdecimal():
        return int(value) / 1000
    value = (headers.get("retry-after") or "").strip()
    try:
        seconds = float(value)
        return max(0.0, seconds) if seconds == seconds else None
    except ValueError:
        parsed = email.utils.parsedate_tz(value)
        return None if parsed is None else max(0.0, email.utils.mktime_tz(parsed) - time.time())


def _jitter(attempt: int) -> float:
    """Anything up to a bound that doubles with each attempt."""
    return random.uniform(0, min(MAX_WAIT, FIRST_WAIT * 2 ** (attempt - 1)))


class Deadline:
    """The time of a call, from its first attempt on; waiting for the first permit does not count."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.at: float | None = None  # of time.monotonic()

    def begin(self) -> float:
        if self.at is None:
            self.at = time.monotonic() + self.seconds
        return self.at

    def left(self) -> float:
        return self.seconds if self.at is None else self.at - time.monotonic()


def pause(problem: BaseException, attempt: int, deadline: Deadline) -> float:
    """Seconds until the next attempt: at least what the provider asked for, with jitter so that many callers do not
    come back at once. `attempt` is the number of the one that failed, from 1 on.

    Raises `problem` where another attempt is worth nothing, DeadlineOver where it could not be sent in time.
    """
    if attempt >= MAX_ATTEMPTS or not is_worth_another(problem):
        raise problem
    asked = retry_after(problem.response.headers) if isinstance(problem, openai.APIStatusError) else None
    backoff = _jitter(attempt)
    seconds = backoff if asked is None else asked + min(backoff, 1 + asked / 4)
    if seconds >= deadline.left():
        raise DeadlineOver from problem
    return seconds
