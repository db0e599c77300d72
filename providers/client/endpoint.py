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
    # A stranger named the address: only public addresses are connected to (`providers/client/guarded.py`).
    is_submitted: bool = False

    def without_key(self, content: bytes) -> bytes:
        """A body without the key. Some providers and gateways repeat it, in answers and in their complaint about it,
        and what they say is stored and shown."""
        for written in filter(None, (self.key, self.key.replace("/", "\\/"))):  # JSON may escape a slash
            content = content.replace(written.encode(), b"[key]")
        return content

    def words_without_key(self, text: str) -> str:
        """The same of words; a lone half of a surrogate pair in them, which JSON can spell, is kept."""
        return self.without_key(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")
