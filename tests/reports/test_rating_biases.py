"""Judges that only say which of two they prefer, and grades on scales of several lengths."""

import numpy as np
import pytest

from agreement.figures import Figure
from projects.models import Rater
from reports.dashboard.calibration import RAW, calibrated
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate


@pytest.mark.django_db
def test_a_judge_of_preferences_alone_is_named_for_taking_the_longer(project, mona):
    """Mona takes the longer in half of the 24 pairs, the judge in all: half of a hundred more often."""
    make_ratings_project(project)
    question = question_type(project, lowest=None, highest=None)
    judge = Rater.objects.create(project=project, kind="judge", name="Simba")
    long, short = "It is so. " * 30, "It is so."
    for number in range(24):
        sides = (long, short) if number % 2 else (short, long)
        pair = pair_of(project, f"pair-{number}", *(f"{text} {number:02}" for text in sides), question=question)
        longer, other = ("first", "second") if number % 2 else ("second", "first")
        rate(pair, mona, question, None, preference=longer if number % 4 < 2 else other)
        rate(pair, judge, question, None, preference=longer)
    table = by_id(RATINGS.tables(project), "habits-in-rating")
    assert table is not None
    [line] = table.findings
    assert line.split()[:7] == ["Simba:", "prefers", "longer", "responses:", "the", "longer", "of"]
    assert "wins 50\u202f% [" in line
    assert table.summary == "Named for what they do: Simba."
    biases = [row.labels[1] for row in table.rows]
    assert "leniency, in grades" not in biases, "there is no grade to be lenient with"


def test_grades_on_scales_of_two_lengths_are_mapped_by_no_line():
    """A tenth of 1 to 5 and a tenth of 0 to 10 are different numbers of grades: no map and no mean is of both."""
    people, judge = np.arange(20.0), np.arange(20.0) + 1
    why = "questions on different scales"
    one = calibrated(judge, people, np.arange(20), lambda scores, references: Figure(1.0, len(scores)), why)
    figures = [figure for row in one.rows(one.figures).values() for figure in row]
    assert [figure.value for figure in figures] == [None] * len(figures)
    assert {figure.undefined for figure in figures} == {why, "the raw judge is what is compared with"}
    assert calibrated(judge, people, np.arange(20), lambda *_both: Figure(1.0, 20)).figures[0].value == 1.0


def test_what_has_no_score_on_one_side_is_in_neither():
    judge = np.append(np.arange(20.0), [np.nan, 5.0])
    people = np.append(np.arange(20.0) / 2, [3.0, np.nan])
    one = calibrated(judge, people, np.arange(22), lambda scores, references: Figure(1.0, len(scores)))
    assert one.rows(one.figures)[RAW][0].n == 20
    assert one.columns[20:].sum() == 0
