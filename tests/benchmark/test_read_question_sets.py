"""Nour reads what her sets hold and freezes one; Mona, who annotates, sees no word of what is held back."""

import pytest

from benchmark.freezing import freeze
from benchmark.models import Question, QuestionSet
from projects.models import AuditEvent
from tests.benchmark.sets import CANARY, open_line, question_line, set_of
from tests.people import join, person, signed_in

pytestmark = pytest.mark.django_db

SECRET = "سؤال لا يعرفه أحد"
ADDRESS = "/p/feasts/question-sets/own/1/"


@pytest.fixture
def own(project) -> QuestionSet:
    hidden = open_line("hidden", instruction=SECRET, held_back=True, twin_of="tea")
    return set_of(project, question_line(), open_line(input="فقرة", cluster="c1"), hidden)


def read(user, address: str) -> str:
    answer = signed_in(user).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def question_address(key: str) -> str:
    return f"{ADDRESS}questions/{Question.objects.get(key=key).pk}/"


def test_an_empty_page_says_what_to_do_next(project, nour, mona):
    page = read(nour, "/p/feasts/question-sets/")
    assert "There are no questions yet" in page
    assert "Import questions" in page
    page = read(mona, "/p/feasts/question-sets/")
    assert "Whoever leads the project imports them" in page
    assert "Import questions" not in page
    QuestionSet.objects.create(project=project, slug="own", name="Own")
    assert "The set has no questions yet" in read(nour, ADDRESS)


def test_the_list_counts_the_questions_of_each_version(own, nour):
    freeze(own).new_version()
    page = read(nour, "/p/feasts/question-sets/")
    assert ADDRESS in page
    assert "/p/feasts/question-sets/own/2/" in page
    assert "draft" in page


def test_a_set_shows_counts_by_skill_and_format_and_its_questions(own, nour):
    page = read(nour, ADDRESS)
    for words in ("General Knowledge", "Summarization", "Multiple choice", "judge_choice", CANARY, "CC BY 4.0", SECRET):
        assert words in page
    frozen = freeze(own)
    page = read(nour, ADDRESS)
    assert frozen.sha256 in page
    assert "Freeze the set" not in page
    assert "Begin a new version" in page


def test_a_question_shows_what_is_asked_and_what_scores_it(own, nour):
    page = read(nour, question_address("tea"))
    for words in ("اكتب جملة عن الشاي", "فقرة", "الشاي مشروب دافئ", "rouge_l", "c1", "Own questions"):
        assert words in page
    page = read(nour, question_address("hidden"))
    assert SECRET in page
    assert question_address("tea") in page, "its twin"


def test_held_back_questions_are_the_leads_alone(own, mona):
    page = read(mona, ADDRESS)
    assert SECRET not in page
    assert "hidden</bdi>" not in page
    assert "1 question is held back" in page
    assert "Freeze the set" not in page
    assert signed_in(mona).get(question_address("hidden")).status_code == 404
    assert read(mona, question_address("tea"))
    for address in ("/api/v1/projects/feasts/question-sets/", API):
        assert SECRET not in signed_in(mona).get(address).content.decode()


def test_nobody_of_another_project_sees_any(own, other_project):
    omar = join(person("omar@example.org", "Omar"), other_project, "lead")
    for address in ("/p/feasts/question-sets/", ADDRESS, question_address("tea"), API):
        assert signed_in(omar).get(address).status_code == 404
    assert signed_in(omar).get(ADDRESS.replace("feasts", "weddings")).status_code == 404


def test_she_freezes_it_once_she_has_confirmed(own, nour, mona):
    client = signed_in(nour)
    answer = client.post(f"{ADDRESS}freeze/", follow=True)
    assert "Nothing was frozen" in answer.content.decode()
    assert not QuestionSet.objects.get().is_frozen
    assert signed_in(mona).post(f"{ADDRESS}freeze/", {"confirmed": "yes"}).status_code == 404
    assert client.get(f"{ADDRESS}freeze/").status_code == 405
    answer = client.post(f"{ADDRESS}freeze/", {"confirmed": "yes"}, follow=True)
    assert "The question set is frozen" in answer.content.decode()
    assert AuditEvent.objects.get(action="question_set.frozen").actor == nour


def test_what_is_in_the_way_is_named_with_the_question(own, nour):
    Question.objects.get(key="tea").rule_uses.all().delete()
    answer = signed_in(nour).post(f"{ADDRESS}freeze/", {"confirmed": "yes"}, follow=True)
    assert "tea: No rule scores its answers." in answer.content.decode()
    assert not QuestionSet.objects.get().is_frozen


def test_she_begins_a_new_version(own, nour):
    client = signed_in(nour)
    answer = client.post(f"{ADDRESS}new-version/", follow=True)
    assert "not frozen yet" in answer.content.decode()
    freeze(own)
    answer = client.post(f"{ADDRESS}new-version/")
    assert answer["Location"] == "/p/feasts/question-sets/own/2/"
    assert QuestionSet.objects.get(version=2).questions.count() == 3
    assert AuditEvent.objects.get(action="question_set.version_begun").subject == "own v2"


def test_pages_cost_as_many_statements_for_many_questions_as_for_few(own, nour, django_assert_max_num_queries):
    set_of(own.project, *(open_line(f"q{number}") for number in range(120)), id="many", canary=...)
    client = signed_in(nour)
    for address in ("/p/feasts/question-sets/", "/p/feasts/question-sets/many/1/", question_address("tea")):
        client.get(address)
        with django_assert_max_num_queries(20):
            assert client.get(address).status_code == 200
    page = client.get("/p/feasts/question-sets/many/1/?page=3").content.decode()
    assert page.count("table__key") == 20


# --- For programs -----------------------------------------------------------------------------------------

API = "/api/v1/projects/feasts/question-sets/own/1/questions/"


def test_the_api_has_sets_and_questions_under_the_names_of_the_file(own, nour):
    client = signed_in(nour)
    [row] = client.get("/api/v1/projects/feasts/question-sets/").json()["results"]
    assert (row["id"], row["version"], row["questions"], row["held_back"], row["canary"]) == ("own", 1, 3, 1, CANARY)
    rows = client.get(API).json()["results"]
    assert [row["id"] for row in rows] == ["capital", "tea", "hidden"]
    assert rows[0]["output"] == "أ"
    assert rows[0]["source"] == "Own questions"
    assert rows[0]["canary"] == CANARY
    assert rows[0]["rules"] == [{"rule": "judge_choice", "version": 1, "parameters": {}}]
    assert client.get(API.replace("/1/", "/2/")).status_code == 404


def test_the_api_costs_as_many_statements_for_many_as_for_few(own, nour, django_assert_max_num_queries):
    set_of(own.project, *(open_line(f"q{number}") for number in range(90)), id="many", canary=...)
    client = signed_in(nour)
    with django_assert_max_num_queries(15):
        assert len(client.get(f"{API.replace('own', 'many')}?page_size=90").json()["results"]) == 90
