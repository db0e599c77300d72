"""A researcher's program reads projects, responses and raters with Nour's token."""

import pytest
from django.test import Client
from django.utils import timezone

from projects.models import ApiToken
from tests.people import add_response


@pytest.fixture
def program(nour):
    _row, token = ApiToken.issue(nour, "analysis")
    return Client(headers={"Authorization": f"Bearer {token}"})


def test_it_sees_the_projects_of_its_owner_alone(program, project, other_project):
    assert [row["slug"] for row in program.get("/api/v1/projects/").json()["results"]] == ["feasts"]
    assert program.get("/api/v1/projects/weddings/").status_code == 404


def test_it_reads_responses_and_filters_them(program, project, koshari, boishakh, django_assert_max_num_queries):
    with django_assert_max_num_queries(8):
        rows = program.get("/api/v1/projects/feasts/responses/").json()["results"]
    assert [row["id"] for row in rows] == ["koshari", "boishakh"]
    assert rows[0]["laboratory"] == "delta-lab"
    filtered = program.get("/api/v1/projects/feasts/responses/?variety=bn-BD").json()["results"]
    assert [row["id"] for row in filtered] == ["boishakh"]


def test_a_list_of_a_hundred_costs_no_more_queries(program, project, koshari, django_assert_max_num_queries):
    for number in range(60):
        add_response(project, f"r{number}", "Some text.", "en-US")
    with django_assert_max_num_queries(8):
        assert len(program.get("/api/v1/projects/feasts/responses/").json()["results"]) == 61


def test_people_appear_by_pseudonym(program, project, mona):
    page = program.get("/api/v1/projects/feasts/raters/").content.decode()
    assert mona.raters.get().pseudonym in page
    assert "Mona" not in page
    assert mona.email not in page


def test_a_revoked_token_is_refused(program, nour):
    ApiToken.objects.update(revoked_at=timezone.now())
    response = program.get("/api/v1/projects/")
    assert response.status_code == 401
    assert "Bearer" in response.headers["WWW-Authenticate"]


def test_the_token_of_a_disabled_person_is_refused(program, nour):
    nour.is_active = False
    nour.save()
    assert program.get("/api/v1/projects/").status_code == 401


def test_an_annotator_cannot_list_responses(mona, project, koshari):
    _row, token = ApiToken.issue(mona, "curious")
    headers = {"Authorization": f"Bearer {token}"}
    assert Client().get("/api/v1/projects/feasts/responses/", headers=headers).status_code == 404


def test_the_schema_and_its_page_are_served(program):
    assert program.get("/api/v1/schema/").status_code == 200
    assert program.get("/api/v1/docs/").status_code == 200
