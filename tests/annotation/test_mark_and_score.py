"""Error Span Annotation in one task: Mona marks the errors of a response and scores all of it in the same answer."""

import io
import json

import pytest
from django.core.management import call_command
from django.db import IntegrityError

from annotation.models import CheckMarking, Marking, Rating, Span
from annotation.spans.scoring import score_question
from formats.importing.running import run_import
from formats.project_file.applying import apply_file
from formats.project_file.describing import file_of
from formats.reading import Source
from projects.creation import create_project
from projects.models import Project
from projects.problems import Invalid
from reports import frames
from reports.dashboard.tables import by_id
from reports.frames import ratings
from reports.ratings.dashboard import RATINGS
from reports.ratings.reader import load
from reports.ratings.scope import RatingScope
from reports.spans.dashboard import SPANS
from tests.annotation.rated import question_type
from tests.people import EGYPTIAN, add_response, join, person, signed_in
from tests.workflow.working import put_draft, submit
from workflow.claims import claim_next
from workflow.models import Assignment, Draft
from workflow.planning import plan_items
from workflow.reassignment import amend
from workflow.task_types import task_type

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(db) -> Project:
    project = create_project(Project(slug="esa", name="ESA", preset="esa"), None)
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    return project


@pytest.fixture
def stage(study):
    stage = study.stages.get()
    assert plan_items(stage) == 1
    return stage


@pytest.fixture
def translator(study):
    return join(person("mona@x.org", "Mona Adel"), study, "annotator", varieties=("ar-EG",))


@pytest.fixture
def turn(stage, translator):
    return claim_next(translator.raters.get(), stage)


def span(quote: str, **said) -> dict:
    start = EGYPTIAN.index(quote)
    place = {"id": f"m{start}", "start": start, "end": start + len(quote), "quote": quote}
    return {**place, "criticality": "major", "explanation": "Nobody says so.", **said}


def body(*spans: dict, score: object = None) -> dict:
    return {"no_errors": not spans, "spans": list(spans), "score": score}


def codes(answer) -> list[tuple]:
    return [(problem["field"], problem["code"]) for problem in answer.json()["error"]["problems"]]


def test_marks_and_score_are_one_answer(turn, translator, study):
    answer = submit(signed_in(translator), turn, 0, body(span("السحور"), score=71))
    assert answer.status_code == 200, answer.content
    rating = Rating.objects.get()
    assert (rating.first_grade, rating.question, rating.assignment) == (71, study.question_types.get(), turn)
    assert Marking.objects.get().assignment == rating.assignment
    assert claim_next(translator.raters.get(), turn.stage) is None


def test_a_response_without_errors_is_scored_as_well(turn, translator):
    client = signed_in(translator)
    assert codes(submit(client, turn, 0, body())) == [("score", "required")]
    assert not Marking.objects.exists()
    assert submit(client, turn, 0, body(score=100)).status_code == 200
    assert (Marking.objects.get().no_errors, Rating.objects.get().first_grade) == (True, 100)


@pytest.mark.parametrize("score", [-1, 101, 50.5, "50", True])
def test_a_score_off_the_scale_is_not_even_kept_as_a_draft(turn, translator, score):
    answer = put_draft(signed_in(translator), turn, 0, body(score=score))
    assert answer.status_code == 422
    assert [field for field, _code in codes(answer)] == ["score"]
    assert not Draft.objects.exists()


def test_a_draft_keeps_the_score_while_marks_are_missing(turn, translator):
    client = signed_in(translator)
    assert put_draft(client, turn, 0, body(score=40)).status_code == 200
    assert Draft.objects.get().body == body(score=40)
    assert put_draft(client, turn, 1, {"no_errors": False, "spans": []}).status_code == 200
    assert Draft.objects.get().body["score"] is None


def test_an_answer_taken_back_brings_marks_and_score_into_the_draft(turn, translator):
    submit(signed_in(translator), turn, 0, body(span("السحور"), score=71))
    kind = task_type("spans")
    turn = Assignment.objects.get(pk=turn.pk)
    stored = kind.stored(turn)
    assert kind.reopen(turn) == stored
    assert (stored["score"], [each["quote"] for each in stored["spans"]]) == (71, ["السحور"])
    assert not Rating.objects.exists()
    assert not Span.objects.exists()
    kind.store(turn, stored)
    assert kind.stored(turn) == stored


def test_agreement_counts_the_first_score_and_everything_else_the_last(turn, translator, study):
    submit(signed_in(translator), turn, 0, body(span("السحور"), score=71))
    amend(Assignment.objects.select_related("stage", "item__response").get(pk=turn.pk))
    submit(signed_in(translator), turn, Draft.objects.get().version, body(score=100))
    [variety] = study.responses.values_list("variety", flat=True)
    loaded = load(study, [variety], RatingScope())
    assert loaded.grades.grade.tolist() == [100]
    assert loaded.at_first.grades.grade.tolist() == [71]
    told = ratings(study)
    assert told[told.is_first].grade.tolist() == [71]
    assert len(told) == ratings.count(study) == 2


def test_what_was_scored_elsewhere_is_neither_given_nor_stored(turn, translator, study, stage):
    """Marks are not stored without their score: both stand or fall together."""
    rater = translator.raters.get()
    Rating.objects.create(
        question=study.question_types.get(), response=study.responses.get(), rater=rater, first_grade=5
    )
    answer = submit(signed_in(translator), turn, 0, body(span("السحور"), score=71))
    assert codes(answer) == [("score", "rated_before")]
    assert not Marking.objects.exists()
    turn.delete()
    stage.items.update(open_slots=1)
    assert claim_next(rater, stage) is None


def test_a_stage_that_asks_for_no_score_takes_none(turn, translator, stage):
    stage.scored_on = None
    stage.save()
    client = signed_in(translator)
    assert codes(put_draft(client, turn, 0, body(score=3))) == [("score", "unknown_question")]
    assert put_draft(client, turn, 0, {"no_errors": True, "spans": []}).status_code == 200
    assert Draft.objects.get().body == {"no_errors": True, "spans": []}


def test_the_score_of_a_check_says_something_of_the_rater_alone(turn, translator):
    turn.item.is_check = True
    turn.item.save()
    assert submit(signed_in(translator), turn, 0, body(score=3)).status_code == 200
    assert not Rating.objects.exists()
    assert CheckMarking.objects.get().body["score"] == 3
    assert task_type("spans").stored(Assignment.objects.get(pk=turn.pk))["score"] == 3


def test_the_page_asks_the_question_with_what_its_grades_mean(turn, translator):
    page = signed_in(translator).get(f"/tasks/{turn.uuid}/")
    task = page.context["task"]
    assert (task["score"]["slug"], task["score"]["lowest"], task["score"]["highest"]) == ("score", 0, 100)
    assert task["draft"] == {"no_errors": False, "spans": [], "score": None}
    content = page.content.decode()
    assert "Nothing of what was meant is preserved." in content
    assert "marking--beside" in content


def test_marks_and_scores_stand_in_the_figures_of_both_areas(turn, translator, study, stage):
    stage.items.update(slots=2, open_slots=1)
    submit(signed_in(translator), turn, 0, body(span("السحور"), score=60))
    karim = join(person("karim@x.org", "Karim Samir"), study, "annotator", varieties=("ar-EG",))
    submit(signed_in(karim), claim_next(karim.raters.get(), stage), 0, body(score=80))
    table = frames.scores(study)
    assert sorted(table[table.measure == "grade"].score) == [60, 80]
    assert sorted(table[table.measure == "errors"].score) == [0, 1]
    [of_people, *_others] = by_id(SPANS.tables(study), "errors-per-response").rows
    assert (of_people.labels, of_people.figures[0].value) == (("ar-EG", "People"), 0.5)  # one error in two answers
    [of_model] = by_id(RATINGS.tables(study), "models-by-rater").rows
    assert (of_model.labels, of_model.figures[0].value) == (("Nile-7B", "People"), 70)  # the mean of 60 and 80


# --- In and out ---


def test_the_answer_leaves_as_esa_and_comes_back_as_one(turn, translator, study, tmp_path):
    missing = {"id": "gone", "anchor": "response", "criticality": "minor", "explanation": "The lentils."}
    submit(signed_in(translator), turn, 0, body(span("السحور"), missing, score=71))
    path = tmp_path / "esa.jsonl"
    call_command("export_marks", study.slug, format="esa", to=str(path))
    [line] = [json.loads(line) for line in path.read_text().splitlines()]
    start = EGYPTIAN.index("السحور")
    assert line["esa_spans"] == [
        {"start_i": start, "end_i": start + len("السحور"), "severity": "major"},
        {"start_i": "missing", "end_i": "missing", "severity": "minor"},
    ]
    assert (line["esa_score"], line["annotator"]) == (71, "Mona Adel")
    again = create_project(Project(slug="again", name="Again", preset="esa"), None)
    add_response(again, f"{line['system']}/{line['line_id']}", EGYPTIAN, "ar-EG")
    join(person("other@x.org", "Mona Adel"), again, "annotator", varieties=("ar-EG",))
    plan_items(again.stages.get())
    mapping = tmp_path / "esa.yaml"
    mapping.write_text("kind: answers\nread: {format: esa}\nkeep: true\nfields: {rater_kind: human}\n")
    call_command("import_answers", "again", str(path), mapping=str(mapping), quiet=True)
    done = Assignment.objects.get(stage__project=again)
    assert done.status == "submitted"
    assert task_type("spans").stored(done)["score"] == 71
    assert list(done.marking.spans.order_by("pk").values_list("anchor", "quote", "criticality")) == [
        ("words", "السحور", "major"),
        ("response", "", "minor"),
    ]


def bring(project: Project, *lines: dict) -> None:
    content = "\n".join(json.dumps(line) for line in lines).encode()
    outcome = run_import(project, Source(io.BytesIO(content)), "answers", "jsonl")
    assert outcome.problems == []


def test_imported_marks_are_done_once_their_score_has_come(study, stage, translator):
    whose = {"item": "koshari", "rater": "Mona Adel", "rater_kind": "human"}
    bring(study, {"kind": "spans", "no_errors": True, "spans": [], **whose})
    assert not Assignment.objects.exists()
    bring(study, {"kind": "ratings", "question": "score", "grade": 88, **whose})
    done = Assignment.objects.get()
    assert (done.status, done.marking.no_errors) == ("submitted", True)
    assert Rating.objects.get().assignment == done
    assert task_type("spans").stored(done) == body(score=88)


# --- Setting it up ---


def test_a_lead_asks_for_a_score_until_there_are_items(project, nour):
    score = question_type(project, "score", 0, 100)
    question_type(project, "better", None, None)
    stage = project.stages.create(kind="spans", name="Marking", position=1)
    client, address = signed_in(nour), f"/p/feasts/stages/{stage.pk}/"
    page = client.get(address)
    assert [str(label) for _value, label in page.context["form"].fields["scored_on"].choices][1:] == ["Score"]
    fields = {"name": "Marking", "overlap": 2, "lease_minutes": 60, "layout": "beside"}
    assert client.post(address, {**fields, "scored_on": score.pk}).status_code == 302
    stage.refresh_from_db()
    assert (score_question(stage), stage.layout) == (score, "beside")
    add_response(project, "koshari", EGYPTIAN, "ar-EG")
    plan_items(stage)
    client.post(address, {**fields, "scored_on": ""})
    stage.refresh_from_db()
    assert stage.scored_on == score


@pytest.mark.parametrize(
    ("kind", "score", "code"), [("spans", "nothing", "unknown"), ("reviews", "score", "not_with_kind")]
)
def test_a_file_that_asks_for_what_there_is_not_is_told_so(study, kind, score, code):
    text = f"format: mizan.project/1\nstages:\n- {{name: Other, kind: {kind}, score: {score}}}\n"
    with pytest.raises(Invalid) as refused:
        apply_file(study, text.encode())
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [("stages[0].score", code)]


def test_the_score_of_a_stage_with_items_stays(study, stage):
    without = file_of(study).replace(b", score: score", b"")
    assert without != file_of(study)
    with pytest.raises(Invalid) as refused:
        apply_file(study, without)
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [("stages[0].score", "in_use")]


def test_a_question_that_a_stage_scores_on_is_not_deleted(study):
    with pytest.raises(IntegrityError):
        study.question_types.get().delete()
