"""Nour goes through the responses one after the other, and to any of them by its key."""

import pytest

from projects.models import Project
from projects.neighbours import MOST_FOUND, neighbours
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def responses(project):
    return {key: add_response(project, key, "Ful.", "ar-EG") for key in ("a-1", "b 🍲", "كشري", "c%_")}


def address(response, words: str = "") -> str:
    return f"/p/feasts/responses/{response.uuid}/" + (f"?find={words}" if words else "")


def test_she_walks_from_the_first_to_the_last_and_no_further(project, responses, nour):
    client = signed_in(nour)
    keys = list(project.responses.order_by("key").values_list("key", flat=True))
    at, seen = project.responses.get(key=keys[0]), []
    while at is not None:
        seen.append(at.key)
        found = client.get(address(at)).context["neighbours"]
        assert (found.previous or {}).get("key") == (seen[-2] if len(seen) > 1 else None)
        at = found.following and project.responses.get(uuid=found.following["at"])
    assert seen == keys


def test_she_finds_one_by_a_part_of_its_key_in_any_script(project, responses, nour):
    client = signed_in(nour)
    for words, keys in (("A-", ["a-1"]), ("🍲", ["b 🍲"]), ("كش", ["كشري"]), ("%_", ["c%_"]), ("%", ["c%_"])):
        found = neighbours(project.responses.all(), responses["a-1"], words).found
        assert [one["key"] for one in found] == keys, words
    page = client.get(address(responses["a-1"]), {"find": "كش"}).content.decode()
    assert address(responses["كشري"]) in page
    assert "No key has this in it" in client.get(address(responses["a-1"]), {"find": "zzz"}).content.decode()


def test_odd_words_break_nothing_and_many_are_cut(project, responses, nour):
    client = signed_in(nour)
    for words in ("\0", "   ", "<script>alert(1)</script>", "x" * 50_000):
        page = client.get(address(responses["a-1"]), {"find": words})
        assert page.status_code == 200
        assert "<script>alert(1)" not in page.content.decode()
    for number in range(MOST_FOUND + 1):
        add_response(project, f"many-{number:02}", "Ful.", "ar-EG")
    found = neighbours(project.responses.all(), responses["a-1"], "many")
    assert (len(found.found), found.is_cut) == (MOST_FOUND, True)


def test_it_costs_three_queries_however_many_there_are(project, responses, django_assert_max_num_queries):
    for number in range(30):
        add_response(project, f"many-{number:02}", "Ful.", "ar-EG")
    with django_assert_max_num_queries(3):
        neighbours(project.responses.all(), responses["a-1"], "many")


def test_an_expert_is_not_led_to_responses_by_their_keys(project, responses, koshari, hana):
    page = signed_in(hana).get(address(koshari), {"find": "a-1"})
    assert page.status_code == 200
    assert "neighbours" not in page.context
    assert address(responses["a-1"]) not in page.content.decode()


def test_nothing_leads_out_of_the_project(project, responses, nour):
    other = Project.objects.create(slug="other", name="Other")
    add_response(other, "a-0", "Ful.", "ar-EG")
    found = neighbours(project.responses.all(), responses["a-1"], "a-")
    assert [one["key"] for one in found.found] == ["a-1"]
