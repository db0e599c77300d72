"""The health page says whether anybody takes up what waits, and where limits are counted."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from celery.concurrency import prefork, thread
from django.utils import timezone

from jobs import heartbeat, tasks
from jobs.heartbeat import beat, check_workers
from jobs.models import Worker
from projects import health, throttling
from projects.health import Unwell, check_rate_limits

pytestmark = pytest.mark.django_db


def worker(name: str, *queues: str, ago: float = 0.0) -> Worker:
    return Worker.objects.create(name=name, queues=list(queues), seen_at=timezone.now() - timedelta(seconds=ago))


def test_without_a_worker_it_says_so_and_the_site_is_ready_all_the_same(client, monkeypatch):
    monkeypatch.setattr(health, "PATIENCE_SECONDS", 30.0)
    with pytest.raises(Unwell, match="No worker has been seen"):
        check_workers()
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["parts"]["workers"]["essential"] is False
    assert "rate limits" in answer.json()["parts"]


def test_workers_that_serve_all_queues_are_counted():
    worker("here:1", "calls", "figures")
    worker("there:2", "work", "sweeps")
    assert check_workers() == "2 worker processes have been seen."


def test_a_queue_that_is_nobodys_is_named():
    worker("here:1", "calls", "figures")
    worker("gone:2", "work", ago=86_000)
    with pytest.raises(Unwell, match="Imports, exports and other long work"):
        check_workers()


@pytest.mark.parametrize(("pool", "slots"), [(prefork.TaskPool, 6), (thread.TaskPool, 2)])
def test_a_worker_says_how_much_it_does_at_once(settings, monkeypatch, pool, slots):
    """Processes have slots of their own; threads share those of their process."""
    settings.WORKER_SLOTS = 2
    monkeypatch.setattr(heartbeat, "_start", lambda: None)
    queues = SimpleNamespace(queues=[SimpleNamespace(name="calls")])
    tasks.announce_worker(sender=SimpleNamespace(task_consumer=queues, pool=pool(3)))
    try:
        beat()
    finally:
        heartbeat._queues.clear()
    assert Worker.objects.get(queues=["calls"]).slots == slots


def test_limits_say_where_they_are_counted(monkeypatch):
    assert check_rate_limits() == "They are counted in the cache."
    monkeypatch.setattr(throttling, "state", lambda: {"counts": "database", "problem": "Redis is away"})
    with pytest.raises(Unwell, match="database: Redis is away"):
        check_rate_limits()
