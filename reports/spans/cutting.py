"""The texts of responses cut into words and sentences, all at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agreement.spans import Spans
from agreement.words import Intervals, Laid, laid, words, words_in
from reports.dashboard.columns import Integers


@lru_cache(maxsize=8192)
def words_of(text: str, segmentation: str) -> Intervals:
    """Texts never change, so a process cuts each one once; between spaces they are cut faster than found again."""
    return words(text, segmentation)


def cut_into_words(texts: Sequence[str], segmentations: Sequence[str]) -> Laid:
    """The words of each text by its own segmentation, as `words` names them."""
    if set(segmentations) <= {"whitespace"}:
        return words_in(texts)
    return laid([words_of(text, segmentation) for text, segmentation in zip(texts, segmentations, strict=True)])


@dataclass(frozen=True, eq=False)
class InSentences:
    """How many sentences each response has, shape (R,), and the places of marks and gold with sentences for words."""

    sizes: Integers
    marks: Spans
    gold: Spans
