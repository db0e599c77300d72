"""Ada sees what is done in the background for no project, such as demonstration data being loaded, and stops it."""

import pytest
from django.utils import timezone

from demo.jobs import queue_demo
from jobs.enqueuing import add_job
from jobs.models import Job, JobState, Queue, Worker
from jobs.working import claim
from projects.models import AuditEvent
from tests.people import signed_in

pytestmark = pytest.mark.django_db
LIST = "/jobs/"


def page(user, address: str = LIST, **headers) -> str:
    answer = signed_in(user).get(address, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_health_page_leads_to_an_empty_list(ada):
    assert f'href="{LIST}"' in page(ada, "/health/")
    listed = page(ada)
    assert "Nothing has been done in the background yet" in listed
    assert "hx-get" not in listed


def test_demonstration_data_says_how_far_it_is_and_renews_itself(ada):
    Worker.objects.create(name="desk:1", queues=list(Queue.values), seen_at=timezone.now())
    job = queue_demo("juice")
    assert "waits for a worker, which takes it up in a moment" in page(ada)
    held = claim(job.pk)
    assert held
    held.progress(4000, None, "4000 lines read")
    for address, asked_again in ((LIST, LIST), (f"{LIST}{job.uuid}/", f"{LIST}{job.uuid}/")):
        shown = page(ada, address)
        for part in ("Demonstration data", "juice", "Running", "4000 lines read", f"/jobs/{job.uuid}/cancel/"):
            assert part in shown, part
        assert f'hx-get="{asked_again}"' in shown
        assert "/pause/" not in shown, "it is one transaction"
    assert "<html" not in page(ada, **{"HX-Request": "true"})
    held.finish()
    assert "hx-get" not in page(ada), "nothing moves: nothing is asked again"


def test_it_is_cancelled_and_tried_again(ada):
    job = queue_demo("juice")
    client = signed_in(ada)
    assert client.post(f"{LIST}{job.uuid}/cancel/")["Location"] == LIST
    assert Job.objects.get().state == JobState.CANCELLED
    assert AuditEvent.objects.get(action="job.cancelled").actor == ada
    refused = client.post(f"{LIST}{job.uuid}/cancel/", {"from": "job"}, follow=True)
    assert refused.request["PATH_INFO"] == f"{LIST}{job.uuid}/"
    assert "It was over already" in refused.content.decode()
    assert client.post(f"{LIST}{job.uuid}/retry/").status_code == 302
    assert Job.objects.get().state == JobState.QUEUED


def test_the_jobs_of_projects_are_not_among_them(chore, ada, nour, project):
    job = add_job("chore", project, nour)
    assert str(job.uuid) not in page(ada)
    client = signed_in(ada)
    assert client.get(f"{LIST}{job.uuid}/").status_code == 404
    assert client.post(f"{LIST}{job.uuid}/cancel/").status_code == 404
    assert Job.objects.get().state == JobState.QUEUED


def test_for_a_lead_it_does_not_exist(nour, project):
    job = queue_demo("juice")
    client = signed_in(nour)
    assert {client.get(address).status_code for address in (LIST, f"{LIST}{job.uuid}/")} == {404}
    assert client.post(f"{LIST}{job.uuid}/cancel/").status_code == 404
    assert str(job.uuid) not in client.get("/p/feasts/jobs/").content.decode()
    assert Job.objects.get().state == JobState.QUEUED


def test_fifty_are_one_page(chore, ada):
    for _n in range(60):
        add_job("chore")
    first, second = page(ada), page(ada, f"{LIST}?page=2")
    assert (first.count("<tr>"), second.count("<tr>")) == (51, 11)
