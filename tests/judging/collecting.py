"""Prompts with and without a frozen rubric, and target models that answer them, for the stories of collecting."""

from collections.abc import Callable

import pytest

from jobs.models import JobState
from judging.collecting.beginning import create_collection
from judging.collecting.endpoints import add_endpoint
from judging.engine import runs
from judging.engine.shards import work_through
from judging.models import CollectionCall, Run, TargetEndpoint
from projects.anchors import sha256
from projects.models import LanguageVariety, Project, Prompt, Rater
from providers.models import Provider
from tests.rubrics.rubrics import frozen_rubric, make_rubrics_project


def add_prompt(project: Project, key: str, text: str, tag: str = "ar-EG") -> Prompt:
    variety = LanguageVariety.objects.get(tag=tag)
    return Prompt.objects.create(project=project, key=key, text=text, text_sha256=sha256(text), variety=variety)


def add_frozen(project: Project, key: str, text: str, tag: str = "ar-EG") -> Prompt:
    author, _ = Rater.objects.get_or_create(project=project, kind="human", name="Who wrote the rubrics")
    prompt = add_prompt(project, key, text, tag)
    frozen_rubric(prompt, author)
    return prompt


@pytest.fixture
def proverbs(project) -> list[Prompt]:
    """Four prompts whose rubrics are frozen, and one that is still being written."""
    make_rubrics_project(project)
    frozen = [add_frozen(project, f"proverb-{n}", f"يعني إيه المثل رقم {n}؟") for n in range(1, 5)]
    add_prompt(project, "unwritten", "مثل لسه ما اتكتبش")
    return frozen


def target(project: Project, provider: Provider, model: str, **more) -> TargetEndpoint:
    return add_endpoint(project, provider, model, **more)


def started(endpoint: TargetEndpoint, **more) -> Run:
    """A run of a target model that is going; no worker knows of it."""
    run = create_collection(endpoint, **more)
    runs.start_here(run)
    run.refresh_from_db()
    return run


def work_off(run: Run, on_batch: Callable[[int], None] | None = None) -> Run:
    """What workers would do, in this process: every shard that waits."""
    for shard in run.shards.filter(job__state=JobState.QUEUED).order_by("number"):
        work_through(shard.pk, on_batch)
    run.refresh_from_db()
    return run


def collect(endpoint: TargetEndpoint, **more) -> Run:
    """Collect from start to end, in this process."""
    return work_off(started(endpoint, **more))


def states(endpoint: TargetEndpoint) -> set[tuple[str, str]]:
    return set(CollectionCall.objects.filter(endpoint=endpoint).values_list("state", "problem"))
