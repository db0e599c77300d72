"""Which question a row of another program is about: the one with its text, else the one with its key."""

import unicodedata
from collections.abc import Iterable
from hashlib import sha256

from benchmark.importing.elsewhere import Row
from benchmark.models import QuestionSet


class QuestionTexts:
    """Keys of a version's questions, by the hash of what a model is sent and of the instruction alone; white space and
    the way in which letters are composed do not count. A text that two questions share names none of them."""

    def __init__(self, question_set: QuestionSet) -> None:
        self.keys: set[str] = set()
        self.options: dict[str, tuple[bytes, ...]] = {}
        sent: dict[bytes, str | None] = {}
        alone: dict[bytes, str | None] = {}
        rows = question_set.questions.order_by("position", "pk")
        columns = "key", "prompt__text", "instruction", "options"
        for key, text, instruction, options in rows.values_list(*columns).iterator(chunk_size=1000):
            self.keys.add(key)
            if options:
                self.options[key] = digests_of(option["text"] for option in options)
            for found, said in ((sent, text), (alone, instruction)):
                digest = digest_of(said)
                found[digest] = key if found.get(digest, key) == key else None
        self.by_text = alone | sent  # what was sent tells more than a part of it

    def key_of(self, row: Row) -> str | None:
        by_text = (self.by_text.get(digest_of(text)) for text in row.texts)
        by_key = (key for key in row.keys if key in self.keys)
        return next((key for key in (*by_text, *by_key) if key is not None), None)

    def are_in_another_order(self, row: Row, key: str) -> bool:
        """Whether the program lettered the question's options otherwise: its C is another answer than ours."""
        here, there = self.options.get(key, ()), digests_of(row.choices)
        return here != there and sorted(here) == sorted(there)


def digests_of(texts: Iterable[str]) -> tuple[bytes, ...]:
    return tuple(digest_of(text)[:8] for text in texts)


def digest_of(text: str) -> bytes:
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return sha256(plain.encode("utf-8", "surrogatepass")).digest()
