"""Gradings as first handed in, of turns whose answer was amended or sent back: rows beside those that stand."""

from collections.abc import Mapping, Sequence
from typing import Any

from projects.models import Project
from reports.frames.first import First, Later, firsts_of, number_first_given
from reports.frames.reading import Reading, Text
from reports.rubrics.at_first import KINDS
from rubrics.models import Criterion, Grade, VerdictValue
from rubrics.scoring.storing import GIVEN

#: Of a criterion, as the frame of verdicts has it.
OF_CRITERION = (
    *("key", "text", "weight", "band__slug", "objectivity", "explicitness", "tags", "failure_type"),
    *("start", "end", "quote"),
)
KEY, WEIGHT = OF_CRITERION.index("key"), OF_CRITERION.index("weight")

#: Row and standing of a grading as `grading.py` has them, its response, and its verdicts: value, and OF_CRITERION.
Given = tuple[Any, Any, Text, list[tuple[str, tuple]]]


def first_of(reading: Reading, batch: Sequence[Text], graded: Sequence[tuple[Any, Any, Text]]) -> list[Given]:
    """Of these gradings that stand, what was first handed in in their turns. No statement where none was amended."""
    by_turn = {row.assignment: (row, stands, text) for row, stands, text in graded if row.assignment is not None}
    later = {
        turn: Later(row.response, row.rater, row.round, stands.is_counted and not stands.is_first)
        for turn, (row, stands, _text) in by_turn.items()
    }
    firsts = firsts_of(reading, batch, KINDS, later)
    criteria = criteria_of(reading, batch) if firsts else {}
    made = []
    for one in firsts:
        row, stands, text = by_turn[one.assignment]
        verdicts = verdicts_of(one, row.rubric, criteria)
        raw = sum(about[WEIGHT] for value, about in verdicts if value in GIVEN)
        at_first = row._replace(raw=raw, comment=one.body["comment"], created_at=one.at, seconds=None)
        made.append((at_first, stands.of_first(one.is_counted), text, verdicts))
    return made


def verdicts_of(one: First, rubric: int, criteria: Mapping[tuple[int, str], tuple]) -> list[tuple[str, tuple]]:
    """On criteria that were there before, and on the errors that the person found at first."""
    given = [(value, criteria[rubric, key]) for key, value in one.body["verdicts"].items() if (rubric, key) in criteria]
    fields = [name.removesuffix("__slug") for name in OF_CRITERION]
    own = [tuple([] if name == "tags" else each.get(name, "") for name in fields) for each in one.body["negatives"]]
    return [*given, *((VerdictValue.PRESENT.value, about) for about in own)]


def criteria_of(reading: Reading, batch: Sequence[Text]) -> dict[tuple[int, str], tuple]:
    """By rubric and key, of the rubrics that amended gradings of these are under."""
    amended = Grade.objects.filter(assignment__first_answer__isnull=False, **reading.within("response", batch))
    rows = Criterion.objects.filter(rubric__in=amended.values("rubric"))
    return {(rubric, about[KEY]): tuple(about) for rubric, *about in rows.values_list("rubric_id", *OF_CRITERION)}


def number_of_first_verdicts(project: Project) -> int:
    return sum(number_first_given(project, KINDS, within) for within in ("verdicts", "negatives"))
