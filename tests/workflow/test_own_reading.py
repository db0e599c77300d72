"""Mona sets how she reads on a page of her own, without a script too; nobody else's is changed by it."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.people import signed_in
from workflow.models import OwnReading
from workflow.own_reading import keep

pytestmark = pytest.mark.django_db


def test_it_is_set_on_its_page_and_is_said_by_it(mona, karim):
    browser = signed_in(mona)
    page = browser.get("/reading/").content.decode()
    assert '<meta name="reading" content="100 100 100">' in page
    answer = browser.post("/reading/", {"size": "140", "leading": "125", "width": "75"})
    assert answer.url == "/reading/"
    assert '<meta name="reading" content="140 125 75">' in browser.get("/reading/").content.decode()
    assert 'content="100 100 100"' in signed_in(karim).get("/reading/").content.decode()
    # A part alone leaves the others; the menu of the bar is answered as a program is.
    kept = browser.post("/reading/", {"size": "85"}, headers={"Accept": "application/json"})
    assert kept.json() == {"size": 85, "leading": 125, "width": 75}


def test_a_part_alone_is_all_that_is_written(mona):
    keep(mona, {"size": "140"})
    with CaptureQueriesContext(connection) as made:
        keep(mona, {"leading": "75"})
    [update] = [each["sql"] for each in made if each["sql"].startswith("UPDATE")]
    assert "leading" in update
    assert '"size"' not in update, "another device may tell it in the same moment"


@pytest.mark.parametrize("size", ["49", "201", "-100", "1e2", "", "١٠٠", "9" * 5000])
def test_what_cannot_be_read_is_refused(mona, size):
    browser = signed_in(mona)
    assert browser.post("/reading/", {"size": size}).status_code == 422
    assert browser.post("/reading/", {"size": size}, headers={"Accept": "application/json"}).status_code == 422
    assert not OwnReading.objects.exists()


@pytest.mark.parametrize("part", ["size", "leading", "width"])
def test_the_database_holds_no_other_either(mona, part):
    for percent in (49, 201):
        with pytest.raises(IntegrityError), transaction.atomic():
            OwnReading.objects.create(user=mona, **{part: percent})


def test_who_is_signed_out_reads_as_usual(client):
    assert 'meta name="reading"' not in client.get("/accounts/login/").content.decode()
    assert client.get("/reading/").status_code == 302
