"""The longest that reading or refusing one reply takes, of all shapes that tests/judging/long_replies.py makes.

The floor is a well-formed answer of nearly 400,000 characters. Processor time, the shortest of three: there is nothing
to wait for, and others on the machine only ever add to it. Run from the project's root: `make bench ARGS=reading`.
Prints; never passes or fails. How many times as long as the floor a reply may take is a test:
tests/judging/test_no_reply_holds_up_a_worker.py.
"""

from __future__ import annotations

from judging.engine.parsing import read_text
from speed.results import report
from tests.judging.long_replies import AROUND, ATOMS, LENGTHS, good_answer, reply_of, seconds

BAR_MS = 50


def main() -> None:
    floor = seconds(read_text, good_answer())
    took = {(atom, around, length): took_by(atom, around, length) for atom, around, length in shapes()}
    worst = max(took, key=lambda shape: took[shape])
    atom, (before, behind), length = worst
    shape = ascii(f"{before}{atom[:12]} ...{behind}")
    report(
        f"worst of {len(took)} replies read or refused: {shape}, {length:,}",
        f"{took[worst] * 1000:.1f} ms",
        floor=f"{floor * 1000:.1f} ms, a good answer",
        ratio=took[worst] / floor,
        bar=f"{BAR_MS} ms",
    )


def shapes() -> list[tuple[str, tuple[str, str], int]]:
    return [(atom, around, length) for atom in ATOMS for around in AROUND for length in LENGTHS]


def took_by(atom: str, around: tuple[str, str], length: int) -> float:
    """Seconds of processor time."""
    return seconds(read_text, reply_of([atom], around, length))


if __name__ == "__main__":
    main()
