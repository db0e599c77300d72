"""Judges of the stories, and the simulated provider they talk to over real HTTP."""

import uuid

import pytest

from judging.judges import add_judge
from judging.models import Judge
from providers.client import loop
from providers.endpoints import simulated_provider
from providers.limiter import circuit_breaker as breaker
from providers.limiter import stores as boards
from providers.models import Provider
from tests.fake_provider import FakeProvider
from tests.frontend.conftest import bundle
from tests.people import add_response

__all__ = ["bundle"]


@pytest.fixture(autouse=True)
def every_provider_is_up(monkeypatch):
    """What one test's provider did to its callers is not held against the next one's, and no pause is a long one."""
    monkeypatch.setattr(boards, "PREFIX", f"mizan:tests:{uuid.uuid4().hex}")
    monkeypatch.setattr(breaker, "COOL_OFF_SECONDS", 0.01)
    monkeypatch.setattr(loop, "_limiters", {})
    monkeypatch.setattr(loop, "_connections", {})
    yield
    for connections in list(loop._connections.values()):
        loop.loop().call_soon_threadsafe(connections.retire)


@pytest.fixture(scope="session")
def fake_provider_process():
    provider = FakeProvider()
    yield provider
    provider.stop()


@pytest.fixture
def fake_provider(fake_provider_process, settings) -> FakeProvider:
    fake_provider_process.tell(reset=True, latency_ms=0)
    settings.FAKE_PROVIDER_URL = fake_provider_process.url
    return fake_provider_process


@pytest.fixture
def provider(db, fake_provider) -> Provider:
    return simulated_provider()


@pytest.fixture
def judge(project, provider) -> Judge:
    """A simulated judge that reads paragraph by paragraph."""
    return add_judge(project, provider, "simulated-1")


@pytest.fixture
def eager(settings):
    """Tasks run where they are sent: a worker without a second process."""
    from config.celery import app

    before = app.conf.task_always_eager
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = before


@pytest.fixture
def feasts(project, koshari, boishakh):
    """Twelve responses of two paragraphs each in Egyptian Arabic and Bengali."""
    texts = {"ar-EG": koshari.text, "bn-BD": boishakh.text}
    more = [
        add_response(project, f"more-{tag}-{n}", f"{text} {n}", tag) for n in range(5) for tag, text in texts.items()
    ]
    return [koshari, boishakh, *more]
