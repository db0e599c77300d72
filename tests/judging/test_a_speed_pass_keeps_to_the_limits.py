"""A speed pass waits for its permits like every other call to the provider, and tells the others what it met."""

import time
from uuid import uuid4

import pytest

from judging.collecting.calling import Setup
from judging.speed.calling import Asked, run_pass
from projects.problems import Invalid
from providers.client import loop
from providers.client.endpoint import Endpoint
from providers.laboratories import Guard
from providers.limiter.rate_limiter import Outcome

SETUP = Setup(Guard("simulated-1", "simulated"), "simulated-1")


def begun(fake_provider, n: int = 2):
    endpoint = Endpoint(f"fake {uuid4()}", fake_provider.url, "", 20, 1)
    limiter = loop.limiter(endpoint)
    return limiter, lambda: loop.run(run_pass(endpoint, SETUP, [], [Asked(f"tea {at}") for at in range(n)], limiter))


def test_while_others_use_all_that_the_provider_takes_nothing_is_sent(fake_provider):
    fake_provider.tell(record=True)
    limiter, begin = begun(fake_provider)
    permit = loop.run(limiter.acquire()).result(timeout=10)
    calls = begin()
    time.sleep(0.3)
    assert fake_provider.asked() == []

    async def release() -> None:
        limiter.release(permit, Outcome.ANSWERED)

    loop.run(release()).result(timeout=10)
    samples = calls.result(timeout=20)
    assert len(samples) == len(fake_provider.asked()) == 2
    assert all(sample.seconds < 0.3 for sample in samples), "the time of waiting is no time of inference"


def test_what_a_pass_meets_counts_for_all(fake_provider, monkeypatch):
    fake_provider.tell(faults=["error"] * 3)
    limiter, begin = begun(fake_provider)
    told = []
    release = limiter.release

    def noted(permit, outcome, **how):
        told.append((outcome, how["retry_after"]))
        release(permit, outcome, **how)

    monkeypatch.setattr(limiter, "release", noted)
    with pytest.raises(Invalid):
        begin().result(timeout=60)
    assert told == [(Outcome.FAILED, None)] * 3
