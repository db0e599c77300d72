"""Experts' marks whose words stand several times or go over a line end: the page and the files keep their place."""

import pytest

from formats.project_file.part import Findings
from formats.project_file.reading import read_yaml
from formats.project_file.writing import write_yaml
from projects.models import Response
from screening.models import Quiz, QuizQuestion
from screening.project_parts import ScreeningPart
from screening.quiz.files import bring_in, file_of
from screening.quiz.kinds.spans import place_of, written
from tests.people import add_response, signed_in
from tests.workflow.working import marking_stage

pytestmark = pytest.mark.django_db
TEXT = "one two\none\n\nthree"
ONE, OVER_THE_LINE, LAST, APART = [0, 3], [4, 11], [13, 18], [0, 3, 8, 11]
GOLD = [ONE, APART, OVER_THE_LINE, LAST]
LINES = ["[0-3] one", "[0-3 8-11] one … one", "[4-11] two one", "three"]


@pytest.fixture
def stage(project):
    add_response(project, "twice", TEXT, "ar-EG")
    return marking_stage(project)


@pytest.fixture
def sample(stage, project) -> QuizQuestion:
    quiz = Quiz.objects.create(stage=stage, language="ar")
    response = Response.objects.get(project=project, key="twice")
    return QuizQuestion.objects.create(
        quiz=quiz, kind="spans", text="Mark", response=response, content={"gold": GOLD}, position=1
    )


def gold(quiz: Quiz) -> list[list[int]]:
    return quiz.questions.get().content["gold"]


def change(nour, question: QuizQuestion, **fields: str) -> int:
    page = f"/p/feasts/screening/{question.quiz_id}/{question.pk}/"
    return signed_in(nour).post(page, {"text": question.text, "sample": "twice", **fields}).status_code


@pytest.mark.parametrize(("place", "line"), list(zip(GOLD, LINES, strict=True)))
def test_a_place_is_written_so_that_it_is_found_again(place, line):
    assert written(TEXT, place) == line
    assert place_of(TEXT, line) == place


def test_words_that_look_like_a_place_are_found_as_words():
    text = "one [0-3] one [0-3] two"
    assert place_of(text, "[0-3] two") == [14, 23]
    for place in ([14, 23], [4, 13], [3, 4], [0, 3]):
        assert place_of(text, written(text, place)) == place


def test_the_wording_is_changed_and_the_marks_stay(sample, nour):
    assert change(nour, sample, text="Mark all", quotes="\r\n".join(LINES)) == 302
    sample.refresh_from_db()
    assert (sample.text, sample.content) == ("Mark all", {"gold": GOLD})


def test_other_marks_are_written_by_their_place(sample, nour):
    assert change(nour, sample, quotes="three\n[8-11] one") == 302
    assert gold(sample.quiz) == [[8, 11], LAST]


@pytest.mark.parametrize("line", ["one", "[0-3] two", "[0-3]", "[3-0] one", "[0-99] one", "[0-3 one", "[0-3] one …"])
def test_what_has_no_certain_place_is_refused(sample, nour, line):
    assert change(nour, sample, quotes=line) == 422
    assert gold(sample.quiz) == GOLD


def test_stored_marks_are_of_their_sample_alone(sample, nour, project):
    add_response(project, "other", "one two three, two one", "ar-EG")
    assert change(nour, sample, sample="other", quotes="\n".join(LINES)) == 422
    assert gold(sample.quiz) == GOLD


def test_a_quiz_comes_in_from_its_own_file_as_it_went_out(sample, other_project):
    content = file_of(sample.quiz)
    add_response(other_project, "twice", TEXT, "ar-EG")
    made, notes = bring_in(marking_stage(other_project), content, None)
    assert (gold(made), notes) == (GOLD, [])
    assert file_of(made) == content


def test_a_changed_question_comes_in_by_either_file(sample, stage, project):
    content = file_of(sample.quiz).replace(b"text: Mark", b"text: Mark all")
    quiz, _notes = bring_in(stage, content, None)
    assert gold(quiz) == GOLD
    value = ScreeningPart().read(project)
    value["quizzes"][0]["questions"][0]["explanation"] = "So it is."
    findings = Findings({}, None)
    ScreeningPart().write(project, value, findings)
    assert (findings.total, gold(quiz), quiz.questions.get().explanation) == (0, GOLD, "So it is.")


def test_a_file_from_before_places_could_be_named_keeps_what_is_stored(sample, stage):
    data, _lines = read_yaml(file_of(sample.quiz))
    [question] = data["quiz"]["questions"]
    assert question["asks"]["quotes"] == "\n".join(LINES)
    question["asks"]["quotes"] = "one\none … one\ntwo\none\nthree"
    quiz, _notes = bring_in(stage, write_yaml(data), None)
    assert gold(quiz) == GOLD
