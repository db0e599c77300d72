"""Nour writes a quiz: questions of every kind, versions, opening it, and what its results say."""

import json
import uuid

import pytest

from projects.models import AuditEvent, Rater
from reports.ratings.gold import lines
from screening.checks.kinds.ratings import PairChecks
from screening.models import Quiz, QuizQuestion
from screening.quiz.statistics import overview, question_results
from screening.quiz.taking import submit
from tests.annotation.rated import pair_of, question_type, rate
from tests.people import EGYPTIAN, signed_in
from tests.screening.quizzes import SUHOOR, attempt_at, five_statements, right_answers, settle
from tests.workflow.working import marking_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari, mona):
    return marking_stage(project)


@pytest.fixture
def client(nour):
    return signed_in(nour)


@pytest.fixture
def quiz(stage) -> Quiz:
    return Quiz.objects.create(stage=stage, language="ar")


def add(client, quiz: Quiz, kind: str, **fields):
    return client.post(f"/p/feasts/screening/{quiz.pk}/add/{kind}/", {"text": "Well?", **fields})


def test_a_new_quiz_comes_with_the_presets(client, stage):
    page = client.get("/p/feasts/screening/new/").content.decode()
    for value in ("80", "3", "50"):
        assert f'value="{value}"' in page
    values = {"pass_mark": 80, "attempts_allowed": 3, "tolerance": 1, "span_f1": 50, "verdict_share": 80}
    assert client.post("/p/feasts/screening/new/", {"stage": stage.pk, "language": "ar", **values}).status_code == 302
    assert Quiz.objects.get().is_open is False
    again = client.post("/p/feasts/screening/new/", {"stage": stage.pk, "language": "ar", **values})
    assert "has a quiz for this language already" in again.content.decode()
    assert client.post("/p/feasts/screening/new/", {"stage": stage.pk, **values, "pass_mark": 101}).status_code == 422


def test_statements_and_choices(client, quiz):
    add(client, quiz, "true_false", right="false")
    add(client, quiz, "choice", right="Rice\nLentils\n\n", wrong="Fish")
    statement, choice = quiz.questions.all()
    assert statement.content == {"right": False}
    texts = [(option["text"], option["right"]) for option in choice.content["options"]]
    assert texts == [("Rice", True), ("Lentils", True), ("Fish", False)]
    assert add(client, quiz, "choice", right="Rice", wrong="Rice").status_code == 422
    page = client.get(f"/p/feasts/screening/{quiz.pk}/{choice.pk}/").content.decode()
    assert "Rice\nLentils" in page
    assert client.get(f"/p/feasts/screening/{quiz.pk}/add/essay/").status_code == 404


def test_a_sample_takes_its_gold_from_the_experts(client, project, quiz, hana, mona):
    question = question_type(project)
    pair = pair_of(project, "p1", question=question)
    fields = {"sample": "p1", "question_type": question.pk}
    assert "No expert has rated this yet" in add(client, quiz, "rating", **fields).content.decode()
    rate(pair, mona, question, 1, 1)  # Mona is no expert
    rate(pair, hana, question, 4, 2)
    add(client, quiz, "rating", **fields)
    [sample] = quiz.questions.all()
    assert (sample.pair, sample.content) == (pair, {"gold": {"first": 4.0, "second": 2.0, "preference": ""}})
    assert add(client, quiz, "rating", **fields, first=6, second=2).status_code == 422  # off the scale
    assert add(client, quiz, "rating", **fields, first=3).status_code == 422  # and of the second?
    assert add(client, quiz, "rating", **fields | {"sample": "nowhere"}).status_code == 422


def test_a_fraction_anywhere_makes_the_mean_of_experts_the_gold_of_a_sample_and_of_a_check(
    client, project, quiz, mona, hana
):
    """Of the experts' 5, 5 and 2 most is 5, and the mean 4. That Mona once gave 3.5, to another pair, says that grades
    of this question type are no whole numbers: a quiz and a check hold people to the 4 that the gold file tells."""
    question = question_type(project)
    pair, other = (pair_of(project, key, question=question) for key in ("p1", "p2"))
    samir, zeinab = (
        Rater.objects.create(project=project, kind="human", name=name, is_expert=True) for name in ("Samir", "Zeinab")
    )
    for expert, grade in ((hana, 5), (samir, 5), (zeinab, 2)):
        rate(pair, expert, question, grade, grade)
    fields = {"sample": "p1", "question_type": question.pk}
    add(client, quiz, "rating", **fields)
    rate(other, mona, question, 3, 3.5)
    add(client, quiz, "rating", **fields)
    whole, of_fractions = (sample.content["gold"]["first"] for sample in quiz.questions.order_by("pk"))
    assert (whole, of_fractions) == (5, 4)
    [of_check] = PairChecks().gold(quiz.stage, [pair.pk])[pair.pk]["ratings"]
    [in_file] = [line["gold"][0] for line in map(json.loads, lines(project)) if line.get("id") == "p1"]
    assert of_check["first"] == in_file["first"] == 4


def test_a_sample_to_mark_takes_settled_errors_or_quotes(client, project, quiz, koshari):
    start = EGYPTIAN.index(SUHOOR)
    assert "not settled yet" in add(client, quiz, "spans", sample="koshari").content.decode()
    assert add(client, quiz, "spans", sample="koshari", quotes="not in it").status_code == 422
    assert add(client, quiz, "spans", sample="koshari", quotes=SUHOOR, no_errors="on").status_code == 422
    add(client, quiz, "spans", sample="koshari", quotes=SUHOOR)
    add(client, quiz, "spans", sample="koshari", no_errors="on")
    settle(koshari, SUHOOR, "الفراعنة.")
    add(client, quiz, "spans", sample="koshari")
    typed, none, settled = (question.content["gold"] for question in quiz.questions.all())
    assert typed == [[start, start + len(SUHOOR)]]
    assert none == []
    assert len(settled) == 2
    assert settled[0] == typed[0]


def test_what_changes_a_mark_makes_a_new_version(client, quiz):
    add(client, quiz, "true_false", right="true")
    url = f"/p/feasts/screening/{quiz.pk}/settings/"
    values = {"pass_mark": 80, "attempts_allowed": 3, "tolerance": 1, "span_f1": 50, "verdict_share": 80}
    versions = []
    for change in ({}, {"retraining": "Read."}, {"attempts_allowed": 5}, {"pass_mark": 90}):
        values |= change
        client.post(url, values)
        versions.append(Quiz.objects.get().version)
    assert versions == [2, 2, 2, 3]  # the first question made the second version
    assert AuditEvent.objects.filter(action__startswith="quiz.").count() == 4


def test_a_quiz_without_questions_is_not_opened_and_an_open_one_keeps_its_last(client, quiz):
    url = f"/p/feasts/screening/{quiz.pk}/"
    client.post(f"{url}open/", {"open": "1"})
    assert not Quiz.objects.get().is_open
    add(client, quiz, "true_false", right="true")
    client.post(f"{url}open/", {"open": "1"})
    assert Quiz.objects.get().is_open
    client.post(f"{url}{quiz.questions.get().pk}/delete/")
    assert quiz.questions.count() == 1
    client.post(f"{url}open/", {"open": "0"})
    client.post(f"{url}{quiz.questions.get().pk}/delete/")
    assert quiz.questions.count() == 0


def test_questions_change_places(client, stage):
    quiz = five_statements(stage)
    last = quiz.questions.last()
    client.post(f"/p/feasts/screening/{quiz.pk}/{last.pk}/move/", {"to": "up"})
    client.post(f"/p/feasts/screening/{quiz.pk}/{quiz.questions.first().pk}/move/", {"to": "up"})
    assert [each.text[-1] for each in quiz.questions.all()] == ["1", "2", "3", "5", "4"]


def test_results_say_how_each_question_was_answered(client, stage, mona, karim):
    """Mona answers all five rightly, Karim none; then question 1 gets another wording."""
    quiz = five_statements(stage)
    for someone, wrong in ((mona, 0), (karim, 5)):
        attempt = attempt_at(quiz, someone)
        submit(attempt, uuid.uuid4(), right_answers(attempt, wrong))
    assert [(each.right.value, each.right.n) for each in question_results(quiz)] == [(0.5, 2)] * 5
    first = quiz.questions.first()
    url = f"/p/feasts/screening/{quiz.pk}/"
    client.post(f"{url}{first.pk}/", {"text": "Another", "right": "true"})
    assert [each.right.n for each in question_results(quiz)] == [0, 2, 2, 2, 2]
    [row] = overview([quiz])
    assert (row.questions, row.tried, row.passed, row.stuck) == (5, 2, 1, 0)
    page = client.get(f"{url}results/").content.decode()
    assert mona.raters.get().pseudonym in page
    assert "Mona" not in page
    assert "no answers yet" in page


def test_the_list_costs_no_more_for_more_quizzes(client, project, stage, django_assert_max_num_queries):
    for language in ("ar", "bn", "ko", "id", ""):
        five_statements(stage, language=language)
    with django_assert_max_num_queries(10):
        client.get("/p/feasts/screening/")


def test_the_preview_shows_all_kinds_and_stores_nothing(client, project, quiz, koshari):
    pair = pair_of(project, "p1", question=question_type(project))
    add(client, quiz, "rating", sample="p1", question_type=pair.prompt.question_id, first=4, second=2)
    add(client, quiz, "spans", sample="koshari", quotes=SUHOOR)
    add(client, quiz, "true_false", right="true")
    page = client.get(f"/p/feasts/screening/{quiz.pk}/preview/")
    assert page.status_code == 200
    assert QuizQuestion.objects.count() == 3
    assert quiz.attempts.count() == 0
