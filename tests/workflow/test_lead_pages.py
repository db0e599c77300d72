"""Nour sets stages up, watches how far they are, and gives items to others; her pages cost the same at any size."""

from datetime import date, timedelta

import pytest
import time_machine
from django.utils import timezone

from projects.models import AuditEvent, LanguageVariety, Rater
from tests.people import signed_in
from tests.workflow.working import add_responses, marking_stage
from workflow.claims import claim_next
from workflow.forecast import finish_date, seconds_left
from workflow.models import Assignment, Stage

pytestmark = pytest.mark.django_db


def finish(assignment, seconds=120):
    Assignment.objects.filter(pk=assignment.pk).update(
        status="submitted", submitted_at=timezone.now(), lease_expires_at=None, active_seconds=seconds
    )


def crowd(project, stage, count):
    """`count` people, each with one item done and one in progress."""
    variety = LanguageVariety.objects.get(tag="ar-EG")
    for _number in range(count):
        name = f"P{project.raters.count()}"
        rater = Rater.objects.create(project=project, kind="human", name=name)
        rater.varieties.add(variety)
        finish(claim_next(rater, stage))
        claim_next(rater, stage)


def test_nour_adds_a_stage_and_plans_its_items(project, koshari, nour):
    client = signed_in(nour)
    fields = {"kind": "spans", "name": "First look", "overlap": 2, "lease_minutes": 60, "policy": "majority"}
    assert client.post("/p/feasts/stages/new/", fields).status_code == 302
    stage = Stage.objects.get()
    page = client.post(f"/p/feasts/stages/{stage.pk}/plan/", follow=True)
    assert "1 item was added" in page.content.decode()
    assert stage.items.get().open_slots == 2
    assert set(AuditEvent.objects.values_list("action", flat=True)) >= {"stage.created", "stage.planned"}


@pytest.mark.parametrize(
    "changes", [{"overlap": 0}, {"overlap": 51}, {"lease_minutes": 0}, {"policy": "x"}, {"kind": "x"}, {"name": ""}]
)
def test_a_stage_that_cannot_be_is_refused(project, nour, changes):
    fields = {"kind": "spans", "name": "First look", "overlap": 2, "lease_minutes": 60, "policy": "majority"}
    assert signed_in(nour).post("/p/feasts/stages/new/", fields | changes).status_code == 422
    assert not Stage.objects.exists()


def test_two_stages_cannot_share_a_name(project, koshari, nour):
    marking_stage(project)
    fields = {"kind": "spans", "name": "Marking", "overlap": 2, "lease_minutes": 60, "policy": "majority"}
    page = signed_in(nour).post("/p/feasts/stages/new/", fields)
    assert page.status_code == 422
    assert "already" in page.content.decode()


def test_changing_the_overlap_changes_the_items(project, koshari, nour):
    stage = marking_stage(project)
    fields = {"name": "Marking", "overlap": 3, "lease_minutes": 60, "policy": "any"}
    signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/", fields)
    assert stage.items.get().open_slots == 3


def test_closing_and_opening(project, koshari, nour):
    stage, client = marking_stage(project), signed_in(nour)
    client.post(f"/p/feasts/stages/{stage.pk}/open/", {"open": "0"})
    stage.refresh_from_db()
    assert not stage.is_open
    client.post(f"/p/feasts/stages/{stage.pk}/open/", {"open": "1"})
    stage.refresh_from_db()
    assert stage.is_open


@pytest.mark.parametrize("path", ["stages/", "stages/new/", "progress/", "stages/{stage}/", "stages/{stage}/items/"])
@pytest.mark.parametrize(("who", "status"), [("nour", 200), ("ada", 200), ("mona", 404), ("hana", 404), ("omar", 404)])
def test_these_pages_are_the_leads(project, koshari, path, who, status, request):
    stage = marking_stage(project)
    client = signed_in(request.getfixturevalue(who))
    assert client.get(f"/p/feasts/{path.format(stage=stage.pk)}").status_code == status


@pytest.mark.parametrize("action", ["plan", "open", "lock"])
def test_annotators_cannot_change_a_stage(project, koshari, mona, action):
    stage = marking_stage(project)
    assert signed_in(mona).post(f"/p/feasts/stages/{stage.pk}/{action}/").status_code == 404


@pytest.mark.parametrize("path", ["progress/", "stages/", "stages/{stage}/items/"])
def test_a_page_takes_the_same_queries_for_two_people_and_for_twelve(project, koshari, nour, path, count_queries):
    add_responses(koshari, 20)
    stage = marking_stage(project)
    client = signed_in(nour)
    address = f"/p/feasts/{path.format(stage=stage.pk)}"
    crowd(project, stage, 2)
    few = count_queries(lambda: client.get(address))
    crowd(project, stage, 10)
    many = count_queries(lambda: client.get(address))
    assert many == few
    assert few <= 16


@pytest.fixture
def count_queries():
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count(act):
        with CaptureQueriesContext(connection) as queries:
            assert act().status_code == 200
        return len(queries)

    return count


@pytest.fixture
def noon():
    """No test of days begins on one and ends on the next."""
    with time_machine.travel(timezone.now().replace(hour=12)) as travelled:
        yield travelled


@pytest.mark.usefixtures("noon")
def test_progress_counts_answers_by_language_and_person(project, koshari, boishakh, nour, mona):
    add_responses(koshari, 3)
    stage = marking_stage(project)
    finish(claim_next(mona.raters.get(), stage), seconds=90)
    claim_next(mona.raters.get(), stage)
    [progress] = signed_in(nour).get("/p/feasts/progress/").context["stages"]
    arabic = next(cell for cell in progress.cells if cell.variety.tag == "ar-EG")
    assert (arabic.items, arabic.slots, arabic.done, arabic.in_progress) == (4, 8, 1, 1)
    # One answer in seven days and seven left: 49 days.
    assert arabic.finished == timezone.now().date() + timedelta(days=49)
    assert progress.finished is None  # nobody answers Bengali, so nobody knows when all is done
    [person] = progress.people
    assert (person.done, person.in_progress, person.mean_seconds) == (1, 1, 90)
    page = signed_in(nour).get("/p/feasts/progress/").content.decode()
    assert mona.raters.get().pseudonym in page
    assert "Mona" not in page


def test_items_can_be_filtered_by_known_values_alone(project, koshari, boishakh, nour, mona):
    stage = marking_stage(project)
    mine = claim_next(mona.raters.get(), stage)
    client, address = signed_in(nour), f"/p/feasts/stages/{stage.pk}/items/"

    def found(**query):
        return [item.response for item in client.get(address, query).context["page"]]

    assert len(found()) == 2
    assert found(status="claimed") == [koshari]
    assert found(rater=mine.rater.pseudonym) == [koshari]
    assert found(variety=boishakh.variety_id) == [boishakh]
    assert len(found(response__text__contains="x", status="nonsense")) == 2


def test_nour_gives_monas_item_to_karim(project, koshari, nour, mona, karim):
    stage = marking_stage(project)
    mine = claim_next(mona.raters.get(), stage)
    address = f"/p/feasts/assignments/{mine.uuid}/reassign/"
    signed_in(nour).post(address, {"rater": karim.raters.get().pseudonym})
    mine.refresh_from_db()
    assert mine.status == "released"
    assert claim_next(karim.raters.get(), stage).item == mine.item
    assert AuditEvent.objects.filter(action="work.reassigned").exists()
    assert signed_in(mona).post(address, {"rater": "x"}).status_code == 404


def test_another_projects_lead_cannot_reassign_or_reopen(project, koshari, omar, nour, mona):
    mine = claim_next(mona.raters.get(), marking_stage(project))
    for slug in ("feasts", "weddings"):
        for action in ("reassign", "reopen"):
            assert signed_in(omar).post(f"/p/{slug}/assignments/{mine.uuid}/{action}/").status_code == 404


def test_a_forecast_is_no_number_without_a_pace():
    assert finish_date(date(2030, 1, 1), remaining=10, recent=0, days=7) is None
    assert finish_date(date(2030, 1, 1), remaining=0, recent=0, days=7) == date(2030, 1, 1)
    # 14 in 7 days is 2 a day: 5 more take 3 days.
    assert finish_date(date(2030, 1, 1), remaining=5, recent=14, days=7) == date(2030, 1, 4)
    assert seconds_left(items=10, done=0, seconds_worked=0) is None
    assert seconds_left(items=10, done=4, seconds_worked=200) == 500
