"""Do people find the same errors and call them the same, and do judges mark what more people mark?"""

import numpy as np
import pytest

from annotation.models import Marking, Span
from projects.models import Rater
from tests.annotation.marked import mark
from tests.reports.reading import figure, table

pytestmark = pytest.mark.django_db

NIGHTLY, POPULAR, EVERY_NIGHT = "على السحور", "مصرية شعبية", "كل يوم على السحور"
PHARAOHS, RICE = "الفراعنة", "الرز"


def test_a_match_needs_the_same_type_or_counts_half(project, answered):
    """Of three spans Mona's first and Karim's only one meet (IoU 2 of 4 words): 2 of 3 while both are cultural."""
    found = table(project, "human-human-kinds")
    assert [row.labels[1] for row in found.rows] == ["type"]
    assert figure(found, "type", measure="F1, same kind").value == pytest.approx(2 / 3)
    assert figure(found, "type", measure="F1, another kind half").value == pytest.approx(2 / 3)
    Span.objects.filter(pk=answered["every night"].pk).update(error_type="linguistic")
    found = table(project, "human-human-kinds")
    assert figure(found, "type", measure="F1, same kind").value == 0.0
    assert figure(found, "type", measure="F1, another kind half").value == pytest.approx(1 / 3)
    one_to_one = table(project, "human-human-kinds", matching="one-to-one")
    half = figure(one_to_one, "type", measure="F1, another kind half")
    assert half.undefined == "one-to-one matches have no half credit"


def test_spans_without_a_category_are_left_out_and_counted(project, answered, thick, thin):
    Span.objects.filter(pk=answered["nightly"].pk).update(category=thick)
    Span.objects.filter(pk=answered["every night"].pk).update(category=thick)
    found = table(project, "human-human-kinds")
    same = figure(found, "category", measure="F1, same kind")
    # Mona's second span has no category: of the two that have one, both meet.
    assert (same.value, same.detail["without_kind"]) == (1.0, 1)


def test_gamma_is_one_for_the_same_marks_and_lower_where_kinds_differ(project, koshari, mona, karim):
    for person in (mona, karim):
        mark(koshari, person, NIGHTLY, PHARAOHS)
    found = table(project, "human-human-kinds")
    gamma = figure(found, "type", measure="gamma")
    assert (gamma.value, gamma.n) == (1.0, 1)
    assert gamma.detail["interval"] == "n < 2", "one text is one prompt"
    Span.objects.filter(rater__name__startswith="Karim", quote=PHARAOHS).update(error_type="linguistic")
    assert figure(table(project, "human-human-kinds"), "type", measure="gamma").number < 1.0


def masks(text: str, *quotes: str) -> np.ndarray:
    marked = np.zeros(len(text))
    for quote in quotes:
        start = text.index(quote)
        marked[start : start + len(quote)] = 1
    return marked


def test_shares_of_people_against_each_judge(project, answered, koshari):
    """Correlations over the characters of the one text, computed again by numpy."""
    mona, karim = masks(koshari.text, NIGHTLY, POPULAR), masks(koshari.text, EVERY_NIGHT)
    simba = masks(koshari.text, PHARAOHS, RICE)
    found = table(project, "soft-span-labels")
    said = figure(found, "Simba", measure="correlation with all people")
    assert said.value == pytest.approx(np.corrcoef((mona + karim) / 2, simba)[0, 1])
    assert (said.n, said.detail["positions"]) == (1, len(koshari.text))
    others = np.concatenate((karim, mona))
    assert figure(found, "Simba", measure="correlation with the others").value == pytest.approx(
        np.corrcoef(others, np.concatenate((simba, simba)))[0, 1]
    )
    assert figure(found, "Simba", measure="correlation of a person with the others").value == pytest.approx(
        np.corrcoef(others, np.concatenate((mona, karim)))[0, 1]
    )


def test_the_share_of_judges_against_the_share_of_people(project, answered, koshari):
    nala = Rater.objects.create(project=project, kind="judge", name="Nala", model="nala-1")
    mark(koshari, nala, NIGHTLY)
    people = (masks(koshari.text, NIGHTLY, POPULAR) + masks(koshari.text, EVERY_NIGHT)) / 2
    judges = (masks(koshari.text, PHARAOHS, RICE) + masks(koshari.text, NIGHTLY)) / 2
    found = table(project, "soft-span-labels")
    assert figure(found, "All judges together", measure="correlation with all people").value == pytest.approx(
        np.corrcoef(people, judges)[0, 1]
    )


def test_one_person_makes_no_share(project, koshari, mona, simba):
    mark(koshari, mona, NIGHTLY)
    mark(koshari, simba, NIGHTLY)
    assert table(project, "soft-span-labels").rows == ()
    # An answer that found nothing is an answer: with it there are two.
    Marking.objects.create(
        response=koshari, rater=Rater.objects.create(project=project, kind="human", name="Salma"), no_errors=True
    )
    found = figure(table(project, "soft-span-labels"), "Simba", measure="correlation with all people")
    assert found.value == pytest.approx(1.0)
