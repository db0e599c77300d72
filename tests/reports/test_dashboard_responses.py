"""From a figure to the texts: Nour narrows the list of responses and sees what was marked in each."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold import derive
from annotation.models import ErrorCategory, Marking, Span
from projects.models import Rater
from reports.spans.listing import lines, selected
from tests.annotation.marked import mark, rater_of, review
from tests.people import EGYPTIAN, add_response, signed_in

pytestmark = pytest.mark.django_db
SUHOOR, PHARAOHS, LENTILS, RICE = "على السحور", "أيام الفراعنة", "العدس", "الرز"


@pytest.fixture
def incoherence(project) -> ErrorCategory:
    return ErrorCategory.objects.create(project=project, slug="incoherence", name="Incoherence", depth="thick")


@pytest.fixture
def kept(koshari, mona, karim, incoherence) -> Span:
    """Mona's error in koshari, which Karim keeps and its category makes thick; Karim marked nothing."""
    [span] = mark(koshari, mona, SUHOOR, category=incoherence)
    mark(koshari, karim)
    review(span, karim, "keep")
    derive([koshari.id])
    return span


@pytest.fixture
def rejected(project, mona, karim) -> Span:
    """In another response Karim's span is rejected by Mona, who marked nothing."""
    response = add_response(project, "ful", EGYPTIAN, "ar-EG", model="Delta-9B")
    [span] = mark(response, karim, LENTILS)
    mark(response, mona)
    review(span, mona, "reject")
    derive([response.id])
    return span


def keys(project, **chosen) -> set[str]:
    return {response.key for response in selected(project, chosen)}


def pseudonym(person, project) -> str:
    return Rater.objects.get(project=project, user=person).pseudonym


def test_without_filters_all_responses_are_there(project, kept, rejected, boishakh):
    assert keys(project) == {"koshari", "ful", "boishakh"}


def test_by_variety_and_by_target_model(project, kept, rejected, boishakh):
    assert keys(project, variety="bn-BD") == {"boishakh"}
    assert keys(project, model="Delta-9B") == {"ful"}
    assert keys(project, model="Delta-9B", variety="bn-BD") == set()


def test_by_who_answered(project, kept, rejected, boishakh, simba, karim):
    mark(boishakh, simba)
    assert keys(project, detector="judge") == {"boishakh"}
    assert keys(project, detector="human") == {"koshari", "ful"}
    assert keys(project, rater=pseudonym(karim, project)) == {"koshari", "ful"}


def test_by_what_became_of_the_spans(project, kept, rejected, mona, karim):
    assert keys(project, outcome="kept") == {"koshari"}
    assert keys(project, outcome="rejected") == {"ful"}
    assert keys(project, outcome="rejected", rater=pseudonym(karim, project)) == {"ful"}
    assert keys(project, outcome="rejected", rater=pseudonym(mona, project)) == set()
    assert keys(project, outcome="open") == keys(project, outcome="pending") == set()


def test_by_category_and_depth_of_the_final_errors(project, kept, rejected, mona, karim):
    assert keys(project, category="incoherence") == keys(project, depth="thick") == {"koshari"}
    assert keys(project, depth="thin") == set()
    assert keys(project, category="incoherence", rater=pseudonym(mona, project)) == {"koshari"}
    assert keys(project, category="incoherence", rater=pseudonym(karim, project)) == set()


def test_by_what_was_missed(project, kept, rejected, simba, mona):
    mark(kept.response, simba, RICE)
    missed = {"outcome": "missed", "category": "incoherence"}
    assert keys(project, **missed, rater=simba.pseudonym) == {"koshari"}
    assert keys(project, **missed, rater=pseudonym(mona, project)) == set()


def test_a_line_counts_spans_by_rater_and_says_how_far_people_agree(project, koshari, mona, karim, simba):
    mark(koshari, mona, SUHOOR, RICE)
    mark(koshari, karim, SUHOOR)
    mark(koshari, simba, LENTILS)
    [line] = lines(list(selected(project, {}).select_related("variety")))
    counted = {one.name: one.spans for one in line.detected}
    assert counted == {pseudonym(mona, project): 2, pseudonym(karim, project): 1, "Simba": 1}
    # Matched on both sides 1 + 1, spans of both sides 2 + 1.
    assert line.agreement.number == pytest.approx(2 / 3)
    assert line.agreement.n == 2


def test_one_person_alone_agrees_with_nobody_and_nothing_marked_is_no_overlap(project, koshari, mona, karim):
    mark(koshari, mona)
    assert lines(list(selected(project, {})))[0].agreement.undefined == "n < 2"
    mark(koshari, karim)
    assert lines(list(selected(project, {})))[0].agreement.undefined == "no spans"


def test_of_several_rounds_the_latest_complete_one_counts(project, koshari, simba):
    mark(koshari, simba, LENTILS)
    Marking.objects.create(response=koshari, rater=rater_of(simba, project), round=2, no_errors=True)
    Marking.objects.create(response=koshari, rater=rater_of(simba, project), round=3, is_complete=False)
    [line] = lines(list(selected(project, {})))
    assert [(one.spans, one.is_complete) for one in line.detected] == [(0, True)]


def test_nour_reads_the_list_by_pseudonym(project, nour, kept, mona):
    page = signed_in(nour).get("/p/feasts/responses/").content.decode()
    table = page.split("<table")[1]
    assert pseudonym(mona, project) in table
    assert "Mona" not in page
    assert "koshari" in table


def test_nothing_found_and_nothing_there_say_different_things(project, nour, koshari):
    assert "No response is like that" in signed_in(nour).get("/p/feasts/responses/?outcome=kept").content.decode()
    project.responses.all().delete()
    assert "No responses yet" in signed_in(nour).get("/p/feasts/responses/").content.decode()


def test_an_unknown_value_is_said_and_not_applied(nour, kept):
    page = signed_in(nour).get("/p/feasts/responses/?detector=everyone%27--").content.decode()
    assert "Not applied" in page
    assert "koshari" in page


@pytest.mark.parametrize("query", ["", "?outcome=rejected", "?outcome=missed&detector=judge", "?detector=human"])
def test_as_many_queries_for_twenty_responses_as_for_two(project, nour, kept, rejected, simba, karim, mona, query):
    client = signed_in(nour)
    client.get("/p/feasts/responses/")

    def queries() -> int:
        client.get(f"/p/feasts/responses/{query}")  # which varieties and models there are is kept from here on
        with CaptureQueriesContext(connection) as found:
            client.get(f"/p/feasts/responses/{query}")
        return len(found)

    before = queries()
    for number in range(18):
        response = add_response(project, f"more-{number}", EGYPTIAN, "ar-EG")
        [span] = mark(response, karim, LENTILS)
        mark(response, mona)
        mark(response, simba, RICE)
        review(span, mona, "reject" if number % 2 else "keep")
    derive(project.responses.values_list("id", flat=True))
    assert queries() <= before


def test_pages_keep_their_filters(project, nour):
    for number in range(30):
        add_response(project, f"r{number:02}", EGYPTIAN, "ar-EG")
    page = signed_in(nour).get("/p/feasts/responses/?variety=ar-EG").content.decode()
    assert "30 responses" in page
    assert "variety=ar-EG&amp;page=2" in page
    assert "r29" in signed_in(nour).get("/p/feasts/responses/?variety=ar-EG&page=2").content.decode()
