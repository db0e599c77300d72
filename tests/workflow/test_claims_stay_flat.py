"""The next item is found at the front of its index, among a thousand items and among a million."""

import json

import pytest
from django.db import connection

from projects.models import ContentNote, ContentNoteSet, Project, Rater
from tests.workflow.working import marking_stage
from workflow.claims import claim_next, open_items
from workflow.models import OwnLimits, WorkItem
from workflow.views.items import filtered

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

COPY_RESPONSES = """
    INSERT INTO projects_response (uuid, project_id, prompt_id, target_model_id, variety_id, key, text, text_sha256,
                                   metadata, created_at)
    SELECT gen_random_uuid(), project_id, prompt_id, target_model_id, variety_id, key || number, text, text_sha256,
           metadata, created_at
    FROM projects_response, generate_series(1, %s::int) number WHERE id = %s
"""


def steps(plan: dict) -> list[dict]:
    return [plan, *(step for part in plan.get("Plans", []) for step in steps(part))]


def test_the_search_reads_the_front_of_the_queue_however_long_it_is(project, koshari):
    with connection.cursor() as cursor:
        cursor.execute(COPY_RESPONSES, [20_000, koshari.pk])
    stage = marking_stage(project)
    rater = Rater.objects.create(project=project, kind="human", name="Laila")
    rater.varieties.add(koshari.variety)
    other = claim_next(rater, stage)
    WorkItem.objects.filter(position__lt=15_000).exclude(pk=other.item_id).update(open_slots=0)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE workflow_workitem, workflow_assignment")
    search = open_items(stage.kind, rater, stage, koshari.variety, None)
    [explained] = json.loads(search.explain(analyze=True, format="json"))
    found = steps(explained["Plan"])
    queue = [step for step in found if step.get("Index Name") == "work_item_queue"]
    # The item Laila has and the one she gets; neither those behind nor those that are done are looked at.
    assert [step["Actual Rows"] for step in queue] == [2]
    assert "Sort" not in {step["Node Type"] for step in found}
    # No other index has the order: it would be read from its front through everything that is done.
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX work_item_queue")
    [explained] = json.loads(search.explain(format="json"))
    assert "Sort" in {step["Node Type"] for step in steps(explained["Plan"])}


def test_a_list_of_the_queue_is_read_in_its_order(project, koshari):
    with connection.cursor() as cursor:
        cursor.execute(COPY_RESPONSES, [2_000, koshari.pk])
    stage = marking_stage(project)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE workflow_workitem")
    [explained] = json.loads(filtered(stage, {})[:50].explain(format="json"))
    found = steps(explained["Plan"])
    assert "work_item_in_order" in {step.get("Index Name") for step in found}
    assert "Sort" not in {step["Node Type"] for step in found}


def test_what_a_person_does_not_want_to_read_is_not_passed_by(project, koshari):
    """Twenty thousand items with a note stand before the first without: a claim looks at none of them."""
    with connection.cursor() as cursor:
        cursor.execute(COPY_RESPONSES, [20_000, koshari.pk])
    ContentNote.objects.create(project=project, slug="violence", name="Violence")
    ContentNoteSet.objects.create(project=project, number=1, slugs="violence")
    Project.objects.filter(pk=project.pk).update(note_sets=1)
    stage = marking_stage(Project.objects.get(pk=project.pk))
    last = stage.items.order_by("-position").first()
    stage.items.exclude(pk=last.pk).update(note_set=1)
    rater = Rater.objects.create(project=project, kind="human", name="Laila")
    rater.varieties.add(koshari.variety)
    OwnLimits.objects.create(rater=rater, unwanted_notes=["violence"])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE workflow_workitem, workflow_assignment")
    for number, rows in ((0, 1), (1, 1)):
        search = open_items(stage.kind, rater, stage, koshari.variety, None, number)
        [explained] = json.loads(search.explain(analyze=True, format="json"))
        found = steps(explained["Plan"])
        assert [step["Actual Rows"] for step in found if step.get("Index Name") == "work_item_queue"] == [rows]
        assert "Sort" not in {step["Node Type"] for step in found}
    assert claim_next(rater, stage).item == last
