"""Guidelines by version: a change is announced to those who knew the ones before."""

import pytest

from projects.guidelines import publish, unread
from projects.models import GuidelinesRead, GuidelinesVersion, Rater
from tests.people import join, person, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def guided(project, mona):
    publish(project, "Mark what is wrong.", "", None)
    return project


EDIT = "/p/feasts/guidelines/edit/"


def written(project, text: str, **more: str) -> dict[str, str]:
    """The one field of the page as it is sent."""
    state = f"{project.guidelines_version}.0"
    return {"do": "publish", "language-left": "main", "state-left": state, "text-left": text, **more}


def test_a_change_needs_a_word_about_it(guided, nour):
    client = signed_in(nour)
    told = client.post(EDIT, written(guided, "Mark what is wrong or missing."))
    assert told.status_code == 422
    assert "Say in a sentence what changed" in told.content.decode()
    guided.refresh_from_db()
    assert guided.guidelines == "Mark what is wrong."
    form = written(guided, "Mark what is wrong or missing.", **{"change-left": "Omissions count."})
    form["state-left"] = f"{guided.guidelines_version}.1"  # what was refused is a draft
    assert client.post(EDIT, form).status_code == 302
    guided.refresh_from_db()
    assert guided.guidelines == "Mark what is wrong or missing."
    newest = guided.guidelines_versions.first()
    assert (newest.number, newest.change, newest.published_by) == (guided.guidelines_version, "Omissions count.", nour)


def test_the_first_guidelines_are_one_field_and_one_button(project, nour):
    client = signed_in(nour)
    page = client.get(EDIT).content.decode()
    assert page.count("guidelines__text") == 1
    assert client.post(EDIT, written(project, "Mark what is wrong.")).headers["Location"] == "/p/feasts/guidelines/"
    assert "Mark what is wrong." in client.get("/p/feasts/guidelines/").content.decode()


def test_the_settings_lead_there_and_publish_nothing(guided, nour):
    versions = GuidelinesVersion.objects.count()
    client = signed_in(nour)
    assert EDIT in client.get("/p/feasts/settings/").content.decode()
    assert client.post("/p/feasts/settings/", {"name": "Feasts and fasts", "guidelines": "Other."}).status_code == 302
    guided.refresh_from_db()
    assert (guided.name, guided.guidelines) == ("Feasts and fasts", "Mark what is wrong.")
    assert GuidelinesVersion.objects.count() == versions


def test_mona_is_told_once(guided, mona, nour):
    publish(guided, "Mark what is wrong or missing.", "Omissions count.", nour)
    publish(guided, "Mark all of it.", "Spaces do not count.", nour)
    client = signed_in(mona)
    page = client.get("/p/feasts/my-work/").content.decode()
    assert "Omissions count." in page
    assert "Spaces do not count." in page
    client.post(f"/p/feasts/guidelines/{guided.guidelines_version}/read/")
    client.post(f"/p/feasts/guidelines/{guided.guidelines_version}/read/")
    assert "Omissions count." not in client.get("/p/feasts/my-work/").content.decode()
    assert GuidelinesRead.objects.count() == 2


def test_what_changes_later_is_told_again(guided, mona, nour):
    publish(guided, "Two.", "It became two.", nour)
    signed_in(mona).post(f"/p/feasts/guidelines/{guided.guidelines_version}/read/")
    publish(guided, "Three.", "It became three.", nour)
    assert [version.change for version in unread(Rater.objects.get(user=mona))] == ["It became three."]


def test_who_comes_later_is_told_of_no_change_before(guided, nour):
    publish(guided, "Two.", "It became two.", nour)
    late = join(person("late@example.org", "Late Comer"), guided, "annotator", varieties=("ar-EG",))
    assert not unread(Rater.objects.get(user=late))


def test_every_version_can_be_read(guided, mona, nour, omar):
    first = guided.guidelines_version
    publish(guided, "Mark **all** of it.", "All of it.", nour)
    page = signed_in(mona).get("/p/feasts/guidelines/").content.decode()
    assert "<strong>all</strong>" in page
    assert "All of it." in page
    old = signed_in(mona).get(f"/p/feasts/guidelines/?version={first}").content.decode()
    assert "Mark what is wrong." in old
    assert "earlier version" in old
    assert signed_in(mona).get("/p/feasts/guidelines/?version=99").status_code == 404
    assert signed_in(omar).get("/p/feasts/guidelines/").status_code == 404


def test_what_stood_before_the_first_change_is_kept(project, nour):
    project.guidelines = "As it was."
    project.save()
    publish(project, "As it is.", "Changed.", nour)
    assert list(project.guidelines_versions.values_list("number", "text")) == [(2, "As it is."), (1, "As it was.")]
