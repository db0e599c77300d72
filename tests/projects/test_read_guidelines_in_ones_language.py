"""Who reads the guidelines in which language, and what they are told where there is no such text."""

import pytest
from django.utils.translation import override

from projects.guidelines import Written, publish, say_language
from projects.guidelines_in_languages import closest, is_same, reading_for
from projects.models import GuidelinesChoice, LanguageVariety, Rater
from tests.people import add_response, join, person, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next

pytestmark = pytest.mark.django_db

PAGE = "/p/feasts/guidelines/"
ENGLISH, BENGALI, ARABIC = "Mark what is wrong.", "যা ভুল তা চিহ্নিত করুন।", "علّم ما هو خطأ."
NOT_YET = "These guidelines are not in"


@pytest.fixture
def guided(project):
    """English is the main text; there are Bengali and Arabic."""
    publish(project, ENGLISH, "", None, language="en", translations={"bn": Written(BENGALI), "ar": Written(ARABIC)})
    return project


@pytest.fixture
def dewi(guided):
    return join(person("dewi@example.org", "Dewi Lestari"), guided, "annotator", varieties=("id-ID",))


def item_page(project, user, tag: str) -> str:
    add_response(project, f"of-{tag}", "One. Two.", tag)
    stage = marking_stage(project)
    turn = claim_next(user.raters.get(), stage)
    assert turn is not None
    return signed_in(user).get(f"/tasks/{turn.uuid}/").content.decode()


def in_language(user, code: str) -> str:
    client = signed_in(user)
    client.cookies["django_language"] = code
    return client.get(PAGE).content.decode()


def test_a_bengali_annotator_reads_bengali_beside_the_item(guided, rafia):
    page = item_page(guided, rafia, "bn-BD")
    assert BENGALI in page
    assert '<div class="prose marking__guidelines" translate="no" lang="bn" dir="ltr"' in page
    assert ENGLISH not in page, "one language's text alone is sent"
    assert NOT_YET not in page


def test_an_egyptian_item_brings_the_arabic_text(guided, mona):
    page = item_page(guided, mona, "ar-EG")
    assert ARABIC in page
    assert 'lang="ar" dir="rtl"' in page
    assert NOT_YET not in page


def test_an_indonesian_one_is_told_that_there_is_none_and_reads_english(guided, dewi):
    page = item_page(guided, dewi, "id-ID")
    assert "These guidelines are not in Indonesian yet. You read them in English." in page
    assert f'lang="en" dir="ltr" tabindex="0" role="region" aria-label="Guidelines"><p>{ENGLISH}' in page


def test_a_project_that_says_no_language_tells_nobody_anything(project, rafia):
    publish(project, ENGLISH, "", None)
    page = item_page(project, rafia, "bn-BD")
    assert NOT_YET not in page
    assert '<div class="prose marking__guidelines" translate="no" dir="auto" tabindex="0"' in page
    assert ENGLISH in page


def test_once_the_language_of_its_one_text_is_said_readers_of_others_are_told(project, rafia, nour):
    publish(project, ENGLISH, "", None)
    say_language(project, "en", nour)
    assert "You read them in English." in item_page(project, rafia, "bn-BD")
    assert project.guidelines_versions.count() == 2, "its words are the same, so it is no other version"


def test_without_an_item_the_interface_decides(guided, rafia):
    assert BENGALI in in_language(rafia, "bn")
    assert ENGLISH in in_language(rafia, "en")


def test_where_the_interface_has_no_text_ones_own_work_decides(guided, rafia):
    assert BENGALI in in_language(rafia, "ko")
    with override("ko"):
        reading = reading_for(guided, rafia)
    assert (reading.language, reading.wanted) == ("bn", "ko"), "and she is told that it is not in Korean"


def test_a_choice_goes_before_everything_until_it_is_taken_back(guided, rafia):
    client = signed_in(rafia)
    assert client.post(f"{PAGE}language/", {"language": "ar"}).status_code == 302
    page = item_page(guided, rafia, "bn-BD")
    assert ARABIC in page
    assert BENGALI not in page
    client.post(f"{PAGE}language/", {"language": "main"})
    assert reading_for(guided, rafia, "bn-BD").text == ENGLISH
    client.post(f"{PAGE}language/", {"language": "automatic"})
    assert reading_for(guided, rafia, "bn-BD").text == BENGALI
    assert not GuidelinesChoice.objects.exists()


@pytest.mark.parametrize("language", ["", "ko", "x" * 300, "bn\0", "und"])
def test_a_language_that_there_is_not_is_no_choice(guided, rafia, language):
    assert signed_in(rafia).post(f"{PAGE}language/", {"language": language}).status_code == 404
    assert not GuidelinesChoice.objects.exists()


def test_a_link_shows_a_language_without_choosing_it(guided, rafia):
    client = signed_in(rafia)
    assert ARABIC in client.get(f"{PAGE}?language=ar").content.decode()
    assert ENGLISH in client.get(f"{PAGE}?language=main").content.decode()
    assert client.get(f"{PAGE}?language=ko").status_code == 404
    assert not GuidelinesChoice.objects.exists()


def test_a_translation_that_lags_says_so(guided, rafia, nour):
    publish(guided, "Mark what is wrong or missing.", "Omissions count.", nour)
    page = item_page(guided, rafia, "bn-BD")
    assert "This translation is of version 2; the guidelines are at version 3." in page
    assert f'href="{PAGE}?language=main"' in page
    assert BENGALI in page
    publish(guided, None, "", nour, translations={"bn": Written("নতুন।")})
    reading = reading_for(guided, rafia, "bn-BD")
    assert (reading.text, reading.version, reading.lags) == ("নতুন।", 4, False)
    assert not reading_for(guided, rafia, "en").lags, "the main text never lags"
    assert reading_for(guided, rafia, "ar-EG").lags


def test_what_changed_is_told_in_the_language_that_one_reads(guided, rafia, nour):
    publish(guided, "Three.", "It became three.", nour, translations={"bn": Written("তিন।", "তিন হয়েছে।")})
    publish(guided, "Four.", "It became four.", nour)
    page = item_page(guided, rafia, "bn-BD")
    assert '<p dir="auto" translate="no" lang="bn">তিন হয়েছে।</p>' in page
    assert '<p dir="auto" translate="no" lang="en">It became four.</p>' in page
    assert "It became three." not in page
    home = signed_in(rafia).get("/p/feasts/my-work/").content.decode()
    assert "It became three." in home, "its interface is English"


def test_a_translation_taken_back_leaves_the_main_text_and_stands_in_earlier_versions(guided, rafia, nour):
    publish(guided, None, "", nour, translations={"bn": Written("")})
    assert guided.guidelines_translations == {"ar": 2}
    page = item_page(guided, rafia, "bn-BD")
    assert NOT_YET in page
    assert ENGLISH in page
    client = signed_in(rafia)
    assert BENGALI in client.get(f"{PAGE}?version=2&language=bn").content.decode()
    assert BENGALI not in client.get(f"{PAGE}?version=3&language=bn").content.decode()


def test_an_earlier_version_has_its_own_translations_and_says_what_lagged_then(guided, rafia, nour):
    publish(guided, "Three.", "Three.", nour)
    publish(guided, None, "Bengali too.", nour, translations={"bn": Written("তিন।")})
    client = signed_in(rafia)
    then = client.get(f"{PAGE}?version=3&language=bn").content.decode()
    assert BENGALI in then
    assert "This translation is of version 2; the guidelines are at version 3." in then
    assert "তিন।" in client.get(f"{PAGE}?version=4&language=bn").content.decode()
    assert "This translation" not in client.get(f"{PAGE}?version=2&language=bn").content.decode()


def test_one_text_costs_a_page_nothing_and_a_translation_two_statements(
    guided, other_project, rafia, django_assert_num_queries
):
    with django_assert_num_queries(0):
        reading_for(other_project, rafia, "bn-BD")
    with django_assert_num_queries(2):  # the person's choice, the one text
        reading_for(guided, rafia, "bn-BD")
    with django_assert_num_queries(1):
        reading_for(guided, rafia, "en-US")


@pytest.mark.parametrize(
    ("wanted", "there", "found"),
    [
        ("arz", ["ar", "en"], "ar"),
        ("ar-EG", ["ar", "en"], "ar"),
        ("zh-Hant-TW", ["zh-Hant", "zh-Hans"], "zh-Hant"),
        ("zh-Hant-TW", ["zh-Hans", "en"], ""),
        ("bn-BD", ["bn"], "bn"),
        ("ar", ["arz"], "arz"),
        ("yo", ["en"], ""),
        ("id", ["ms", "en"], "ms"),
        ("ko-KR", [], ""),
    ],
)
def test_the_closest_text_is_read(wanted, there, found):
    assert closest(wanted, there) == found


def test_what_is_near_is_still_named_where_it_is_another_language():
    assert is_same("arz", "ar")
    assert is_same("en-GB", "en-US")
    assert not is_same("id", "ms")
    assert not is_same("sr-Latn", "sr-Cyrl")


def test_people_of_varieties_are_asked_by_variety_tags(guided, hana):
    """Hana works in Arabic and Bengali: the first of her own that there is a text in."""
    assert set(LanguageVariety.objects.filter(raters=Rater.objects.get(user=hana)).values_list("tag", flat=True)) == {
        "ar-EG",
        "bn-BD",
    }
    assert ARABIC in in_language(hana, "ko")


def test_a_language_of_a_projects_own_stops_nobody(guided, rafia):
    """A private tag means what they agreed on; what is near it, nobody can say."""
    page = item_page(guided, rafia, "bn-BD")
    assert BENGALI in page
    assert reading_for(guided, rafia, "x-village").text == ENGLISH
    publish(guided, None, "Ours.", None, translations={"x-village": Written("Ours.")})
    assert reading_for(guided, rafia, "bn-BD").text == BENGALI
    assert reading_for(guided, rafia, "x-village").text == "Ours."
    assert not is_same("x-village", "x-town")


@pytest.mark.parametrize("tag", ["und", "zxx", "mul", "mis"])
def test_nobody_is_told_that_guidelines_are_not_in_no_language(guided, rafia, tag):
    reading = reading_for(guided, rafia, tag)
    assert (reading.text, reading.wanted) == (ENGLISH, "")
