"""What a judge that marks errors does again and again, beside people who mark alone."""

import numpy as np
import pytest

from agreement.biases import AS_PEOPLE, CHANCE, MORE, findings
from reports.dashboard.biases import sentence
from reports.dashboard.tables import by_id
from reports.spans.context import DEPTHS
from reports.spans.dashboard import SPANS
from reports.spans.measures.biases import BIASES, THICK, THIN, of_marks
from tests.reports.juice import juice

RESPONSES = 20


def said(*finding) -> str:
    return " ".join(sentence(*finding).split())


def marked(marks: int, gold: int, thin: tuple[int, int], thick: tuple[int, int], people: dict | None = None) -> dict:
    """So many marks in each of twenty responses; of its gold errors so many found of so many, by depth."""
    matches = np.tile([0, marks, 0, gold], (RESPONSES, 1))
    classes = np.zeros((RESPONSES, 2 + len(DEPTHS), 2), dtype=int)
    classes[:, 2 + THIN], classes[:, 2 + THICK] = thin, thick
    return of_marks(matches, classes, np.arange(RESPONSES), people or {})


def test_who_marks_three_errors_where_there_are_two_marks_too_much():
    found = findings(marked(3, 2, (1, 1), (1, 1)))
    assert said(found["amount"], BIASES["amount"]) == (
        "marks too much: 1.00 errors more in a response than the gold holds"
    )
    assert found["depth"].state == CHANCE


def test_who_marks_as_little_as_people_do_alone_is_not_blamed():
    """The gold is what several people found together, so each by himself has less of it."""
    people = marked(1, 3, (1, 2), (1, 2))
    assert findings(marked(1, 3, (1, 2), (1, 2), people))["amount"].state == AS_PEOPLE
    worse = findings(marked(0, 3, (1, 2), (1, 2), people))["amount"]
    assert said(worse, BIASES["amount"]).startswith("marks too little: 3.00 errors")


def test_who_finds_the_thin_errors_alone_misses_the_thick():
    found = findings(marked(2, 2, (3, 4), (0, 2)))["depth"]
    assert found.state == MORE
    assert said(found, BIASES["depth"]) == (
        "misses thick errors: it finds 75 % of the thin and 0 % of the thick errors, a gap of 75 %"
    )
    people = marked(2, 2, (4, 4), (0, 2))
    assert findings(marked(2, 2, (3, 4), (0, 2), people))["depth"].state == AS_PEOPLE


@pytest.mark.django_db
def test_the_dashboard_of_error_spans_has_the_table():
    project = juice(per_setting=24)
    table = by_id(SPANS.tables(project), "habits-in-marking")
    assert table is not None
    assert {row.labels[0] for row in table.rows} == {"Simulated judge A", "Simulated judge B"}
    assert len(table.rows) == 4
    assert table.recipe.as_json()["settings"]["correction"].startswith("Holm")
    assert table.summary
