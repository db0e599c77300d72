"""A judge whose spans are in the gold says so wherever it stands, and its figures stand without its own errors too."""

import pytest

from annotation.gold import derive
from annotation.models import ErrorGroup
from projects.models import Rater
from reports.frames.reading import Reading
from reports.gold.card import judges_table
from reports.spans.card import SPAN_GOLD, builders_of
from reports.spans.dashboard import SPANS
from tests.annotation.marked import mark, review
from tests.people import signed_in
from tests.reports.reading import figure, table

pytestmark = pytest.mark.django_db

NIGHTLY, PHARAOHS = "على السحور", "الفراعنة"


@pytest.fixture
def nala(project):
    return Rater.objects.create(project=project, kind="judge", name="Nala", model="nala-1")


@pytest.fixture
def both_found(answered, koshari, mona, karim, nala):
    """Nala finds what Mona found, in one group with it, and the rice that nobody kept."""
    same, _rice = mark(koshari, nala, NIGHTLY, "الرز")
    for person in (mona, karim):
        review(same, person, "keep")
        review(_rice, person, "reject")
    ErrorGroup.objects.create(response=koshari, key="nightly").spans.set([same, answered["nightly"]])
    derive([koshari.id])


def row_of(found, judge):
    return next(row for row in found.rows if row.labels[0] == judge)


def test_scores_without_the_errors_that_only_the_judge_found(project, both_found):
    """Three errors: Mona's with Nala's, Karim's of four words that hold those two, and Simba's alone.

    Simba marks two: one meets its own error alone. Without that error the gold has two, of which it finds none, and
    none of its two spans meets any. Nala marks two: one meets Mona's and Karim's, so 1 of 2 and 2 of 3; it has no
    error of its own, so its figures stay.
    """
    found = table(project, "judge-scores")
    assert [one.value for one in row_of(found, "Simba").figures[:3]] == pytest.approx([1 / 2, 1 / 3, 0.4])
    assert [one.value for one in row_of(found, "Simba").figures[4:7]] == pytest.approx([0.0, 0.0, 0.0])
    assert figure(found, "Simba", measure="recall without own errors").detail["gold"] == 2
    plain = [1 / 2, 2 / 3, 4 / 7]
    assert [one.value for one in row_of(found, "Nala").figures[:3]] == pytest.approx(plain)
    assert [one.value for one in row_of(found, "Nala").figures[4:7]] == pytest.approx(plain)
    # The line stands at the plain figures, as before.
    assert list(found.ceilings) == ["precision", "recall", "F1"]


def test_the_mark_stands_in_tables_pairs_and_files_and_says_what_it_is(project, answered, koshari, nala):
    mark(koshari, nala, "الرز")
    derive([koshari.id])
    found = table(project, "judge-scores")
    assert "gold-builder" in row_of(found, "Simba").marks
    assert "gold-builder" not in row_of(found, "Nala").marks
    assert "helped to build the gold" in found.note
    pairs = table(project, "judge-pairs")
    assert "gold-builder" in pairs.rows[0].marks
    assert "helped to build the gold" in pairs.note
    assert all("gold-builder" in row["marks"] for row in found.as_json()["rows"] if row["labels"][0] == "Simba")
    lines = [line for line in found.as_csv().splitlines() if line.startswith("Simba")]
    assert len(lines) == 8, "one for each measure"
    assert all("gold-builder" in line for line in lines)
    builders = {row.cells[0]: row.cells[-1] for row in Reading(project)._raters().values()}
    assert (builders["Simba"], builders["Nala"]) == (True, False)


def test_a_judge_whose_spans_leave_the_gold_loses_the_mark(project, answered, koshari, mona, karim):
    for person in (mona, karim):
        review(answered["pharaohs"], person, "reject", round=2)
    derive([koshari.id])
    found = table(project, "judge-scores")
    assert "gold-builder" not in row_of(found, "Simba").marks
    assert "helped to build" not in found.note


def test_the_gold_page_and_its_card_name_the_judges_that_built_it(project, answered, nour):
    [simba] = builders_of(project)
    assert (simba.name, simba.errors, simba.alone) == ("Simba", 1, 1)
    assert SPAN_GOLD.card is not None
    card = SPAN_GOLD.card(project, SPAN_GOLD.summarise(project))
    assert judges_table([simba], errors="errors found", alone="found by nobody else")[0] in card
    page = signed_in(nour).get(f"/p/{project.slug}/gold/").content.decode()
    assert "Judges that helped to build it" in page


def test_the_dashboard_shows_the_mark(project, answered, nour):
    SPANS.tables(project, filters={})
    page = signed_in(nour).get(f"/p/{project.slug}/results/judge-scores/").content.decode()
    assert "helped to build the gold" in page
