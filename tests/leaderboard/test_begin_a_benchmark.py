"""Nour begins a benchmark: its stage of checks is there, each page says what comes next, and none offers what it has no
use for."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchmark.models import QuestionSet
from benchmark.scoring import score_answers
from projects.creation import create_project
from projects.models import Project
from projects.navigation import menu
from projects.steps import steps_of
from tests.benchmark.boards import answers, configuration, frozen_set, judge, judged, open_questions
from tests.benchmark.sets import open_line
from tests.people import join, signed_in
from workflow.planning import plan_items

LEAD = frozenset({"lead"})


@pytest.fixture
def bench(nour) -> Project:
    return create_project(Project(slug="bench", name="Bench", preset="leaderboard"), nour)


def page_of(user, address: str) -> str:
    return signed_in(user).get(address).content.decode()


def imported(user, slug: str, *lines: dict) -> str:
    file = SimpleUploadedFile("questions.jsonl", "\n".join(map(json.dumps, lines)).encode())
    sent = signed_in(user).post(f"/p/{slug}/import/", {"kind": "benchmark-questions", "file": file})
    assert sent.status_code == 200, sent.content.decode()
    return sent.content.decode()


def test_two_people_check_each_question_that_is_imported(bench, nour):
    stage = bench.stages.get()
    assert (stage.kind, stage.name, stage.overlap, stage.is_open) == ("question_check", "Checking questions", 2, True)
    assert plan_items(stage) == 0
    imported(nour, "bench", open_line("a"), open_line("b"))
    assert plan_items(stage) == 2
    mona = join(nour.__class__.objects.create_user("m@example.org", "x", name="Mona"), bench, "annotator")
    assert "Checking questions" in page_of(mona, "/p/bench/my-work/")


def test_the_page_of_import_begins_with_questions_and_says_what_comes_next(bench, nour):
    page = page_of(nour, "/p/bench/import/")
    assert is_chosen(page, "benchmark-questions")
    assert "There are no questions yet" in page
    assert "Nothing to mark yet" not in page
    for said in (imported(nour, "bench", open_line("a")), page_of(nour, "/p/bench/import/")):
        following = said[said.index("What comes next") :]
        assert following.index('href="/p/bench/stages/"') < following.index('href="/p/bench/question-sets/"')
    assert "There are no questions yet" not in page_of(nour, "/p/bench/import/")
    assert QuestionSet.objects.get().questions.count() == 1


def test_the_front_page_leads_from_questions_to_the_board(bench, nour):
    page = page_of(nour, "/p/bench/")
    assert "From questions to the board" in page
    assert "gold" not in page
    titles = ("Import the questions", "Bring answers in", "Score the answers", "Let models judge", "Read the results")
    places = [page.index(title) for title in titles]
    assert places == sorted(places)
    assert page.index("Read the results") < page.index("Invite people"), "a board needs nobody but models"


def test_the_step_after_the_answers_is_to_score_them_and_then_to_read_the_board(bench):
    question_set = frozen_set(bench, *open_questions(2))
    nile = answers(configuration(bench, "Nile"), question_set)
    for answer in nile.values():
        answer.rulings.all().delete()
    assert following(bench) == "Score the answers"
    score_answers(question_set)
    assert following(bench) == "Read the results", "what only a judge can score has no points yet"
    judged(judge(bench), nile, question_set, [5.0, 6.0])
    assert following(bench) == "Invite people"


def following(project: Project) -> str:
    [step] = [reached.step for reached in steps_of(project) if reached.is_next]
    return str(step.title)


def is_chosen(page: str, kind: str) -> bool:
    [option] = [part for part in page.split("<input")[1:] if f'value="{kind}"' in part.split(">")[0]]
    return "checked" in option.split(">")[0]


def test_another_project_begins_with_prompts_and_responses(nour, project):
    assert is_chosen(page_of(nour, f"/p/{project.slug}/import/"), "items")
    assert is_chosen(page_of(nour, f"/p/{project.slug}/import/?kind=benchmark-questions"), "benchmark-questions")


def test_gold_is_offered_where_there_is_some(bench):
    def offered(*areas: str) -> dict[str, list[str]]:
        parts = menu("bench", LEAD, "/p/bench/", areas).parts
        below = menu("bench", LEAD, "/p/bench/frames/", areas)
        return {"parts": [str(link.label) for link in parts], "below": [str(link.label) for link in below.pages]}

    of_bench, of_both, of_spans = offered("leaderboard"), offered("leaderboard", "spans", "rubrics"), offered("spans")
    assert "Gold" not in of_bench["parts"]
    assert (of_bench["below"][0], of_bench["below"][-1]) == ("The board", "Raw answers")
    for each in (of_both, of_spans):
        assert each["parts"].count("Gold") == 1
        assert each["below"] == ["Gold", "Raw answers"]


def test_a_policy_is_asked_where_it_decides_anything(bench, nour):
    stage = bench.stages.get()
    assert 'name="policy"' not in page_of(nour, f"/p/bench/stages/{stage.pk}/")
    assert "Unanimous" not in page_of(nour, "/p/bench/stages/")
    fields = {"name": "Checks", "overlap": 3, "lease_minutes": 60}
    assert signed_in(nour).post(f"/p/bench/stages/{stage.pk}/", fields).status_code == 302
    stage.refresh_from_db()
    assert (stage.name, stage.overlap) == ("Checks", 3)
    reviews = bench.stages.create(kind="reviews", name="Validation", position=2)
    assert 'name="policy"' in page_of(nour, f"/p/bench/stages/{reviews.pk}/")
