"""Salma finds her rubrics again; Nour, who leads, finds everybody's; what is frozen shows what proves it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.people import signed_in
from tests.rubrics.writing import PROMPT, authoring_stage, begun_by, call, criterion, draft, freeze, frozen_by, tried
from tests.workflow.working import put_draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project):
    return authoring_stage(project)


@pytest.fixture
def client(salma):
    return signed_in(salma)


def read(who, address: str) -> str:
    answer = who.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_empty_page_says_how_to_begin(client, stage):
    page = read(client, "/p/feasts/rubrics/")
    assert "No rubric is in the making" in page
    assert f"/p/feasts/stages/{stage.pk}/begin/" in page
    assert "Nothing is frozen yet" in read(client, "/p/feasts/rubrics/?show=frozen")
    assert "Nothing was discarded" in read(client, "/p/feasts/rubrics/?show=discarded")
    assert client.get("/p/feasts/rubrics/?show=else").status_code == 404


def test_where_no_stage_is_open_it_says_whom_to_ask(client, stage):
    stage.is_open = False
    stage.save()
    assert "No rubric can be begun now" in read(client, "/p/feasts/rubrics/")


def test_an_author_sees_her_own_and_a_lead_everybodys(client, stage, salma, zaid, nour):
    hers, his = begun_by(salma, stage), begun_by(zaid, stage)
    put_draft(client, hers, 0, draft(prompt="سؤال سلمى"))
    put_draft(signed_in(zaid), his, 0, draft(prompt="سؤال زيد"))
    page = read(client, "/p/feasts/rubrics/")
    assert "سؤال سلمى" in page
    assert "سؤال زيد" not in page
    assert f"/tasks/{hers.uuid}/" in page
    lead = signed_in(nour)
    page = read(lead, "/p/feasts/rubrics/")
    assert "سؤال سلمى" in page
    assert "سؤال زيد" in page
    assert salma.raters.get().pseudonym in page
    assert "Salma" not in page


def test_a_lead_reads_a_draft_that_others_cannot(client, stage, salma, zaid, mona, nour):
    hers = begun_by(salma, stage)
    put_draft(client, hers, 0, draft())
    tried(hers, "failed")
    address = f"/p/feasts/rubrics/drafts/{hers.uuid}/"
    page = read(signed_in(nour), address)
    assert PROMPT in page
    assert draft()["gold_answer"] in page
    assert "Nile-7B" in page
    for who in (zaid, mona):
        assert signed_in(who).get(address).status_code == 404


def test_a_frozen_rubric_shows_what_proves_it(client, stage, salma, nour, zaid):
    body = draft(criteria=[criterion(1, text="بيذكر الرز.", weight=9, band="core-term"), draft()["criteria"][1]])
    rubric = frozen_by(client, begun_by(salma, stage), body)
    for who in (client, signed_in(nour)):
        page = read(who, f"/p/feasts/rubrics/{rubric.uuid}/")
        assert rubric.sha256 in page
        assert rubric.frozen_at.strftime("%Y-%m-%d") in page
        assert "Core term identification" in page
        assert "8–10" in page
        assert '<td class="num">14</td>' in page  # 9 and 5
        assert "Nile-7B" in page
        assert "Answered in part" in page
    assert signed_in(zaid).get(f"/p/feasts/rubrics/{rubric.uuid}/").status_code == 404


def test_an_old_version_points_at_the_newest(client, stage, salma):
    first = frozen_by(client, begun_by(salma, stage))
    client.post(f"/p/feasts/rubrics/{first.uuid}/revise/")
    freeze(client, first.revisions.get().assignment, draft(scope="linguistics"))
    second = first.superseded_by
    page = read(client, f"/p/feasts/rubrics/{first.uuid}/")
    assert "This is an old version" in page
    assert f"/p/feasts/rubrics/{second.uuid}/" in page
    assert "Write a new version" not in page
    assert "Write a new version" in read(client, f"/p/feasts/rubrics/{second.uuid}/")
    assert "old version" in read(client, "/p/feasts/rubrics/?show=frozen")


def test_the_lists_cost_no_query_per_row(client, stage, salma, nour, django_assert_num_queries):
    """One of each kind, then four more of each: the pages ask the database as often as before."""

    def fill() -> None:
        put_draft(client, begun_by(salma, stage), 0, draft())
        frozen_by(client, begun_by(salma, stage))
        given_up = begun_by(salma, stage)
        put_draft(client, given_up, 0, draft())
        call(client, given_up, "skip", reason="too_easy")

    fill()
    pages = [
        (who, f"/p/feasts/rubrics/?show={state}")
        for who in (client, signed_in(nour))
        for state in ("drafts", "frozen", "discarded")
    ]
    counted = []
    for who, address in pages:
        with CaptureQueriesContext(connection) as queries:
            read(who, address)
        counted.append(len(queries))
    for _number in range(4):
        fill()
    for (who, address), count in zip(pages, counted, strict=True):
        with django_assert_num_queries(count):
            read(who, address)


def test_the_menu_and_the_steps_lead_there(client, stage, nour, mona, salma):
    lead = signed_in(nour)
    front = read(lead, "/p/feasts/")
    assert 'href="/p/feasts/rubrics/"' in front
    assert "Authors write a prompt, its gold answer and weighted criteria" in front
    mine = begun_by(salma, stage)
    assert "0 rubrics are frozen; 1 is in the making." in read(lead, "/p/feasts/")
    tried(mine)
    freeze(client, mine, draft())
    assert "1 rubric is frozen." in read(lead, "/p/feasts/")
    assert 'href="/p/feasts/rubrics/"' not in read(signed_in(mona), "/p/feasts/")
    assert 'href="/p/feasts/rubrics/reviews/"' in read(client, "/p/feasts/rubrics/")
    assert 'href="/p/feasts/rubrics/reviews/"' not in read(lead, "/p/feasts/rubrics/")
