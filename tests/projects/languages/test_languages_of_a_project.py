"""A lead gives a project its languages: by any tag or name, each under the project's own short name."""

import io
import json

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from formats.importing.running import run_import
from formats.project_file.applying import apply_file
from formats.reading import Source
from projects.models import ApiToken, Invitation, LanguageVariety, ProjectVariety, Response
from projects.problems import Invalid
from projects.varieties import call_varieties, notes_of, used_in, variety_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(nour):
    _row, token = ApiToken.issue(nour, "analysis")
    return Client(headers={"Authorization": f"Bearer {token}"})


def add(client, project, language, short_name=""):
    return client.post(f"/p/{project.slug}/languages/add/", {"language": language, "short_name": short_name})


def page(client, project, **headers):
    return client.get(f"/p/{project.slug}/languages/", **headers).content.decode()


def bring(project, *lines):
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    return run_import(project, Source(io.BytesIO(text.encode())), "items")


def item(**changes):
    said = {"id": "r1", "prompt": "شنو كاينة؟", "variety": "ary", "model": "M", "laboratory": "L", "response": "والو."}
    return said | changes


def names_of(project):
    return {row.variety.tag: row.short_name for row in project.varieties.select_related("variety")}


@pytest.mark.parametrize(
    ("typed", "tag"),
    [
        *(("ary", "ary"), ("AR_ma", "ar-MA"), ("Moroccan Arabic", "ary"), ("Yoruba", "yo"), ("ߒߞߏ", "nqo")),
        *(("zh-Hant-TW", "zh-Hant-TW"), ("x-mine", "x-mine"), ("korean", "ko-KR"), ("hi", "hi")),
    ],
)
def test_nour_adds_a_language_by_tag_or_by_name(project, nour, typed, tag):
    assert add(signed_in(nour), project, typed, "mine").status_code == 302
    assert names_of(project) == {tag: "mine"}
    assert tag in page(signed_in(nour), project)


def test_a_name_that_two_tags_have_is_asked_back(project, nour):
    answer = add(signed_in(nour), project, "Egyptian Arabic")
    assert answer.status_code == 422
    assert "Did you mean ar-EG, arz?" in answer.content.decode()


def test_a_tag_that_is_none_is_refused_with_a_suggestion_and_what_was_typed_stays(project, nour):
    answer = add(signed_in(nour), project, "eg-AR", "EG")
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "“eg-AR” is not a language tag. Did you mean ar-EG?" in shown
    assert 'value="eg-AR"' in shown
    assert not project.varieties.exists()


def test_the_page_names_languages_as_the_reader_does(project, nour):
    call_varieties(project, {"ar-EG": "", "nqo": ""})
    client = signed_in(nour)
    assert "Egyptian Arabic" in page(client, project)
    client.cookies["django_language"] = "ar"
    nour.interface_language = "ar"
    nour.save()
    shown = page(client, project, HTTP_ACCEPT_LANGUAGE="ar")
    assert "العربية المصرية" in shown
    assert "أنكو" in shown
    assert "Egyptian Arabic</bdi>" not in shown
    assert 'lang="nqo" dir="rtl"' in shown


def test_every_language_with_a_name_is_proposed_while_one_types(project, nour):
    shown = page(signed_in(nour), project)
    assert '<option value="yo">Yoruba · Èdè Yorùbá</option>' in shown
    assert '<option value="ar-EG">Egyptian Arabic · العربية المصرية</option>' in shown
    assert shown.count("<option") > 500


def test_a_short_name_is_that_of_one_language_alone(project, other_project, nour):
    client = signed_in(nour)
    add(client, project, "ar-EG", "EG")
    refused = add(client, project, "ary", "EG")
    assert "Another language has this short name." in refused.content.decode()
    assert "another language (Korean)" in add(client, project, "ary", "ko").content.decode()
    assert names_of(project) == {"ar-EG": "EG"}
    call_varieties(other_project, {"ary": "EG"})  # theirs is their own
    with pytest.raises(IntegrityError), transaction.atomic():
        ProjectVariety.objects.create(project=project, variety=variety_of("ary"), short_name="EG")


def test_a_language_is_renamed_and_taken_from_the_list(project, nour):
    client = signed_in(nour)
    add(client, project, "ary", "MA")
    pk = LanguageVariety.objects.get(tag="ary").pk
    client.post(f"/p/{project.slug}/languages/{pk}/", {"short_name": "Darija"})
    assert names_of(project) == {"ary": "Darija"}
    client.post(f"/p/{project.slug}/languages/{pk}/", {"short_name": "ko"})
    assert names_of(project) == {"ary": "Darija"}
    client.post(f"/p/{project.slug}/languages/{pk}/", {"short_name": "Darija", "remove": "1"})
    assert names_of(project) == {}
    assert LanguageVariety.objects.filter(tag="ary").exists()


def test_a_file_names_languages_by_the_projects_short_names_or_by_any_tag(project, other_project):
    call_varieties(project, {"ar-EG": "EG", "ary": "MA"})
    outcome = bring(project, item(variety="MA"), item(id="r2", variety="EG"), item(id="r3", variety="Ar_Eg"))
    assert outcome.is_stored, outcome.problems
    stored = dict(Response.objects.values_list("key", "variety__tag"))
    assert stored == {"r1": "ary", "r2": "ar-EG", "r3": "ar-EG"}
    refused = bring(other_project, item(variety="MA"))
    assert [(problem.line, problem.field, problem.code) for problem in refused.problems] == [
        (1, "variety", "unknown_variety")
    ]
    assert not other_project.responses.exists()


def test_a_language_that_nobody_used_before_comes_with_a_file_and_goes_with_one_that_is_refused(project):
    assert not LanguageVariety.objects.filter(tag__in=("apc", "chr")).exists()
    assert bring(project, item(variety="apc")).is_stored
    apc = LanguageVariety.objects.get(tag="apc")
    assert (apc.name, apc.direction, apc.script, apc.segmentation) == ("Levantine Arabic", "rtl", "Arab", "space")
    assert not bring(project, item(id="r2", variety="chr"), item(id="r2", variety="chr")).is_stored
    assert not LanguageVariety.objects.filter(tag="chr").exists()


def test_one_language_under_two_tags_is_told_and_kept_apart(project, nour):
    assert bring(project, item(variety="arz")).notes == []
    [note] = bring(project, item(id="r2", variety="ar-EG")).notes
    assert "ar-EG, arz" in note
    assert [variety.tag for variety in used_in(project)] == ["ar-EG", "arz"]
    assert note in page(signed_in(nour), project)
    assert notes_of(project) == [note]


FILE = """format: mizan.project/1
project: {{name: Feasts, areas: [spans]}}
varieties: {varieties}
"""


def applied(project, varieties):
    return apply_file(project, FILE.format(varieties=varieties).encode())


def test_the_project_file_takes_any_tag_and_says_what_is_wrong_with_one(project):
    applied(project, "[{tag: ary, short_name: MA}, {tag: YO_ng}]")
    assert names_of(project) == {"ary": "MA", "yo-NG": ""}
    for varieties, place, said in (
        ("[{tag: eg-AR}]", "varieties[0].tag", "Did you mean ar-EG?"),
        ("[{tag: ary, short_name: X}, {tag: yo, short_name: X}]", "varieties[1].short_name", "Another language"),
        ("[{tag: ary, short_name: ko}]", "varieties[0].short_name", "Korean"),
        ("[{tag: ary}, {tag: ARY}]", "varieties", "twice"),
    ):
        with pytest.raises(Invalid) as refused:
            applied(project, varieties)
        [problem] = refused.value.problems
        assert (problem.line, problem.field) == (3, place)
        assert said in problem.message
    assert names_of(project) == {"ary": "MA", "yo-NG": ""}
    assert "he, iw" in applied(project, "[{tag: iw}, {tag: he}]").notes[0]


def test_a_person_is_invited_for_any_language(project, nour):
    invited = {"email": "amina@example.org", "roles": ["annotator"], "other_languages": "ary، Yoruba, zh-Hant-TW"}
    assert signed_in(nour).post(f"/p/{project.slug}/people/invite/", invited).status_code == 200
    invitation = Invitation.objects.get(email="amina@example.org")
    assert set(invitation.varieties.values_list("tag", flat=True)) == {"ary", "yo", "zh-Hant-TW"}
    refused = signed_in(nour).post(
        f"/p/{project.slug}/people/invite/", invited | {"email": "b@example.org", "other_languages": "eg-AR"}
    )
    assert refused.status_code == 422
    assert "Did you mean ar-EG?" in refused.content.decode()


def test_a_program_asks_what_follows_from_a_tag(program):
    asked = program.get("/api/v1/varieties/iw-il/").json()
    assert (asked["tag"], asked["same_as"], asked["direction"], asked["name"]) == (
        "iw-IL",
        "he-IL",
        "rtl",
        "Hebrew (Israel)",
    )
    refused = program.get("/api/v1/varieties/eg-AR/")
    assert refused.status_code == 404
    assert "ar-EG" in refused.json()["detail"]
    assert not LanguageVariety.objects.filter(tag="iw-IL").exists()
