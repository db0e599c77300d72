"""Where calls are sent, and within which limits."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A provider as its row has it, with its key. The key is left out of everything printed."""

    name: str
    base_url: str
    key: str = field(repr=False)
    timeout_seconds: float
    concurrency: int
    # Limits hold for all workers together; None is no limit.
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None
    # Of a call with all its attempts and the waiting between them; a timeout is of one attempt.
    deadline_seconds: float = 900
