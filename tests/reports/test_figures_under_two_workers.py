"""Six people open the same cold page at once, and two workers reach for the job: it is one, and computed once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.core.cache import cache
from django.db import connection, connections

from jobs.models import Job, JobState
from jobs.working import work_on
from reports import warming
from reports.dashboard.figures import FiguresByVariety
from tests.people import signed_in

PEOPLE = 6


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_one_job_for_all_and_one_worker_for_the_job(nour, answered, monkeypatch):
    cache.clear()
    monkeypatch.setattr(warming, "FEW_ANSWERS", 0)
    monkeypatch.setattr("jobs.enqueuing.send", lambda jobs: None)
    loaded = []
    load = FiguresByVariety.load

    def counted(dashboard, varieties):
        loaded.append(varieties)
        return load(dashboard, varieties)

    monkeypatch.setattr(FiguresByVariety, "load", counted)
    clients = [signed_in(nour) for _person in range(PEOPLE)]
    together = Barrier(PEOPLE)

    def opens(client) -> int:
        together.wait(30)
        try:
            return client.get("/p/feasts/results/").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(PEOPLE) as pool:
        assert set(pool.map(opens, clients)) == {200}
    [job] = Job.objects.all()

    at_once = Barrier(2)

    def takes_up(pk: int) -> bool:
        at_once.wait(30)
        try:
            return work_on(pk)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(takes_up, [job.pk] * 2)) == [False, True]
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert len(loaded) == 1
    assert "Best F1 of a judge" in clients[0].get("/p/feasts/results/").content.decode()
    connection.close()
