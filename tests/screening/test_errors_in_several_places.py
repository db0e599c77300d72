"""Quizzes and checks know an error in several places as one, which is found in part or as a whole."""

import uuid

import pytest

from annotation.models import GoldError
from projects.models import Response
from screening.checks.kinds.spans import SpanChecks
from screening.expert_gold import gold_places
from screening.models import CheckResult, CheckSettings, GoldCheck, QuizQuestion
from screening.quiz.taking import questions_of
from screening.quiz.taking import submit as hand_in
from screening.scoring import in_words, score_places, taken_together
from tests.annotation.marked import rater_of
from tests.people import EGYPTIAN, add_response, signed_in
from tests.screening.quizzes import attempt_at, open_up, settle
from tests.screening.test_checks_in_the_work import next_check
from tests.screening.test_write_a_quiz import add, client, quiz, stage  # noqa: F401
from tests.workflow.working import body, mark
from workflow.planning import plan_items
from workflow.submission import submit

pytestmark = pytest.mark.django_db
RICE, SUHOOR, PHARAOHS = "الرز", "السحور", "الفراعنة"
TOGETHER = f"{RICE} … {SUHOOR} … {PHARAOHS}"
TEXT = "He gave the idea up at once."
GAVE, IDEA, UP = (3, 7), (12, 16), (17, 19)


def place(*quotes: str) -> list[int]:
    return [at for quote in quotes for at in (EGYPTIAN.index(quote), EGYPTIAN.index(quote) + len(quote))]


def settle_apart(response: Response, head: str, *more: str) -> None:
    """Settled is one error at all of these words."""
    settle(response, head)
    parts = [{"start": at, "end": at + len(quote), "quote": quote} for quote in more for at in [EGYPTIAN.index(quote)]]
    GoldError.objects.filter(response=response).update(provenance={"more": parts})


# --- How near an answer comes, by hand ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ([(*GAVE, *UP)], 1.0),
        ([GAVE], 1.0),  # 1 of 2 words, above 0.15
        ([(3, 19)], 1.0),  # 2 of 4 words
        ([IDEA], 0.0),  # between its places there is nothing of it
        ([(*GAVE, *UP), IDEA], 2 / 3),  # P = 1/2, R = 1
    ],
)
def test_all_places_of_an_error_count_as_one(given, value):
    score = score_places(TEXT, "space", [(*GAVE, *UP)], given, 0.5)
    assert score.value == pytest.approx(value)
    assert score.parts["gold"] == 1


def test_marks_on_the_places_of_one_error_are_taken_together_and_others_are_left():
    seven = [at for start in range(0, 28, 4) for at in (start, start + 1)]
    given = [(start, start + 1) for start in range(0, 28, 4)]
    [together] = taken_together(given, [seven])
    assert list(together) == seven, "each alone would share 1 of 7 words with it, which is no match"
    assert taken_together([GAVE, IDEA, UP], [(*GAVE, *UP), IDEA]) == [[*GAVE, *UP], IDEA]
    assert taken_together([GAVE, UP], [GAVE, UP]) == [GAVE, UP]


# --- Quizzes -----------------------------------------------------------------------------------------------


def test_a_sample_takes_settled_errors_with_all_places(client, quiz, koshari, mona):  # noqa: F811
    settle_apart(koshari, RICE, SUHOOR, PHARAOHS)
    add(client, quiz, "spans", sample="koshari")
    question = QuizQuestion.objects.get(quiz=quiz, kind="spans")
    assert question.content == {"gold": [place(RICE, SUHOOR, PHARAOHS)]}
    assert in_words(EGYPTIAN, question.content["gold"][0]) == TOGETHER
    html = client.get(f"/p/feasts/screening/{quiz.pk}/{question.pk}/").content.decode()
    assert TOGETHER in html, "as it would be written anew"


def test_a_lead_writes_the_places_of_an_error_on_one_line(client, quiz, koshari):  # noqa: F811
    add(client, quiz, "spans", sample="koshari", quotes=f"{PHARAOHS} …{RICE}… {SUHOOR}\nرمضان")
    question = QuizQuestion.objects.get(quiz=quiz, kind="spans")
    assert question.content["gold"] == sorted([place("رمضان"), place(RICE, SUHOOR, PHARAOHS)])
    assert add(client, quiz, "spans", sample="koshari", quotes=f"{RICE} … ful").status_code == 422
    assert add(client, quiz, "spans", sample="koshari", quotes=f"{RICE} … ").status_code == 422


def test_whoever_chooses_the_words_of_every_place_has_found_the_error(client, quiz, koshari, mona):  # noqa: F811
    settle_apart(koshari, RICE, SUHOOR, PHARAOHS)
    add(client, quiz, "spans", sample="koshari")
    open_up(quiz)
    attempt = attempt_at(quiz, mona)
    answer = {"places": [place(RICE), place(SUHOOR), place(PHARAOHS)], "no_errors": False}
    hand_in(attempt, uuid.uuid4(), {questions_of(attempt)[0].position: answer})
    [question] = questions_of(attempt)
    assert question.parts == {"gold": 1, "marked": 1, "matched": 1, "f1": 1.0}


# --- Checks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("quotes", "score"), [((RICE, PHARAOHS), 1.0), ((SUHOOR,), 1.0), (("رمضان",), 0.0)])
def test_a_check_holds_all_places_and_an_answer_too(stage, koshari, nour, mona, quotes, score):  # noqa: F811
    for number in range(20):
        add_response(koshari.project, f"item-{number}", f"كلمة كلمتان{number}", "ar-EG")
    plan_items(stage)
    stage.items.filter(response=koshari).delete()  # nobody is checked by what they have had as an item
    settle_apart(koshari, RICE, SUHOOR, PHARAOHS)
    signed_in(nour).post(f"/p/feasts/checks/{stage.pk}/add/", {"subject": [koshari.pk]})
    check = GoldCheck.objects.get()
    assert check.gold == {"places": [place(RICE, SUHOOR, PHARAOHS)]}
    CheckSettings.objects.update_or_create(stage=stage, defaults={"share": 50})
    rater = rater_of(mona, koshari.project)
    stage.refresh_from_db()  # it is screened now
    turn = next_check(rater, stage)
    more = [mark(koshari, quote) for quote in quotes[1:]]
    further = [{name: part[name] for name in ("start", "end", "quote")} for part in more]
    submit(turn, uuid.uuid4(), 0, body({**mark(koshari, quotes[0]), **({"more": further} if further else {})}))
    result = CheckResult.objects.get()
    assert result.score == score
    [compared] = SpanChecks().compared([result])[result.pk]
    assert (compared.own, compared.gold) == ([" … ".join(quotes)], [TOGETHER])


def test_the_places_of_settled_errors_cost_no_statement(koshari, django_assert_num_queries):
    settle_apart(koshari, RICE, SUHOOR)
    with django_assert_num_queries(2):  # what is settled, and its errors
        assert gold_places([koshari.pk]) == {koshari.pk: [place(RICE, SUHOOR)]}
