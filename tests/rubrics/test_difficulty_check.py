"""A prompt is tried once on a model before it is frozen; what the model said is kept nowhere."""

import pytest

from projects.anchors import sha256
from projects.problems import Invalid
from rubrics.authoring import difficulty
from rubrics.models import DifficultyCheck, Rubric, RubricSettings
from tests.people import signed_in
from tests.rubrics.writing import PROMPT, authoring_stage, begun_by, call, draft, freeze, problems, task_of, tried
from workflow.models import Assignment

pytestmark = pytest.mark.django_db
REVISED = PROMPT + " وليه بيتاكل بالليل؟"


@pytest.fixture
def mine(project, salma) -> Assignment:
    return begun_by(salma, authoring_stage(project))


@pytest.fixture
def client(salma):
    return signed_in(salma)


def by_hand(client, mine, outcome="partial", prompt=PROMPT, model="Nile-7B"):
    return call(client, mine, "difficulty", prompt=prompt, model=model, outcome=outcome)


def test_by_hand_the_author_names_the_model_and_the_outcome(client, mine):
    answer = by_hand(client, mine)
    assert answer.status_code == 200
    check = DifficultyCheck.objects.get()
    assert (check.model, check.outcome, check.by_hand, check.prompt_sha256) == (
        "Nile-7B",
        "partial",
        True,
        sha256(PROMPT),
    )
    assert answer.json()["difficulty"] == difficulty.as_json(check)
    assert task_of(client, mine)["checks"] == [difficulty.as_json(check)]


def test_nothing_has_room_for_what_the_model_said():
    fields = {field.name for field in DifficultyCheck._meta.get_fields()}
    assert fields == {
        *("id", "assignment", "prompt_sha256", "model", "by_hand", "asked_at", "outcome", "marked_at"),
    }


def test_one_text_is_tried_once(client, mine):
    by_hand(client, mine, "failed")
    assert problems(by_hand(client, mine, "partial")) == {("prompt", "tried_already")}
    assert problems(by_hand(client, mine, "failed", model="Delta-9B")) == {("prompt", "tried_already")}
    assert DifficultyCheck.objects.get().outcome == "failed"


def test_a_resend_is_answered_as_the_first_was(client, mine):
    first, second = by_hand(client, mine), by_hand(client, mine)
    assert first.json() == second.json()


def test_another_rubric_tries_the_same_text_for_itself(client, mine, salma):
    by_hand(client, mine)
    other = begun_by(salma, mine.stage)
    assert by_hand(client, other).status_code == 200


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        ({"prompt": " "}, ("prompt", "required")),
        ({"model": " "}, ("model", "required")),
        ({"outcome": "great"}, ("outcome", "unknown")),
        ({"outcome": ""}, ("outcome", "unknown")),
        ({"prompt": 5}, ("prompt", "not_text")),
    ],
)
def test_what_is_no_check_is_refused_and_not_stored(client, mine, sent, refused):
    payload = {"prompt": PROMPT, "model": "Nile-7B", "outcome": "partial"} | sent
    assert problems(call(client, mine, "difficulty", **payload)) == {refused}
    assert not DifficultyCheck.objects.exists()


def test_nobody_checks_the_rubric_of_another(mine, zaid, nour, mona):
    for person in (zaid, nour, mona):
        assert by_hand(signed_in(person), mine).status_code == 404
    assert not DifficultyCheck.objects.exists()


# --- At the freeze ------------------------------------------------------------------------------------------


def test_without_a_check_there_is_no_freeze(client, mine):
    assert problems(freeze(client, mine, draft())) == {("difficulty", "required")}


def test_a_prompt_changed_since_is_checked_again(client, mine):
    tried(mine)
    assert problems(freeze(client, mine, draft(prompt=REVISED))) == {("difficulty", "prompt_changed")}
    tried(mine, prompt=REVISED)
    assert freeze(client, mine, draft(prompt=REVISED)).status_code == 200


def test_a_prompt_answered_perfectly_is_not_frozen_until_revised_and_checked_again(client, mine):
    tried(mine, "perfect")
    answer = freeze(client, mine, draft())
    assert problems(answer) == {("difficulty", "too_easy")}
    assert "Revise the prompt and check it again, or discard it" in answer.json()["error"]["problems"][0]["message"]
    tried(mine, "failed", REVISED)
    assert problems(freeze(client, mine, draft())) == {("difficulty", "too_easy")}
    assert freeze(client, mine, draft(prompt=REVISED)).status_code == 200
    assert Rubric.objects.get().difficulty["outcome"] == "failed"


def test_a_perfect_answer_blocks_even_where_no_check_was_asked_for(client, mine, project):
    RubricSettings.objects.create(project=project, needs_difficulty_check=False)
    tried(mine, "perfect")
    assert problems(freeze(client, mine, draft())) == {("difficulty", "too_easy")}


def test_a_project_may_do_without(client, mine, project):
    RubricSettings.objects.create(project=project, needs_difficulty_check=False)
    assert freeze(client, mine, draft()).status_code == 200
    assert Rubric.objects.get().difficulty == {}


# --- Asked from here ------------------------------------------------------------------------------------------


@pytest.fixture
def asker(monkeypatch):
    """A room above that asks the project's model, as it would register itself."""
    monkeypatch.setattr(difficulty, "_askers", [])
    difficulty.register_asker(lambda assignment: {"model": "Delta-9B", "url": f"/ask/{assignment.stage.project.slug}"})


def test_the_screen_learns_which_model_is_asked_and_where(client, mine, asker):
    assert task_of(client, mine)["asker"] == {"model": "Delta-9B", "url": "/ask/feasts"}


def test_the_author_marks_what_the_model_answered(client, mine):
    check = difficulty.begin(mine, PROMPT, "Delta-9B", by_hand=False)
    assert problems(freeze(client, mine, draft())) == {("difficulty", "unmarked")}
    answer = call(client, mine, "difficulty/mark", check=check.pk, outcome="failed")
    assert answer.json()["difficulty"]["outcome"] == "failed"
    assert freeze(client, mine, draft()).status_code == 200


def test_a_mark_stays(client, mine):
    check = difficulty.begin(mine, PROMPT, "Delta-9B", by_hand=False)
    call(client, mine, "difficulty/mark", check=check.pk, outcome="perfect")
    assert call(client, mine, "difficulty/mark", check=check.pk, outcome="perfect").status_code == 200
    answer = call(client, mine, "difficulty/mark", check=check.pk, outcome="failed")
    assert problems(answer) == {("outcome", "marked_already")}
    check.refresh_from_db()
    assert check.outcome == "perfect"


def test_the_check_of_another_rubric_cannot_be_marked(client, mine, salma, zaid):
    theirs = difficulty.begin(begun_by(zaid, mine.stage), PROMPT, "Delta-9B", by_hand=False)
    assert call(client, mine, "difficulty/mark", check=theirs.pk, outcome="failed").status_code == 404
    theirs.refresh_from_db()
    assert theirs.outcome == ""


def test_a_second_question_with_the_same_text_is_refused(mine):
    difficulty.begin(mine, PROMPT, "Delta-9B", by_hand=False)
    with pytest.raises(Invalid, match="tried once"):
        difficulty.begin(mine, PROMPT, "Nile-7B", by_hand=False)


def test_where_the_model_gave_no_answer_the_text_is_tried_again(mine):
    check = difficulty.begin(mine, PROMPT, "Delta-9B", by_hand=False)
    difficulty.withdraw(check)
    assert difficulty.state(mine, PROMPT) is None
    again = difficulty.begin(mine, PROMPT, "Delta-9B", by_hand=False)
    difficulty.mark(again, "perfect")
    difficulty.withdraw(again)
    assert difficulty.state(mine, PROMPT)["outcome"] == "perfect"
