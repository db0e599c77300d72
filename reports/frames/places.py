"""Where spans lie, as cells of a frame: offsets in both units, further parts."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from annotation.models import SpanPart
from reports.frames.columns import TEXT, Column
from reports.frames.frame import Columns, by_column
from reports.frames.reading import Reading, Text

MORE = Column(
    "more",
    TEXT,
    "further parts of an error in several places, a JSON list of objects with start, end, start_utf16, end_utf16 and "
    "quote; start, end and quote of the row are the first part",
)
FIELDS = ("span_id", "span__response_id", "start", "end", "quote")
NAMES = ("start", "end", "start_utf16", "end_utf16")


def more_of(reading: Reading, batch: Sequence[Text], texts: Mapping[int, Text]) -> dict[int, str]:
    """By span with more parts than one, the cell; one query."""
    rows = SpanPart.objects.filter(**reading.within("span__response", batch)).order_by("span", "start")
    parts: dict[int, list[dict]] = {}
    for span, response, start, end, quote in rows.values_list(*FIELDS):
        if response in texts:
            parts.setdefault(span, []).append(part_of(texts[response], start, end, quote))
    return {span: orjson.dumps(cell).decode() for span, cell in parts.items()}


def part_of(text: Text, start: int, end: int, quote: str) -> dict[str, Any]:
    """A further part, as the cell of MORE holds it."""
    return {**dict(zip(NAMES, text.offsets(start, end), strict=True)), "quote": quote}


def offsets_of(
    texts: Mapping[int, Text], response: Sequence[int], start: Sequence[int | None], end: Sequence[int | None]
) -> Columns:
    """Both ends of each span in code points and in UTF-16 code units."""
    if not any(text.has_pairs for text in texts.values()):
        return [start, end, start, end]
    return by_column([texts[one].offsets(*ends) for one, *ends in zip(response, start, end, strict=True)])
