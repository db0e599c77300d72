"""In which order items are handed out. Decided from a seed alone, with no database."""

from hashlib import blake2b

# Below 2**62, so that what stands behind every drawn place still fits the column.
BITS = 62


def place(seed: int, key: str) -> int:
    """Where the item about `key` stands in the queue of a stage with this seed, lowest first.

    It depends on nothing else: not on ids, not on what other items there are, and not on when it was planned. The
    order can therefore be computed again from the seed and the keys alone, by anybody, and what comes later lies
    among what was there rather than behind it. Places are spread evenly, so settings of any size advance together.
    """
    drawn = blake2b(f"{seed}:{key}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn) >> (64 - BITS)
