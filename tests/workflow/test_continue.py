"""Signed in, Mona is at her work at once, and one button goes on with it."""

import pytest
from django.test import Client

from projects.models import Membership
from tests.people import PASSWORD, add_response, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db

CONTINUE = "/p/feasts/my-work/continue"


def landing(person) -> str:
    client = Client()
    answer = client.post("/accounts/login/", {"login": person.email, "password": PASSWORD}, follow=True)
    return answer.redirect_chain[-1][0]


def test_who_only_works_lands_on_the_work(project, koshari, mona, hana):
    assert landing(mona) == "/p/feasts/my-work/"
    assert landing(hana) == "/p/feasts/my-work/"


def test_who_comes_by_the_address_of_the_installation_lands_there_too(project, koshari, mona):
    client = Client()
    address = client.get("/", follow=True).redirect_chain[-1][0]
    answer = client.post(address, {"login": mona.email, "password": PASSWORD}, follow=True)
    assert answer.redirect_chain[-1][0] == "/p/feasts/my-work/"


def test_who_leads_or_has_several_projects_lands_on_the_projects(project, other_project, mona, nour, ada):
    assert landing(nour) == "/"
    assert landing(ada) == "/"
    Membership.objects.create(project=other_project, user=mona, role="annotator")
    assert landing(mona) == "/"
    page = signed_in(mona).get("/").content.decode()
    assert "/p/feasts/my-work/" in page
    assert "/p/weddings/my-work/" in page
    other_project.archived_at = project.created_at
    other_project.save()
    assert landing(mona) == "/p/feasts/my-work/"


def test_one_button_takes_the_first_item_there_is(project, koshari, mona):
    closed = marking_stage(project)
    closed.is_open = False
    closed.save()
    second = Stage.objects.create(project=project, kind="spans", name="Marking again", position=2)
    plan_items(second)
    client = signed_in(mona)
    page = client.get("/p/feasts/my-work/").content.decode()
    assert page.count("btn-primary") == 1
    assert f'action="{CONTINUE}"' in page
    answer = client.post(CONTINUE)
    mine = Assignment.objects.get()
    assert mine.stage == second
    assert answer.headers["Location"] == f"/tasks/{mine.uuid}/"


def test_what_is_begun_comes_before_what_is_new(project, koshari, mona):
    first = marking_stage(project)
    second = Stage.objects.create(project=project, kind="spans", name="Marking again", position=2)
    plan_items(second)
    begun = claim_next(mona.raters.get(), second)
    assert signed_in(mona).post(CONTINUE).headers["Location"] == f"/tasks/{begun.uuid}/"
    assert not Assignment.objects.filter(stage=first).exists()


def test_where_nothing_is_left_there_is_no_button_and_a_stale_one_says_why(project, koshari, mona):
    marking_stage(project).items.all().delete()
    client = signed_in(mona)
    assert CONTINUE not in client.get("/p/feasts/my-work/").content.decode()
    assert client.post(CONTINUE).headers["Location"] == "/p/feasts/my-work/"


def test_salma_begins_a_rubric_of_her_own_by_it(project, salma):
    stage = Stage.objects.create(project=project, kind="authoring", name="Authoring")
    answer = signed_in(salma).post(CONTINUE)
    assert answer.headers["Location"] == f"/p/feasts/stages/{stage.pk}/begin/"


def test_looking_at_the_work_costs_as_much_among_many_items(project, koshari, mona, django_assert_max_num_queries):
    for number in range(30):
        add_response(project, f"more-{number}", f"Answer {number}", "ar-EG")
    marking_stage(project)
    client = signed_in(mona)
    with django_assert_max_num_queries(30):
        client.get("/p/feasts/my-work/")
    with django_assert_max_num_queries(30):
        client.post(CONTINUE)
