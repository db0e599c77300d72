"""Nour's study was grouped, refined and categorised by accepting unseen; she takes it to another installation."""

import io
import json
from collections import Counter

import pytest

from annotation.acceptance.jobs import do_settled
from annotation.acceptance.settling import TAKE_BACK, settle
from annotation.acceptance.worth import unseen, worth
from annotation.models import GoldError
from demo.juice_accepting import AfterValidation
from demo.studies.juice import said_by_people_and_judges
from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from projects.creation import create_project
from projects.models import ContentNote, ContentNoteSet, Project, Rater
from reports.dashboard.dashboards import as_json
from reports.frames.files import JSONL, blocks
from reports.frames.registry import FRAMES
from reports.gold.formats import formats_of
from reports.spans.dashboard import SPANS
from tests.elsewhere import elsewhere
from tests.reports.juice import bring, lines
from tests.reports.test_a_project_moves_whole import differences, files_of
from workflow.models import Assignment, OwnLimits, Remark, Stage, WorkItem

pytestmark = pytest.mark.django_db
SECRET = "Ask the aunt in Incheon 👵"


@pytest.fixture
def study(db) -> Project:
    """24 responses in each of two settings, some 450 errors."""
    project = create_project(Project(slug="juice", name="JuICE, generated", is_generated=True), None)
    found = list(lines(("KR-ko", "BD-bn"), 24))
    items = {line["id"]: line for line in found if "kind" not in line}
    bring(project, "items", list(items.values()))
    bring(project, "answers", list(said_by_people_and_judges(found)))
    responses = {response.key: response for response in project.responses.all()}
    AfterValidation(project, found, items, responses, seed=3).carry_out()
    return project


@pytest.fixture
def worked_on(study) -> Project:
    """A note on a prompt, who does not read it, and a turn with doubts, a bookmark and a note to oneself."""
    ContentNote.objects.create(project=study, slug="slurs", name="Slurs", names={"ar": "شتائم"})
    ContentNoteSet.objects.create(project=study, number=1, slugs="slurs")
    response = study.responses.select_related("prompt").first()
    study.prompts.filter(pk=response.prompt_id).update(note_set=1)
    reader = Rater.objects.filter(project=study, kind="human").earliest("pk")
    OwnLimits.objects.create(rater=reader, unwanted_notes=["slurs"])
    stage = Stage.objects.create(project=study, kind="spans", name="Marks", position=9)
    item = WorkItem.objects.create(
        stage=stage, response=response, variety=response.variety, position=1, slots=1, open_slots=0, note_set=1
    )
    times = {"claimed_at": "2026-01-01T00:00:00Z", "submitted_at": "2026-01-01T00:10:00Z"}
    turn = Assignment.objects.create(item=item, stage=stage, rater=reader, status="submitted", is_unsure=True, **times)
    Remark.objects.create(assignment=turn, bookmarked_at="2026-01-01T00:05:00Z", note=SECRET)
    return study


def told(project: Project) -> dict:
    """Figures, gold, rows of frames and acceptances, but for long ids and times of coming in."""
    figures = json.loads(json.dumps(as_json(project, SPANS.tables(project))["tables"], default=str))
    for table in figures:
        del table["signature"]
        table["recipe"].pop("data_snapshot", None)
        for row in table["rows"]:
            row.get("drill", {}).pop("response", None)
    rows = {}
    for name in ("spans", "codings", "refinements", "reviews"):
        written = b"".join(blocks(FRAMES[name], project, JSONL)).splitlines()
        rows[name] = [{**json.loads(line), "response_uuid": None} for line in written]
    samples = [(one.kind, one.drawn, one.rest, one.wrong, one.accepted) for one in project.acceptances.all()]
    implied = [worth(one).implied.value for one in project.acceptances.all()]
    gold = {each.area: [json.loads(line) for line in each.lines(project)] for each in formats_of(project)}
    return {"figures": figures, "gold": gold, "rows": rows, "samples": samples, "implied": implied}


def test_all_that_was_accepted_is_the_same_there_and_can_be_taken_back_there(worked_on, tmp_path):
    before, counted = told(worked_on), unseen(worked_on)
    assert len(before["samples"]) == 3
    assert all(counted[kind] > 50 for kind in ("groups", "refinements", "categories"))
    out = io.BytesIO()
    write_archive(worked_on, out)
    with elsewhere(tmp_path):
        there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue())).project)
        assert differences(told(there), before) == []
        assert unseen(there) == counted
        categories = there.acceptances.get(kind="categories")
        by = Rater.objects.filter(project=there, kind="human").first()
        do_settled(settle(categories, TAKE_BACK, "Another rule came.", None), by)
        without = GoldError.objects.filter(response__project=there, category=None).count()
        assert without == counted["categories"]
        assert unseen(there).keys() == {"groups", "refinements"}


def test_notes_on_texts_and_doubts_go_along_and_what_is_a_persons_own_stays(worked_on, tmp_path):
    out = io.BytesIO()
    write_archive(worked_on, out)
    whole = b"".join(files_of(out.getvalue()).values()).decode()
    assert SECRET not in whole
    with elsewhere(tmp_path):
        there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue())).project)
        [note] = there.content_notes.all()
        assert (note.slug, note.names) == ("slurs", {"ar": "شتائم"})
        assert list(there.content_note_sets.values_list("number", "slugs")) == [(1, "slurs")]
        assert Counter(there.prompts.values_list("note_set", flat=True))[1] == 1
        [turn] = Assignment.objects.filter(stage__project=there)
        assert (turn.status, turn.is_unsure, turn.item.note_set) == ("submitted", True, 1)
        assert not Remark.objects.exists()
        assert not OwnLimits.objects.exists()
