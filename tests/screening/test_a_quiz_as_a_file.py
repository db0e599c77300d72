"""Nour takes her quiz along as a file and brings it into another project; a vendor sends one that is wrong."""

from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from screening.models import Quiz, QuizQuestion
from screening.quiz.files import bring_in, file_of
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from tests.screening.quizzes import SUHOOR, attempt_at, choice, five_statements
from tests.workflow.working import marking_stage
from workflow.models import Stage

pytestmark = pytest.mark.django_db
FROM_FILE = "/p/feasts/screening/from-file/"


@pytest.fixture
def stage(project, koshari) -> Stage:
    return marking_stage(project)


@pytest.fixture
def quiz(stage, koshari) -> Quiz:
    quiz = five_statements(stage, language="ar", step=2, pass_mark=70, introduction="## أهلا 🍚\n\nاقرأ.")
    choice(quiz, "Which one?", ["«رمضان»", "- العيد"], ["no", "1"], position=6)
    start = koshari.text.index(SUHOOR)
    QuizQuestion.objects.create(
        quiz=quiz, kind="spans", text="Mark it", response=koshari, position=7,
        content={"gold": [[start, start + len(SUHOOR)]]},
    )  # fmt: skip
    return quiz


def asked(quiz: Quiz) -> list[tuple]:
    return list(quiz.questions.order_by("position").values_list("kind", "text", "content", "explanation"))


def upload(client, stage: Stage, content: bytes):
    return client.post(FROM_FILE, {"stage": stage.pk, "file": SimpleUploadedFile("quiz.yaml", content)})


def test_a_quiz_goes_into_another_project_as_it_is(quiz, other_project, nour):
    taken = signed_in(nour).get(f"/p/feasts/screening/{quiz.pk}/file/")
    assert taken["Content-Disposition"].endswith(f'feasts-quiz-{quiz.pk}.yaml"')
    assert b"open" not in taken.content.split(b"questions:")[0]
    add_response(other_project, "koshari", EGYPTIAN, "ar-EG")
    made, notes = bring_in(marking_stage(other_project), taken.content, None)
    assert notes == []
    assert (made.is_open, made.language, made.step, made.pass_mark) == (False, "ar", 2, 70)
    assert made.introduction == quiz.introduction
    assert asked(made) == asked(quiz)
    assert file_of(made) == file_of(quiz), "but for the stage, which has the same name here"


def test_a_sample_that_the_project_has_not_is_left_out_with_a_note(quiz, other_project):
    made, notes = bring_in(marking_stage(other_project), file_of(quiz), None)
    assert len(notes) == 1
    assert made.questions.count() == 6


def test_the_same_file_again_changes_nothing_and_a_newer_one_renews(quiz, stage, nour, mona):
    attempt_at(quiz, mona)
    content, version = file_of(quiz), quiz.version
    assert upload(signed_in(nour), stage, content).status_code == 302
    quiz.refresh_from_db()
    assert (quiz.version, quiz.is_open, Quiz.objects.count()) == (version, True, 1)
    newer = content.replace(b"pass_mark: 70", b"pass_mark: 90")
    assert upload(signed_in(nour), stage, newer).status_code == 302
    quiz.refresh_from_db()
    assert (quiz.pass_mark, quiz.is_open, Quiz.objects.count()) == (90, True, 1)
    assert quiz.version > version


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "This is no quiz"),
        (b"PK\x03\x04", "not YAML"),
        (b"[1, 2]", "This is no quiz"),
        (b"format: mizan.project/1\nscreening: {}\n", "This is no quiz"),
        (b"format: mizan.quiz/1\nquiz: {stage: A, colour: red}\n", "line 2, quiz.colour"),
        (b"format: mizan.quiz/1\nquiz: {stage: A, pass_mark: 101}\n", "line 2, quiz.pass_mark"),
        (
            b"format: mizan.quiz/1\nquiz:\n  stage: A\n  questions:\n  - {kind: choice, text: x, asks: {right: a}}\n",
            "line 5",
        ),
        (b"format: mizan.quiz/1\nquiz: &a {stage: *a}\n", "Anchors"),
        ("format: mizan.quiz/1\n".encode("utf-16"), "not UTF-8"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line_and_leaves_nothing(stage, nour, content, said):
    answer = upload(signed_in(nour), stage, content)
    assert answer.status_code == 422
    if content:
        assert said in answer.content.decode()
    assert not Quiz.objects.exists()


def test_the_right_answers_are_for_leads_of_the_project_alone(quiz, stage, mona, other_project, omar):
    address = f"/p/feasts/screening/{quiz.pk}/file/"
    stranger = join(person("lead2@example.org", "Other Lead"), other_project, "lead")
    for client in (signed_in(mona), signed_in(stranger), signed_in(omar)):
        assert client.get(address).status_code in (403, 404)
        assert upload(client, stage, file_of(quiz)).status_code in (403, 404)
    assert Quiz.objects.count() == 1


# --- By API and command ---------------------------------------------------------------------------------

API = "/api/v1/projects/feasts/quizzes/"


def put(client, content: bytes, stage: str = "Marking", **more):
    return client.put(f"{API}file/?{urlencode({'stage': stage, **more})}", content, content_type="application/yaml")


def test_programs_take_a_quiz_and_bring_it_in(quiz, stage, nour, mona):
    lead = signed_in(nour)
    [listed] = lead.get(API).json()["quizzes"]
    assert listed == {"id": quiz.pk, "stage": "Marking", "language": "ar", "step": 2, "open": True}
    content = lead.get(f"{API}{quiz.pk}/file/").content
    assert content == file_of(quiz)
    newer = content.replace(b"pass_mark: 70", b"pass_mark: 90")
    assert put(lead, newer, dry_run="1").json() == {"id": None, "notes": []}
    quiz.refresh_from_db()
    assert quiz.pass_mark == 70
    assert put(lead, newer).json() == {"id": quiz.pk, "notes": []}
    quiz.refresh_from_db()
    assert (quiz.pass_mark, quiz.is_open) == (90, True)
    assert put(signed_in(mona), content).status_code == 404


@pytest.mark.parametrize(
    ("content", "stage_name", "said"),
    [
        (b"format: mizan.quiz/1\nquiz: {stage: A, pass_mark: 101}\n", "Marking", "quiz.pass_mark"),
        (b"", "Marking", "This is no quiz"),
        (b"format: mizan.quiz/1\nquiz: {stage: A}\n", "Nowhere", "no stage"),
        (b"format: mizan.quiz/1\nquiz: {stage: A}\n", "", "no stage"),
        (b"x" * 6_000_000, "Marking", "5 MB"),
    ],
)
def test_a_program_is_told_what_is_wrong_and_nothing_comes_in(stage, nour, content, stage_name, said):
    answer = put(signed_in(nour), content, stage_name)
    assert answer.status_code in (413, 422)
    assert said in answer.content.decode()
    assert not Quiz.objects.exists()


def test_by_command_from_file_to_file(quiz, stage, tmp_path, capsys):
    content, path = file_of(quiz), tmp_path / "quiz.yaml"
    place = ("--stage", "Marking", "--language", "ar", "--step", "2")
    call_command("export_quiz", "feasts", *place, "--to", str(path))
    assert path.read_bytes() == content
    call_command("export_quiz", "feasts", *place)
    assert capsys.readouterr().out == content.decode()
    Quiz.objects.all().delete()
    call_command("import_quiz", str(path), "--project", "feasts", "--stage", "Marking", "--dry-run")
    assert not Quiz.objects.exists()
    call_command("import_quiz", str(path), "--project", "feasts", "--stage", "Marking")
    assert file_of(Quiz.objects.get()) == content


@pytest.mark.parametrize(
    "command",
    [
        ("export_quiz", "feasts", "--stage", "Marking"),
        ("export_quiz", "nowhere", "--stage", "Marking"),
        ("import_quiz", "/dev/null", "--project", "feasts", "--stage", "Marking"),
        ("import_quiz", "/nowhere.yaml", "--project", "feasts", "--stage", "Marking"),
        ("import_quiz", "/dev/null", "--project", "feasts", "--stage", "Other"),
    ],
)
def test_a_command_says_what_it_could_not_do(stage, command):
    with pytest.raises(CommandError):
        call_command(*command)
