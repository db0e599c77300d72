"""A small answered project that figures are worked out on by hand.

Mona and Karim read the text about koshari; so does the judge Simba. Each of the three marks, Karim's and Mona's
verdicts settle what stays:

    Mona   "على السحور" (kept), "مصرية شعبية" (rejected)
    Karim  "كل يوم على السحور" (kept), half of whose four words are Mona's two
    Simba  "الفراعنة" (kept by both), "الرز" (rejected by Mona)

so the gold holds three errors, two of them found by people.
"""

import pytest

from annotation.gold import derive
from annotation.models import Classification, ErrorCategory
from tests.annotation.marked import mark, rater_of, review

NIGHTLY, POPULAR, EVERY_NIGHT = "على السحور", "مصرية شعبية", "كل يوم على السحور"
PHARAOHS, RICE = "الفراعنة", "الرز"


@pytest.fixture
def thick(project):
    return ErrorCategory.objects.create(project=project, slug="custom", name="Custom", depth="thick", position=1)


@pytest.fixture
def thin(project):
    return ErrorCategory.objects.create(project=project, slug="fact", name="Fact", depth="thin", position=2)


@pytest.fixture
def answered(project, koshari, mona, karim, simba, thick, thin):
    """The project with everybody's spans and verdicts; the spans by what they mark."""
    nightly, popular = mark(koshari, mona, NIGHTLY, POPULAR)
    [every_night] = mark(koshari, karim, EVERY_NIGHT, criticality="low")
    pharaohs, rice = mark(koshari, simba, PHARAOHS, RICE, criticality="medium")
    Classification.objects.create(span=nightly, rater=rater_of(mona, project), category=thick)
    Classification.objects.create(span=every_night, rater=rater_of(mona, project), category=thin)
    for span, person, verdict in (
        (nightly, karim, "keep"),
        (popular, karim, "reject"),
        (every_night, mona, "correct"),
        (pharaohs, mona, "keep"),
        (pharaohs, karim, "keep"),
        (rice, mona, "reject"),
        (rice, karim, "keep"),
    ):
        review(span, person, verdict)
    derive([koshari.id])
    return {"nightly": nightly, "popular": popular, "every night": every_night, "pharaohs": pharaohs, "rice": rice}
