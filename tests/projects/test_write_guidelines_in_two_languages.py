"""Nour writes the guidelines in English and Bengali side by side and publishes both; Lina leads too, and they meet."""

import pytest

from projects.guidelines import Written, publish
from projects.guidelines_drafts import changed_sheets, save, sheet
from projects.models import AuditEvent, GuidelinesDraft, GuidelinesSetAside, GuidelinesVersion
from tests.people import join, person, signed_in

pytestmark = pytest.mark.django_db

PAGE, EDIT, DRAFT = "/p/feasts/guidelines/", "/p/feasts/guidelines/edit/", "/p/feasts/guidelines/edit/draft/"
ENGLISH, BENGALI = "# Errors\n\nMark what is wrong.", "# ভুল\n\nযা ভুল তা চিহ্নিত করুন।"


@pytest.fixture
def guided(project):
    publish(project, ENGLISH, "", None, language="en")
    return project


@pytest.fixture
def lina(project):
    return join(person("lina@example.org", "Lina Aziz"), project, "lead")


def fields(side: str, language: str, text: str, state: str, change: str = "") -> dict[str, str]:
    said = {"language": language, "text": text, "state": state, "change": change}
    return {f"{name}-{side}": value for name, value in said.items()}


def put(user, language: str, text: str, state: str, **more):
    said = {"language": language, "text": text, "change": "", "state": state, **more}
    return signed_in(user).put(DRAFT, said, content_type="application/json")


def test_two_drafts_side_by_side_become_one_version(guided, nour, rafia):
    client = signed_in(nour)
    page = client.get(f"{EDIT}?add=Bengali").content.decode()
    assert page.count("guidelines__text") == 2
    assert 'lang="bn"' in page
    both = fields("left", "main", f"{ENGLISH} Or missing.", "2.0", "Omissions count.") | fields(
        "right", "bn", BENGALI, "2.0.bn", "বাংলায়ও আছে।"
    )
    assert client.post(EDIT, both | {"do": "save"}).status_code == 302
    reader = signed_in(rafia)
    assert "Or missing" not in reader.get(PAGE).content.decode(), "a draft is no version"
    assert guided.guidelines_versions.count() == 2
    preview = client.get(f"{EDIT}review/").content.decode()
    assert "<h1>ভুল</h1>" in preview
    assert "<ins> Or missing.</ins>" in preview
    assert "were not in this language before" in preview
    seen = {"do": "publish", "seen": ["main=2.1", "bn=2.1.bn"]}
    assert client.post(EDIT, seen).headers["Location"] == PAGE
    guided.refresh_from_db()
    assert (guided.guidelines_version, guided.guidelines_translations) == (3, {"bn": 3})
    version = guided.guidelines_versions.first()
    assert (version.change, version.published_by) == ("Omissions count.", nour)
    assert version.translations.get().change == "বাংলায়ও আছে।"
    assert not GuidelinesDraft.objects.exists()
    event = AuditEvent.objects.get(action="guidelines.published", subject="v3")
    assert (event.actor, event.detail["languages"]) == (nour, ["bn"])


def test_a_translation_that_says_the_same_does_not_lag(guided, nour):
    translations = {"bn": Written(BENGALI), "ar": Written("علّم.")}
    publish(guided, None, "Translations.", nour, translations=translations)
    client = signed_in(nour)
    client.post(EDIT, fields("left", "main", "# Errors\n\nMark whatever is wrong.", "3.0", "A word.") | {"do": "save"})
    assert 'name="still" value="bn"' in client.get(f"{EDIT}review/").content.decode()
    client.post(EDIT, {"do": "publish", "seen": "main=3.1", "still": "bn"})
    guided.refresh_from_db()
    assert (guided.guidelines_version, guided.guidelines_translations) == (4, {"ar": 3, "bn": 4})
    assert "This translation is of version 3" in client.get(f"{PAGE}?language=ar").content.decode()
    assert "This translation" not in client.get(f"{PAGE}?language=bn").content.decode()


def test_two_leads_at_once_overwrite_nothing(guided, nour, lina):
    assert put(nour, "main", "Nour's.", "2.0").json() == {"state": "2.1"}
    met = put(lina, "main", "Lina's.", "2.0")
    assert met.status_code == 412
    assert met.json() == {"state": "2.1", "text": "Nour's.", "change": "", "by": "Nour Haddad"}
    assert sheet(guided, "").text == "Nour's."
    aside = GuidelinesSetAside.objects.get()
    assert (aside.text, aside.written_by) == ("Lina's.", lina)
    assert "Lina&#x27;s." in signed_in(nour).get(EDIT).content.decode(), "both leads see it"
    # She has seen Nour's and goes on with hers: Nour's is set aside.
    assert put(lina, "main", "Lina's.", "2.1", replace=True).json() == {"state": "2.2"}
    assert sheet(guided, "").text == "Lina's."
    aside = GuidelinesSetAside.objects.get()
    assert (aside.text, aside.written_by) == ("Nour's.", nour)
    # And back again.
    signed_in(nour).post(EDIT, {"do": f"take:{aside.pk}"})
    assert sheet(guided, "").text == "Nour's."
    aside = GuidelinesSetAside.objects.get()
    assert aside.text == "Lina's."
    signed_in(nour).post(EDIT, {"do": f"drop:{aside.pk}"})
    assert not GuidelinesSetAside.objects.exists()


def test_without_scripts_a_conflict_keeps_both_too(guided, nour, lina):
    put(nour, "main", "Nour's.", "2.0")
    answer = signed_in(lina).post(EDIT, fields("left", "main", "Lina's.", "2.0") | {"do": "publish"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Somebody else has saved" in page
    assert "\nLina&#x27;s.</textarea>" in page
    assert sheet(guided, "").text == "Nour's."
    assert guided.guidelines_versions.count() == 2, "nothing was published"


def test_a_version_published_meanwhile_is_not_written_over(guided, nour, lina):
    """Lina opened the page before Nour published; there is no draft, and still hers is another's text."""
    publish(guided, "Nour's.", "Other.", nour)
    assert put(lina, "main", "Lina's.", "2.0").status_code == 412
    assert GuidelinesSetAside.objects.get().text == "Lina's."
    assert not changed_sheets(guided)


def test_who_publishes_publishes_what_they_saw(guided, nour, lina):
    put(nour, "main", "Seen.", "2.0", change="Seen.")
    put(lina, "main", "Not seen.", "2.1", change="Not seen.")
    answer = signed_in(nour).post(EDIT, {"do": "publish", "seen": "main=2.1"})
    assert answer.status_code == 422
    assert "Somebody has saved a draft meanwhile" in answer.content.decode()
    assert guided.guidelines_versions.count() == 2


def test_the_same_text_told_again_is_stored_once(guided, nour):
    assert put(nour, "bn", BENGALI, "2.0.bn").json() == {"state": "2.1.bn"}
    assert put(nour, "bn", BENGALI, "2.0.bn").json() == {"state": "2.1.bn"}
    assert put(nour, "main", ENGLISH, "2.0").json() == {"state": "2.0"}, "what is published is no draft"
    assert GuidelinesDraft.objects.get().number == 1


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({"language": "xx-nothing"}, 422),
        ({"language": "und"}, 422),
        ({"language": ""}, 422),
        ({"language": "x" * 5000}, 422),
        ({"text": "x" * 200_000}, 422),
        ({"text": "null \0 character"}, 422),
        ({"text": ["list"]}, 422),
        ({"text": None}, 422),
        ({"change": "x" * 3000}, 422),
        ({"language": 7}, 422),
        ({"state": {"a": 1}}, 412),
    ],
)
def test_bad_drafts_are_refused_and_nothing_is_stored(guided, nour, said, status):
    answer = put(nour, **{"language": "bn", "text": "x", "state": "2.0.bn", **said})
    assert answer.status_code == status
    assert not GuidelinesDraft.objects.exists()


def test_a_body_that_is_no_object_is_refused(guided, nour):
    for body in ("[]", "{", '"x"', "\xff"):
        assert signed_in(nour).put(DRAFT, body, content_type="application/json").status_code == 400


def test_a_language_under_two_tags_is_one(guided, nour):
    put(nour, "zh-Hant-TW", "繁體", "2.0.zh-Hant-TW")
    answer = put(nour, "zh-TW", "繁體", "2.0.zh-TW")
    assert answer.status_code == 422
    assert "is the same language" in answer.json()["error"]["message"]
    put(nour, "en", "Main.", "2.0")
    assert sheet(guided, "").text == "Main.", "the tag of the main text is the main text"


def test_an_empty_text_is_not_published(guided, nour):
    client = signed_in(nour)
    answer = client.post(EDIT, fields("left", "main", "  ", "2.0", "Empty.") | {"do": "publish"})
    assert answer.status_code == 422
    assert "The draft is empty" in answer.content.decode()
    assert client.post(EDIT, {"do": "publish"}).status_code == 422
    assert guided.guidelines_versions.count() == 2


def test_a_long_text_stays_in_its_field(guided, nour):
    answer = signed_in(nour).post(EDIT, fields("left", "main", "x" * 200_000, "2.0") | {"do": "save"})
    assert answer.status_code == 422
    assert "longer than 100000 characters" in (page := answer.content.decode())
    assert "x" * 200_000 in page


def test_a_page_asked_for_in_no_language_says_so(guided, nour):
    answer = signed_in(nour).get(f"{EDIT}?add=Klingonish+of+the+north")
    assert answer.status_code == 422
    assert "is not a language tag" in answer.content.decode()


def test_translations_wait_for_a_main_text(project, nour):
    put(nour, "bn", BENGALI, "1.0.bn")
    answer = signed_in(nour).post(EDIT, {"do": "publish", "seen": "bn=1.1.bn"})
    assert answer.status_code == 422
    assert "Write the main text first" in answer.content.decode()


def test_the_language_of_the_main_text_is_said_without_another_version(project, nour):
    publish(project, ENGLISH, "", None)
    publish(project, None, "", None, translations={"bn": Written(BENGALI)})
    client = signed_in(nour)
    assert client.post(EDIT, {"do": "language", "language": "English"}).status_code == 302
    project.refresh_from_db()
    assert (project.guidelines_language, project.guidelines_version) == ("en", 3)
    for refused in ("bn", "no such", "main", ""):
        client.post(EDIT, {"do": "language", "language": refused})
    project.refresh_from_db()
    assert project.guidelines_language == "en"


def test_a_translation_is_taken_back(guided, nour):
    publish(guided, None, "Bengali.", nour, translations={"bn": Written(BENGALI)})
    client = signed_in(nour)
    client.post(EDIT, {"do": "withdraw:bn"})
    guided.refresh_from_db()
    assert (guided.guidelines_version, guided.guidelines_translations) == (4, {})
    assert client.post(EDIT, {"do": "withdraw:bn"}).status_code == 404
    assert client.post(EDIT, {"do": "take:x"}).status_code == 404


def test_who_does_not_lead_sees_no_draft(guided, nour, mona, omar):
    save(guided, "", "Secret.", "", "2.0", nour)
    for user in (mona, omar):
        client = signed_in(user)
        assert client.get(EDIT).status_code == 404
        assert client.get(f"{EDIT}review/").status_code == 404
        assert client.post(EDIT, {"do": "publish", "seen": "main=2.1"}).status_code == 404
        assert put(user, "main", "Mine.", "2.1").status_code == 404
        assert "Secret" not in client.get(PAGE).content.decode()
    assert signed_in(omar).get("/p/weddings/guidelines/edit/").status_code == 200
    assert GuidelinesVersion.objects.filter(project=guided).count() == 2
