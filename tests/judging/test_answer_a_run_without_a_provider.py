"""A study is generated: its judges' replies come from a function, and none may be missing without a word."""

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.models import Job
from judging.engine import replaying
from judging.engine.replaying import store_all
from judging.engine.runs import create_run, start_here
from judging.judges import add_judge
from judging.models import Run
from projects.models import Response
from tests.people import add_response

pytestmark = pytest.mark.django_db


def test_a_shard_that_cannot_be_claimed_is_said_to_be_missing(project, provider, monkeypatch):
    add_response(project, "tea", "الشاي", "ar-EG")
    run = create_run(add_judge(project, provider, "simulated-1"), Response.objects.filter(project=project))

    def start_while_the_clock_is_put_back(run: Run) -> list[int]:
        shards = start_here(run)
        Job.objects.update(due_at=timezone.now() + timedelta(minutes=1))
        return shards

    monkeypatch.setattr(replaying, "start_here", start_while_the_clock_is_put_back)
    with pytest.raises(RuntimeError, match="cannot be claimed"):
        store_all(run, lambda shard: [])
