"""Nour and Lina write one draft in turns, without scripts, and while a language is taken back or becomes the main one:
whatever either wrote stands somewhere on the page until somebody drops it."""

import re

import pytest

from projects.guidelines import Written, publish, publish_texts
from projects.guidelines_drafts import changed_sheets, sheet
from projects.models import GuidelinesDraft, GuidelinesSetAside
from tests.people import join, person, signed_in
from tests.projects.test_write_guidelines_in_two_languages import EDIT, fields, put

pytestmark = pytest.mark.django_db


@pytest.fixture
def guided(project):
    publish(project, "Mark.", "", None, language="en", translations={"bn": Written("চিহ্নিত করুন।")})
    return project


@pytest.fixture
def lina(project):
    return join(person("lina@example.org", "Lina Aziz"), project, "lead")


def aside() -> set[str]:
    return set(GuidelinesSetAside.objects.values_list("text", flat=True))


def test_without_scripts_saving_again_does_not_write_over_the_other(guided, nour, lina):
    put(nour, "main", "Nour's.", "2.0")
    client = signed_in(lina)
    page = client.post(EDIT, fields("left", "main", "Lina's.", "2.0") | {"do": "save"}).content.decode()
    state = re.search(r'name="state-left" value="([^"]*)"', page)[1]
    again = fields("left", "main", "Lina's, more.", state) | {"do": "save"}
    assert client.post(EDIT, again).status_code == 409, "she did not tick that hers goes in its place"
    assert (sheet(guided, "").text, aside()) == ("Nour's.", {"Lina's, more."})
    replace = re.search(r'name="replace-left" value="([^"]*)"', page)[1]
    assert client.post(EDIT, again | {"replace-left": replace}).status_code == 302
    assert (sheet(guided, "").text, aside()) == ("Lina's, more.", {"Nour's."})


def test_a_second_meeting_keeps_what_the_first_set_aside(guided, nour, lina):
    put(nour, "main", "Nour's first.", "2.0")
    put(lina, "main", "Lina's first.", "2.0")
    # She goes on with Nour's; Nour goes on with her own, in the place of Lina's second.
    put(lina, "main", "Lina's second.", "2.1")
    assert put(nour, "main", "Nour's second.", "2.1").status_code == 412
    put(nour, "main", "Nour's second.", "2.2", replace=True)
    assert aside() == {"Lina's first.", "Lina's second."}
    assert GuidelinesSetAside.objects.get(written_by=lina).text == "Lina's second."


def test_drafts_of_accounts_that_are_gone_are_kept_each(guided, lina):
    for text in ("One.", "Two."):
        GuidelinesSetAside.objects.create(project=guided, language="", text=text)
    GuidelinesDraft.objects.create(project=guided, language="", text="Three.")
    assert put(lina, "main", "Lina's.", "2.1", replace=True).status_code == 200
    assert aside() == {"One.", "Two.", "Three."}


def test_the_draft_of_a_translation_that_is_taken_back_is_set_aside(guided, nour, lina):
    put(lina, "bn", "লিনা", "2.0.bn")
    signed_in(nour).post(EDIT, {"do": "withdraw:bn"})
    assert aside() == {"লিনা"}
    assert 'value="take:' in signed_in(lina).get(f"{EDIT}?right=bn").content.decode()


def test_a_language_that_another_began_under_another_tag_keeps_the_text_on_the_page(guided, nour, lina):
    put(nour, "zh-Hant-TW", "繁體", "2.0.zh-Hant-TW")
    both = fields("left", "main", "Mark.", "2.0") | fields("right", "zh-TW", "臺灣", "2.0.zh-TW") | {"do": "save"}
    answer = signed_in(lina).post(EDIT, both)
    assert answer.status_code == 422
    assert "\n臺灣</textarea>" in answer.content.decode()


def test_drafts_stay_in_their_language_where_another_becomes_the_main_one(guided, nour):
    put(nour, "main", "Mark all.", "2.0")
    put(nour, "bn", "সব চিহ্নিত করুন।", "2.0.bn")
    texts = {"bn": "চিহ্নিত করুন।", "en": "Mark."}
    publish_texts(guided, texts, "bn", "Bengali first.", nour, {})
    written = {each.language: (each.text, each.published) for each in changed_sheets(guided)}
    assert written == {"": ("সব চিহ্নিত করুন।", texts["bn"]), "en": ("Mark all.", texts["en"])}


def test_a_draft_of_what_becomes_the_main_language_does_not_take_the_place_of_the_main_draft(guided, nour):
    publish(guided, None, "Taken back.", None, translations={"bn": Written("")})
    put(nour, "main", "Mark all.", "3.0")
    put(nour, "bn", "সব চিহ্নিত করুন।", "3.0.bn")
    publish_texts(guided, {"bn": "চিহ্নিত করুন।"}, "bn", "Bengali alone.", nour, {})
    assert [(each.language, each.text) for each in changed_sheets(guided)] == [("", "Mark all.")]
    assert aside() == {"সব চিহ্নিত করুন।"}


def test_a_translation_into_what_turns_out_to_be_the_main_language_does_not_become_the_main_text(project, nour, lina):
    """Nobody has said the main language. Lina has begun one into English; then Nour says that the main text is that."""
    publish(project, "Mark.", "", None)
    page = signed_in(lina).get(f"{EDIT}?right=en").content.decode()
    state = re.search(r'name="state-right" value="([^"]*)"', page)[1]
    signed_in(nour).post(EDIT, {"do": "language", "language": "en"})
    assert put(lina, "en", "Lina's English.", state).status_code == 412
    form = fields("right", "en", "Lina's English, more.", state) | {"do": "save"}
    assert signed_in(lina).post(EDIT, form).status_code == 409
    project.refresh_from_db()
    assert (sheet(project, "").text, aside()) == ("Mark.", {"Lina's English, more."})
    assert not changed_sheets(project)
    # Whoever was writing the main text goes on with it: it is the same text.
    assert put(nour, "main", "Mark all.", "2.0").status_code == 200


def test_a_draft_says_that_a_version_was_published_since_it_was_saved(guided, nour, lina):
    """A program publishes version 3 while Nour's drafts stand; Lina looks at them later. Bengali stays as it was."""
    told = "Version 3 was published since this draft was last saved"
    put(nour, "main", "Mark all.", "2.0", change="All.")
    put(nour, "bn", "সব চিহ্নিত করুন।", "2.0.bn")
    client = signed_in(lina)
    before = client.get(EDIT).content.decode() + client.get(f"{EDIT}review/").content.decode()
    assert "was published since" not in before
    publish_texts(guided, {"en": "Mark names.", "bn": "চিহ্নিত করুন।"}, "en", "Names.", None, {})
    assert {each.language: each.overtaken for each in changed_sheets(guided)} == {"": 3, "bn": None}
    assert client.get(EDIT).content.decode().count(told) == 1
    review = client.get(f"{EDIT}review/").content.decode()
    assert review.count(told) == 1
    assert "<del>names" in review
    assert "<ins>all" in review
    link = re.search(r'href="(/p/feasts/guidelines/\?version=3[^"]*)"', review)[1].replace("&amp;", "&")
    assert "Mark names." in client.get(link).content.decode()
    publish_texts(guided, {"en": "Mark names.", "bn": "নাম।"}, "en", "Bengali.", None, {})
    assert {each.language: each.overtaken for each in changed_sheets(guided)} == {"": 3, "bn": 4}
    # Whoever saves has been told.
    put(lina, "main", "Mark all names.", "4.1")
    assert sheet(guided, "").overtaken is None
