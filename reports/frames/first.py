"""Rows of answers as first handed in, where they were amended or sent back since: agreement counts these.

They are kept whole beside the answers that stand (workflow.models.FirstAnswer), and their rows stand behind those of
the same response or pair.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import orjson

from annotation.outcomes import BY_ANNOTATORS, BY_VALIDATORS
from projects.models import Project
from reports.frames.frame import Columns, Row, by_column
from reports.frames.places import part_of
from reports.frames.reading import Reading, Text, Worked
from workflow.models import FirstAnswer, Status

OF_MARKS, OF_REVIEWS = ("spans",), (BY_ANNOTATORS, BY_VALIDATORS)

#: What a row is about, by id, and its cells.
Placed = tuple[int, Row]


class Later(NamedTuple):
    """Of the answer that stands in a turn, and whether dashboards count it."""

    response: int
    rater: int
    round: int
    is_counted: bool


@dataclass(frozen=True, slots=True)
class First:
    """What was first handed in in a turn, and whether agreement counts it: where dashboards count the later one."""

    assignment: int
    response: int
    rater: int
    round: int
    is_counted: bool
    body: dict
    at: datetime

    def worked(self, reading: Reading) -> Worked:
        """The time that was worked stands beside the later answer: it is of the whole turn."""
        return reading.worked(self.assignment, None, self.at)


def firsts_of(
    reading: Reading, batch: Sequence[Any], kinds: Collection[str], later: Mapping[int, Later], path: str = "response"
) -> list[First]:
    """Of turns in stages of these kinds, in the order of what they are about. No statement where none was amended.

    later  by id of the turn. path  leads from the item to what the batch is of.
    """
    if reading.amended.isdisjoint(later):
        return []
    rows = FirstAnswer.objects.filter(
        assignment__stage__kind__in=kinds, **reading.within(f"assignment__item__{path}", batch)
    )
    found = rows.order_by(f"assignment__item__{path}", "pk").values_list("assignment_id", "body", "submitted_at")
    return [First(pk, *later[pk], body, at) for pk, body, at in found if pk in reading.amended and pk in later]


def number_first_given(project: Project, kinds: Collection[str], within: str = "") -> int:
    """How many answers there are as first handed in; with `within` how much they hold in that list."""
    rows = FirstAnswer.objects.filter(
        assignment__stage__project=project,
        assignment__stage__kind__in=kinds,
        assignment__item__is_check=False,
        assignment__status=Status.SUBMITTED,
    )
    if not within:
        return rows.count()
    return sum(len(found or ()) for found in rows.values_list(f"body__{within}", flat=True).iterator())


def with_first(places: Sequence[int], columns: Columns, first: Sequence[Placed]) -> Columns:
    """The columns with these rows as well, all in the order of what they are about, whose ids `places` are."""
    if not first:
        return columns
    rows = [*zip(places, zip(*columns, strict=True), strict=True), *first]
    return by_column([row for _place, row in sorted(rows, key=lambda row: row[0])])


def first_answers_as_a_whole(first: Sequence[First], reading: Reading, texts: Mapping[int, Text]) -> list[Placed]:
    """Rows of the frame of markings."""
    return [
        (
            one.response,
            (
                texts[one.response].cells,
                reading.raters[one.rater].cells,
                one.round,
                one.body["no_errors"],
                True,
                False,
                False,
                one.is_counted,
                False,
                len(one.body["spans"]),
                None,
                None,
                *one.worked(reading),
                one.at,
                one.at,
            ),
        )
        for one in first
    ]


def first_spans(reading: Reading, first: Sequence[First], texts: Mapping[int, Text], n_settled: int) -> list[Placed]:
    """Rows of the frame of spans; nobody has judged them, so the cells of what became of them are missing."""
    now = {reading.categories[pk]: slug for pk, slug in reading.categories_now.items()} if first else {}
    nothing = (None,) * n_settled
    made: list[Placed] = []
    for one in first:
        text, rater, worked = texts[one.response], reading.raters[one.rater].cells, one.worked(reading)
        for span in one.body["spans"]:
            more = [part_of(text, part["start"], part["end"], part["quote"]) for part in span.get("more", ())]
            row = (
                text.cells,
                rater,
                one.round,
                span["id"],
                span["anchor"],
                *text.offsets(span["start"], span["end"]),
                *(span[name] for name in ("quote", "paragraph", "type", "category", "criticality")),
                *(span[name] for name in ("explanation", "correction")),
                now.get(span["category"], ""),
                None,
                span.get("origin"),
                orjson.dumps(more).decode() if more else None,
                None,
                None,
                *worked,
                False,
                one.is_counted,
                nothing,
                one.at,
            )
            made.append((one.response, row))
    return made
