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


def test_scales_of_two_lengths_are_mapped_together_and_each_in_its_own_grades():
    """Half the items on 1 to 5, half on 0 to 10; the judge gives a tenth of the scale too much: 0.4 and 1 grade."""
    generator = np.random.default_rng(6)
    scale = np.tile([[1.0, 4.0], [0.0, 10.0]], (30, 1))
    place = generator.uniform(0, 0.9, 60)
    people = scale[:, 0] + scale[:, 1] * place
    judge = scale[:, 0] + scale[:, 1] * (place + 0.1)
    one = calibrated(judge, people, np.arange(60), lambda scores, references: Figure(1.0, len(scores)), scale)
    rows = one.rows(one.figures)
    mad, signed, *_rest = rows[RAW]
    assert (mad.value, signed.value) == pytest.approx((0.7, 0.7))
    away, error, square, _ranks, saved = rows["linear"]
    assert (away.value, error.value, square.value, saved.value) == pytest.approx((0, 0, 0, 0.7), abs=1e-9)


def test_what_has_no_score_on_one_side_is_in_neither():
    judge = np.append(np.arange(20.0), [np.nan, 5.0])
    people = np.append(np.arange(20.0) / 2, [3.0, np.nan])
    one = calibrated(judge, people, np.arange(22), lambda scores, references: Figure(1.0, len(scores)))
    assert one.rows(one.figures)[RAW][0].n == 20
    assert one.columns[20:].sum() == 0
