"""Mona works in a queue that is longer than anybody counts: her pages cost what they cost in a short one."""

import pytest
from django.db import connection

from projects.models import Rater
from tests.people import signed_in
from tests.workflow.explained import plan_of, rows_read, statements
from tests.workflow.test_claims_stay_flat import COPY_RESPONSES
from tests.workflow.working import add_responses, marking_stage
from workflow.claims import claim_another, claim_next
from workflow.models import Assignment, WorkItem
from workflow.remaining import COUNTED, left_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari):
    add_responses(koshari, COUNTED)
    return marking_stage(project)  # of one item more than are counted


def test_no_total_is_shown_until_the_queue_is_short_enough(project, stage, mona):
    client, first = signed_in(mona), claim_next(mona.raters.get(), stage)
    page = client.get(f"/tasks/{first.uuid}/")
    assert (page.context["done"], page.context["total"]) == (0, None)
    assert '<bdi dir="ltr">0</bdi>' in page.content.decode()
    [own] = client.get("/p/feasts/my-work/").context["stages"]
    assert (own.total, own.left, own.seconds_left) == (None, (True, None), None)

    WorkItem.objects.filter(pk=first.item_id).update(open_slots=0)  # another takes its second slot
    assert client.get(f"/tasks/{first.uuid}/").context["total"] == COUNTED + 1
    [own] = client.get("/p/feasts/my-work/").context["stages"]
    assert (own.total, own.left) == (COUNTED + 1, (True, COUNTED))


def test_my_work_says_that_there_is_more_than_is_counted(stage, mona):
    page = signed_in(mona).get("/p/feasts/my-work/").content.decode()
    assert "nobody counts them here" in page
    assert "Take the next item" in page
    assert "<progress" not in page


def test_who_had_all_of_a_long_queue_is_offered_nothing(project, stage, mona, koshari):
    rater = mona.raters.get()
    rows = stage.items.values_list("pk", "position")
    Assignment.objects.bulk_create(
        Assignment(item_id=item, stage=stage, rater=rater, status="skipped", queue_position=position)
        for item, position in rows.order_by("position")
    )
    assert left_for(rater, stage, [koshari.variety_id]) == (False, None)
    [own] = signed_in(mona).get("/p/feasts/my-work/").context["stages"]
    assert not own.left.is_some
    assert claim_next(rater, stage) is None

    # One in the middle she has not had, behind where her next search begins.
    Assignment.objects.filter(item=rows.order_by("position")[COUNTED // 2][0]).delete()
    assert left_for(rater, stage, [koshari.variety_id]) == (True, None)
    assert claim_next(rater, stage).queue_position == rows.order_by("position")[COUNTED // 2][1]


def test_in_other_languages_there_is_nothing(project, stage, boishakh):
    rater = Rater.objects.create(project=project, kind="human", name="Rahima")
    assert left_for(rater, stage, [boishakh.variety_id]) == (False, 0)
    assert left_for(rater, stage, []) == (False, 0)


@pytest.mark.postgres
def test_neither_page_reads_the_queue(project, koshari, mona):
    with connection.cursor() as cursor:
        cursor.execute(COPY_RESPONSES, [20_000, koshari.pk])
    stage, client, rater = marking_stage(project), signed_in(mona), mona.raters.get()
    for _number in range(20):
        latest = claim_another(rater, stage)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE workflow_workitem, workflow_assignment")
    for address in (f"/tasks/{latest.uuid}/", "/p/feasts/my-work/"):
        with statements() as seen:
            assert client.get(address).status_code == 200
        about_items = [each for each in seen if "workflow_workitem" in each[0] and each[0].startswith("SELECT")]
        assert about_items
        for statement in about_items:
            read = [rows_read(step) for step in plan_of(statement) if step.get("Relation Name")]
            assert sum(read) <= COUNTED + 100, statement
