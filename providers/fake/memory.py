"""How the simulated model remembers texts: of those it was told it knows a share, decided by a hash of each.

{"memory": {"simulated-1": {"texts": ["..."], "share": 0.3}}}. Asked to go on with the beginning of a text that it
knows, it writes the rest; asked which of several lettered texts is an original, it names one that it knows. Where it
knows nothing it guesses: a letter by a hash of the request, or a few sentences of its own. With a larger share it
knows whatever it knew with a smaller one.
"""

import re
from collections.abc import Mapping
from typing import Any

from providers.fake.rating import share

LETTERED = re.compile(r"^([A-D])\)\n", re.M)
#: Characters of a text by which its beginning is recognised.
BEGINNING = 12


def remembered(model: str, asked: str, memory: Mapping[str, Any]) -> str | None:
    """What a model says by heart, or guesses; None where the request asks for neither."""
    known = [text for text in memory.get("texts", []) if share("memory", text) < memory.get("share", 1.0)]
    if LETTERED.search(asked):
        letters = LETTERED.findall(asked)
        parts = LETTERED.split(asked)[2::2]
        for letter, part in zip(letters, parts, strict=True):
            if any(part.startswith(text) for text in known):
                return letter
        return letters[int(share("guess", model, asked) * len(letters))]
    for text in known:
        at = asked.find(text[:BEGINNING])
        if at >= 0 and text not in asked:
            shown = asked[at:]
            if text.startswith(shown.rstrip()):
                return text[len(shown.rstrip()) :].strip()
    return None
