"""A program reads and publishes the guidelines in all their languages, with a lead's key."""

import pytest
from django.test import Client

from projects.guidelines import publish
from projects.models import ApiToken

ADDRESS = "/api/v1/projects/feasts/guidelines/"
SAID = {"version": 1, "main": "en", "texts": {"en": "Mark.", "bn": "চিহ্নিত করুন।"}}


def program_of(user) -> Client:
    return Client(headers={"Authorization": f"Bearer {ApiToken.issue(user, 'guidelines')[1]}"})


def put(user, **more):
    return program_of(user).put(ADDRESS, {**SAID, **more}, content_type="application/json")


def test_what_is_published_is_read_again(project, nour):
    answer = put(nour)
    assert answer.status_code == 200, answer.content
    told = program_of(nour).get(ADDRESS).json()
    assert {name: told[name] for name in ("version", "main", "texts", "written_with", "main_changed")} == {
        "version": 2,
        "main": "en",
        "texts": SAID["texts"],
        "written_with": {"en": 2, "bn": 2},
        "main_changed": 2,
    }
    assert put(nour, version=2).json()["version"] == 2, "the same again is no other version"
    texts = {"en": "Mark all.", "bn": SAID["texts"]["bn"]}
    told = put(nour, version=2, texts=texts, change="All.").json()
    assert (told["written_with"], told["versions"][0]["change"]) == ({"en": 3, "bn": 2}, "All.")
    told = put(nour, version=3, texts={"en": "Mark all."}, change="English alone.").json()
    assert (told["version"], told["texts"]) == (4, {"en": "Mark all."})


def test_a_text_of_no_language_is_und(project, nour):
    publish(project, "Mark.", "", None)
    told = program_of(nour).get(ADDRESS).json()
    assert (told["main"], told["texts"]) == ("und", {"und": "Mark."})
    assert put(nour, version=2, main="und", texts={"und": "Mark.", "bn": "ক"}, change="Bengali.").json()["version"] == 3


def test_another_version_meanwhile_is_told(project, nour):
    publish(project, "Mark.", "", None)
    answer = put(nour)
    assert (answer.status_code, answer.json()["texts"]) == (409, {"und": "Mark."})


@pytest.mark.parametrize(
    "more",
    [
        {"texts": {"xx-nothing": "x"}, "main": "xx-nothing"},
        {"texts": {"zh-TW": "x", "zh-Hant-TW": "y"}, "main": "zh-TW"},
        {"texts": {"en": "x", "und": "y"}},
        {"texts": {"bn": "x"}},
        {"texts": {"en": ""}},
        {"texts": {"en": "x" * 200_000}},
        {"texts": {"en": "a\0b"}},
        {"texts": "x"},
        {"texts": {"en": "x", "\ud800": "y"}},
        {"main": ""},
        {"version": "x"},
    ],
)
def test_bad_texts_are_refused(project, nour, more):
    assert put(nour, **more).status_code == 400
    assert not project.guidelines_versions.exists()


def test_a_change_needs_its_word_and_a_lead(project, nour, mona):
    publish(project, "Mark.", "", None)
    assert put(nour, version=2).status_code == 400
    assert put(mona, version=2, change="x").status_code == 404
    assert program_of(mona).get(ADDRESS).json()["version"] == 2


def test_a_line_ends_as_it_does_where_people_write(project, nour):
    """Else the page's own field would differ from what is published before anybody typed."""
    assert put(nour, texts={"en": "One.\r\nTwo."}).json()["texts"] == {"en": "One.\nTwo."}
