"""Nour's judge rates by two question types. In another installation their ids are others: each is found there by its
short name, in what was answered and in what is still to be asked."""

import io

import pytest

from annotation.models import Rating
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from judging.engine import runs
from judging.engine.questions import questions_of
from judging.engine.rereading import reread
from judging.kinds import ShownQuestion, judge_kind
from judging.kinds.pointwise.kind import Pointwise
from judging.kinds.questions import key_in, words_of
from judging.models import Run
from judging.prompts import PromptText
from projects.models import Dimension, Project, QuestionType
from tests.annotation.rated import make_ratings_project, pair_of
from tests.elsewhere import elsewhere
from tests.judging.every_kind import answered_run
from tests.judging.rating import rating_judge

#: What an archive brings gets ids from here on, behind those of what is there: here of one question type.
BEGINNING = 1_000_001


def ratings_of(run: Run) -> list[tuple]:
    ratings = Rating.objects.filter(rater=run.asked_judge.rater)
    return sorted(ratings.values_list("question__slug", "first_grade", "second_grade"), key=str)


def asked(run: Run) -> list[str]:
    """What every call of the run says, in no order."""
    prompt, kind = PromptText.of(run.pinned_prompt), judge_kind(run.asked_judge.kind)
    questions = list(questions_of(run, run.calls.all()))
    assert all(question.is_whole for question in questions)
    said = [kind.messages(prompt, question.material, question.unit, "0" * 16) for question in questions]
    return sorted(each["content"] for messages in said for each in messages)


@pytest.mark.parametrize("kind", ["pointwise", "pairwise"])
def test_a_run_goes_on_and_its_replies_are_read_with_the_questions_that_it_asks(kind, project, provider, tmp_path):
    """The second question's id is the first's there. Their scales have no grade in common."""
    make_ratings_project(project)
    tone = Dimension.objects.create(project=project, slug="tone", name="Tone")
    for pk, slug, lowest in ((BEGINNING, "formality", 1), (BEGINNING + 1, "warmth", 11)):
        scale = {"lowest": lowest, "highest": lowest + 4}
        QuestionType.objects.create(pk=pk, project=project, dimension=tone, slug=slug, name=slug.title(), **scale)
    pair_of(project, "rice")
    judge = rating_judge(project, provider, kind=kind)
    answered = answered_run(judge)
    waiting = runs.create_run(judge, project.responses.all(), round=2)
    before, to_ask = ratings_of(answered), asked(waiting)
    assert {slug for slug, *_grades in before} == {"formality", "warmth"}
    out = io.BytesIO()
    write_archive(project, out)
    with elsewhere(tmp_path):
        other = Project.objects.create(slug="other", name="Other")
        tone = Dimension.objects.create(project=other, slug="tone", name="Tone")
        QuestionType.objects.create(project=other, dimension=tone, slug="x", name="X", lowest=1, highest=2)
        there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue())).project)
        assert QuestionType.objects.get(project=there, slug="formality").pk == BEGINNING + 1
        run, later = Run.objects.filter(judge__project=there).order_by("round")
        counts = reread(run, everything=True)
        assert (counts.same, counts.changes, counts.cannot) == (run.calls.count(), {}, {})
        assert ratings_of(run) == before
        assert asked(later) == to_ask
        # What a new run would be pinned to there is the same prompt, to the letter.
        assert judge_kind(kind).prompt_text(run.asked_judge).sha256 == run.pinned_prompt.text_sha256


OLD = PromptText(
    "pointwise/zero",
    "v1",
    {
        "question 7": "The aspect: Formality (Tone)\n\nGrades go from 1 to 5:",
        "question 8": "The aspect: Warmth (Tone)",
        "question 9": "The aspect: Lack of Warmth (Tone)",
    },
    {"7": {}, "8": {}, "9": {}},
)


@pytest.mark.parametrize(
    ("shown", "key"),
    [
        (ShownQuestion(7, "formality", "Formality", "Tone"), "7"),
        (ShownQuestion(8, "formality", "Formality", "Tone"), "7"),  # carried here from elsewhere
        (ShownQuestion(9, "warmth", "Warmth", "Tone"), "8"),
        (ShownQuestion(9, "lack", "Lack of Warmth", "Tone"), "9"),
        (ShownQuestion(8, "warmth", "Friendliness", "Tone"), "8"),  # renamed since
        (ShownQuestion(10, "later", "Later", "Tone"), None),
    ],
)
def test_a_prompt_from_when_questions_stood_under_their_ids_is_read_by_their_names(shown, key):
    assert key_in(OLD, shown) == key
    assert Pointwise().is_in(OLD, [shown]) == (key is not None)
    if key is not None:
        assert words_of(OLD, shown) == OLD.parts[f"question {key}"]
