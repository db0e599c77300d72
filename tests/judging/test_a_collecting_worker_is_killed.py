"""A worker is killed in the middle of a collection; another goes on, and each prompt has one response."""

import signal

from tests.judging.test_a_worker_is_killed import DONE, installation

__all__ = ["installation"]

# Run in a process of its own, so that its database is the worker's and not the one of the tests.
PREPARE = """
from judging.engine import runs
from judging.collecting.beginning import create_collection
from judging.collecting.endpoints import add_endpoint
from providers.models import Provider
from providers.endpoints import simulated_provider
from projects.models import Project
from tests.judging.collecting import add_frozen
from tests.rubrics.rubrics import make_rubrics_project
project = make_rubrics_project(Project.objects.create(slug="feasts", name="Feasts"))
for n in range(80):
    add_frozen(project, f"p{n}", f"What is eaten in May, number {n}?", "en-US")
endpoint = add_endpoint(project, simulated_provider(), "simulated-1")
Provider.objects.update(concurrency=4)
runs.start(create_collection(endpoint))
"""
COUNT = "SELECT count(*) FROM judging_collectioncall WHERE state <> 'planned'"
SWEEP = "from jobs.sweeping import sweep; print(sweep(silence_seconds=0))"
SUMMARY = """
from django.db.models import Count
from judging.models import CollectionCall, Run
from projects.models import Response
states = dict(CollectionCall.objects.values_list("state").annotate(n=Count("pk")).order_by())
prompts = Response.objects.values("prompt").distinct().count()
print(Run.objects.get().state, states, Response.objects.count(), prompts)
"""


def test_kill_nine_and_go_on(installation, fake_provider):
    fake_provider.tell(latency_ms=2000)  # 80 prompts, four at once: some forty seconds
    installation.shell(PREPARE)
    first = installation.worker()
    installation.wait_for(COUNT, 8)
    first.send_signal(signal.SIGKILL)
    first.wait()

    stored = installation.count(COUNT)
    assert 0 < stored < 80, "the kill must come in the middle"
    fake_provider.tell(latency_ms=0)
    assert installation.shell(SWEEP) == "1"
    installation.worker()

    installation.wait_for(DONE, 1)
    assert installation.shell(SUMMARY) == "done {'collected': 80} 80 80"
    # asked twice at most: what was in flight or on its way to the database at the kill, and nobody has seen
    assert fake_provider.counts()["served"] <= 80 + 4 + 8
