"""Nour changes a study that has begun by its file: what may change does, what answers rest on stays."""

import pytest

from annotation.models import ErrorCategory
from formats.project_file.applying import apply_file, create_from_file
from formats.project_file.describing import described, file_of
from formats.project_file.reading import read_yaml
from judging.models import Judge
from projects.models import AuditEvent, GuidelinesVersion, Label, Project, Rater
from providers.endpoints import simulated_provider
from screening.models import Quiz
from tests.annotation.marked import mark
from tests.formats.project_files import HEAD, WHOLE, line_of, refused
from workflow.models import Stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def whole(db) -> Project:
    simulated_provider()
    return create_from_file(WHOLE.encode(), "nile").project


def test_a_part_that_is_left_out_stays_and_an_empty_one_goes(whole):
    apply_file(whole, b"format: mizan.project/1\ncategories: []\nerrors: {}\n")
    now = described(whole)
    assert {"categories", "errors"} & set(now) == set()
    assert now["stages"] == read_yaml(WHOLE.encode())[0]["stages"]


def test_what_changed_is_said_line_by_line(whole, nour):
    changed = WHOLE.replace("name: Spelling", "name: Letters").replace("raters_per_item: 3", "raters_per_item: 4")
    applied = apply_file(whole, changed.encode(), nour)
    assert [str(change) for change in applied.changes] == [
        "~ stages[Marking].raters_per_item: 3 → 4",
        "~ categories[spelling].name: Spelling → Letters",
    ]
    event = AuditEvent.objects.get(project=whole, action="project.file_applied")
    assert event.actor == nour
    assert event.detail["changes"] == [str(change) for change in applied.changes]


def test_a_dry_run_says_the_same_and_changes_nothing(whole):
    changed = WHOLE.replace("name: Spelling", "name: Letters")
    before = file_of(whole)
    assert len(apply_file(whole, changed.encode(), dry_run=True).changes) == 1
    assert file_of(Project.objects.get(pk=whole.pk)) == before
    create_from_file(HEAD.encode(), "tried", dry_run=True)
    assert not Project.objects.filter(slug="tried").exists()


def test_other_guidelines_are_the_next_version(whole, nour):
    apply_file(whole, WHOLE.replace("Once each.", "Twice each.").encode(), nour)
    assert GuidelinesVersion.objects.filter(project=whole).count() == 2
    whole.refresh_from_db()
    assert whole.guidelines_version == 2


CATEGORIES = "format: mizan.project/1\ncategories:\n"
STAGES = "format: mizan.project/1\nstages:\n"


def test_a_category_that_an_error_has_stays_with_its_type_and_depth(project, koshari, mona):
    used = ErrorCategory.objects.create(project=project, slug="used", name="Used", depth="thin")
    ErrorCategory.objects.create(project=project, slug="free", name="Free", depth="thin")
    mark(koshari, mona, "مصرية شعبية", category=used)
    assert refused(CATEGORIES + "- {slug: used, name: Used, depth: thick}\n", project) == [("categories[0].depth", 3)]
    assert refused(CATEGORIES + "- {slug: new, name: New}\n", project) == [("categories", 2)]
    apply_file(project, f"{CATEGORIES}- {{slug: new, name: New}}\n- {{slug: used, name: Anew, depth: thin}}\n".encode())
    assert list(project.error_categories.values_list("slug", "name")) == [("new", "New"), ("used", "Anew")]


def test_a_question_type_that_was_rated_keeps_its_scale(whole, koshari, mona):
    question = whole.question_types.get(slug="score")
    rater = Rater.objects.get(user=mona)
    response = whole.responses.create(
        prompt=whole.prompts.create(key="p", text="x", text_sha256="0" * 64, variety=koshari.variety),
        **{"key": "r", "text": "y", "text_sha256": "0" * 64},
        **{"variety": koshari.variety, "target_model": koshari.target_model},
    )
    rater = whole.raters.create(kind="human", name="Karim")
    question.ratings.create(response=response, rater=rater, first_grade=50)
    shorter = WHOLE.replace("    highest: 100\n", "    highest: 200\n")
    assert refused(shorter, whole) == [("dimensions[0].questions[0].highest", line_of("highest: 100"))]
    apply_file(whole, WHOLE.replace("summary: Nothing is right.", "summary: All is wrong.").encode())
    assert question.levels.get(grade=0).summary == "All is wrong."


def test_a_stage_with_items_stays_with_its_kind_and_seed(project, koshari):
    stage = Stage.objects.create(project=project, kind="spans", name="Held", seed=3)
    item = stage.items.create(response=koshari, variety=koshari.variety, position=1, slots=2, open_slots=2)
    assert refused(STAGES + "- {name: Other, kind: spans}\n", project) == [("stages", 2)]
    changed = STAGES + "- {name: Held, kind: ratings, seed: 4}\n"
    assert refused(changed, project) == [("stages[0].kind", 3), ("stages[0].seed", 3)]
    apply_file(project, (STAGES + "- {name: Held, kind: spans, seed: 3, raters_per_item: 5}\n").encode())
    item.refresh_from_db()
    assert (item.slots, item.open_slots) == (5, 5), "as on the page of the stage"


def test_a_label_is_retired_once_there_are_raters_and_deleted_before(whole):
    fewer = WHOLE.replace("  - {slug: omission, name: Omission, missing: true}\n", "  - {slug: other, name: Other}\n")
    apply_file(whole, fewer.encode())
    assert not Label.objects.filter(project=whole, slug="omission").exists()
    Rater.objects.create(project=whole, kind="human", name="Mona")
    apply_file(whole, WHOLE.encode())
    assert Label.objects.get(project=whole, slug="other").is_retired


def test_a_judge_whose_provider_is_absent_is_left_out_with_what_to_do():
    made = create_from_file(WHOLE.encode(), "nile")
    [note] = made.notes
    assert note.startswith(f"line {line_of('- {name: Simba one')}, judges.judges[0]: This installation has no provider")
    assert "bring the file in once more" in note
    assert not Judge.objects.exists()
    simulated_provider()
    again = apply_file(made.project, WHOLE.encode())
    assert [change.place for change in again.changes] == ["judges"]
    assert Judge.objects.get().rater.name == "Simba one"


def test_a_judge_stays_as_it_was_set_up_and_one_that_is_left_out_rests(whole):
    other = WHOLE.replace("model: simulated-1", "model: simulated-2")
    assert refused(other, whole) == [("judges.judges[0].model", line_of("- {name: Simba one"))]
    apply_file(whole, b"format: mizan.project/1\njudges: {}\n")
    assert not Judge.objects.get().is_active
    assert described(whole)["judges"]["judges"][0]["active"] is False


def test_a_question_of_a_quiz_that_changes_makes_a_new_version(whole):
    quiz = Quiz.objects.get()
    before = quiz.version
    assert quiz.stage.is_screened
    apply_file(whole, WHOLE.replace("right: 'false'", "right: 'true'").encode())
    quiz.refresh_from_db()
    assert quiz.version == before + 1
    assert quiz.questions.get(kind="true_false").content == {"right": True}
    apply_file(whole, WHOLE.replace("right: 'false'", "right: 'true'").encode())
    quiz.refresh_from_db()
    assert quiz.version == before + 1, "the same file again changes nothing"
