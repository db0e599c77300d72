"""However often an error was marked, the overview, the gold, its file and the results count it once."""

import json
import re

import pytest

from annotation.gold import derive
from annotation.models import ErrorGroup, GoldAnswer
from projects.steps import steps_of
from reports.spans.card import summarise
from reports.spans.gold import lines
from tests.annotation.marked import mark, review
from tests.people import signed_in
from workflow.models import Stage

pytestmark = pytest.mark.django_db
SUHOOR, PHARAOHS = "على السحور", "أيام الفراعنة"


@pytest.fixture
def one_error_twice(project, koshari, mona, karim):
    """Mona and Karim mark the same error, and Karim one more; all is kept."""
    [monas] = mark(koshari, mona, SUHOOR)
    same, other = mark(koshari, karim, SUHOOR, PHARAOHS)
    for span, person in ((monas, karim), (same, mona), (other, mona)):
        review(span, person, "keep")
    ErrorGroup.objects.create(response=koshari, key="suhoor").spans.set([monas, same])
    derive([koshari.pk])
    assert GoldAnswer.objects.get().kept == 3, "spans"
    return project


def test_every_page_says_the_same_number(one_error_twice, nour):
    project, nours = one_error_twice, signed_in(nour)
    said = {reached.step.url_name: reached.text for reached in steps_of(project)}
    assert said["gold"] == "Errors: 2. Responses: 1."
    assert summarise(project).errors == 2
    assert sum(len(json.loads(line)["errors"]) for line in lines(project)) == 2
    for page, label in (("gold", "Errors"), ("results", "Errors in the gold")):
        text = nours.get(f"/p/feasts/{page}/").content.decode()
        [tile] = re.findall(rf'tile__label">{label}</span>.*?tile__value[^>]*>(?:<bdi[^>]*>)?\s*(\d+)', text, re.DOTALL)
        assert tile == "2", page


def test_what_waits_is_called_spans(project, koshari, mona, karim):
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim, SUHOOR)
    derive([koshari.pk])
    said = {reached.step.url_name: reached.text for reached in steps_of(project)}
    assert said["adjudication"] == "2 marked spans still await verdicts."
    assert not Stage.objects.filter(project=project, is_open=True, kind="reviews").exists()
