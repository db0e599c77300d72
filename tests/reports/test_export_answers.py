"""Nour takes everything that was answered out of her project: a table of each kind, a row a line."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.models import Classification, Marking
from projects.guidelines import publish
from projects.models import GuidelinesVersion
from reports.frames import codings, markings, read_jsonl, reviews, scores, spans, texts
from reports.frames.registry import FRAMES
from tests.annotation.marked import rater_of
from workflow.models import Assignment, FeedbackRules, Remark, Stage, WorkItem

pytestmark = pytest.mark.django_db


def rows_of(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_kind_of_answer_is_a_table_with_the_same_columns_in_each_line(answered, project, tmp_path):
    call_command("export_answers", "feasts", "--to", str(tmp_path), stdout=io.StringIO())
    assert {path.name for path in tmp_path.iterdir()} == {f"feasts-{name}.jsonl" for name in FRAMES}
    for name, frame in FRAMES.items():
        for row in rows_of(tmp_path / f"feasts-{name}.jsonl"):
            assert list(row) == [column.name for column in frame.columns]
    marks = {row["quote"]: row for row in rows_of(tmp_path / "feasts-spans.jsonl")}
    assert (marks["الرز"]["outcome"], marks["الرز"]["is_kept"]) == ("rejected", False)
    assert len(rows_of(tmp_path / "feasts-reviews.jsonl")) == 7
    assert len(read_jsonl(tmp_path / "feasts-spans.jsonl", spans)) == 5


def test_a_file_of_another_table_is_refused(answered, project, tmp_path):
    call_command("export_answers", "feasts", "--to", str(tmp_path), "--only", "reviews", stdout=io.StringIO())
    with pytest.raises(ValueError, match="no file of the frame spans"):
        read_jsonl(tmp_path / "feasts-reviews.jsonl", spans)


def test_categories_that_coders_gave_leave_with_what_became_of_a_proposal(answered, project, mona, simba, thin):
    Classification.objects.create(
        span=answered["rice"], rater=simba, category=thin, reason="A fact", refused_by=rater_of(mona, project)
    )
    found = codings(project).set_index("span_key")
    assert found.category.to_dict() == {
        answered["nightly"].key: "custom",
        answered["every night"].key: "fact",
        answered["rice"].key: "fact",
    }
    row = found.loc[answered["rice"].key]
    assert (row.rater, row.reason, row.refused_by) == ("Simba", "A fact", rater_of(mona, project).pseudonym)


def test_texts_leave_once_with_the_side_they_stand_on(answered, project, koshari):
    [row] = texts(project).to_dict("records")
    assert (row["response_key"], row["response"], row["prompt"]) == ("koshari", koshari.text, koshari.prompt.text)
    assert row["split"] in ("train", "validation", "test")


@pytest.fixture
def worked(answered, project, koshari, mona):
    """Mona's answer was given here, in four minutes; the guidelines changed an hour later."""
    marking = Marking.objects.get(rater=rater_of(mona, project))
    stage = Stage.objects.create(project=project, name="Errors", kind="spans")
    item = WorkItem.objects.create(
        stage=stage, response=koshari, variety=koshari.variety, position=1, slots=1, open_slots=0
    )
    assignment = Assignment.objects.create(
        item=item,
        stage=stage,
        rater=marking.rater,
        status="submitted",
        active_seconds=240,
        submitted_at=timezone.now(),
    )
    Marking.objects.filter(pk=marking.pk).update(assignment=assignment)
    publish(project, "Mark less.", "Less", None)
    GuidelinesVersion.objects.update(published_at=marking.created_at + timedelta(hours=1))
    return marking


def test_the_version_of_the_guidelines_and_the_time_stand_with_what_a_person_answered_here(worked, project, simba):
    found = markings(project).set_index("rater")
    row = found.loc[worked.rater.pseudonym]
    assert (row.guidelines_version, row.active_seconds) == (1, 240)
    assert found.loc["Simba", ["guidelines_version", "active_seconds"]].isna().all()
    GuidelinesVersion.objects.update(published_at=worked.created_at - timedelta(hours=1))
    row = spans(project).set_index("rater").loc[[worked.rater.pseudonym]].iloc[0]
    assert (row.guidelines_version, row.active_seconds) == (2, 240)
    assert reviews(project).guidelines_version.isna().all(), "its verdicts were brought from elsewhere"


def test_that_a_person_was_unsure_stands_with_every_row_of_the_answer(worked, project):
    worked.refresh_from_db()
    Remark.objects.create(assignment_id=worked.assignment_id, note="ask Karim", note_is_shared=True)
    for frame in (markings, spans):
        found = frame(project).set_index("rater")
        assert not found.loc[[worked.rater.pseudonym], "unsure"].any()
        assert found.loc["Simba":"Simba", "unsure"].isna().all()
        assert found.note.isna().all(), "only where the project says that leads read notes"
    Assignment.objects.filter(pk=worked.assignment_id).update(is_unsure=True)
    FeedbackRules.objects.create(project=project, shares_notes=True)
    for frame in (markings, spans):
        found = frame(project).set_index("rater").loc[[worked.rater.pseudonym]]
        assert found.unsure.all()
        assert set(found.note) == {"ask Karim"}
    Remark.objects.update(note_is_shared=False)
    assert markings(project).note.isna().all(), "nor one that was written before"


def test_that_a_person_was_unsure_stands_beside_the_score_of_the_answer(worked, project):
    worked.refresh_from_db()
    found = scores(project).set_index("rater")
    assert not found.loc[[worked.rater.pseudonym], "unsure"].any()
    assert found.loc["Simba":"Simba", "unsure"].isna().all()
    Assignment.objects.filter(pk=worked.assignment_id).update(is_unsure=True)
    assert scores(project).set_index("rater").loc[[worked.rater.pseudonym], "unsure"].all()
