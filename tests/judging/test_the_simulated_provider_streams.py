"""A demonstration shows a time to first words: the simulated provider streams where it is asked to."""

import pytest

from providers.client.endpoint import Endpoint
from providers.client.requests import PlainRequest
from providers.client.streaming import one_by_one
from tests.coroutines import run


def timed(url: str, *texts: str) -> list:
    async def asked() -> list:
        async with one_by_one(Endpoint("fake", url, "", 20, 1)) as connection:
            return [await connection.ask(PlainRequest("simulated-1", text)) for text in texts]

    return run(asked())


def test_words_come_one_by_one_and_the_connection_stays(fake_provider):
    fake_provider.tell(latency_ms=400, record=True)
    first, second = timed(fake_provider.url, "tea", "song")
    for each in (first, second):
        assert each.reply.failure == ""
        assert (each.reply.model, each.reply.finish_reason) == ("simulated-1", "stop")
        assert each.first_token_seconds is not None
        assert each.first_token_seconds < each.seconds
    assert first.reply.text != second.reply.text
    assert fake_provider.asked()[0]["body"]["stream"] is True
    fake_provider.tell(latency_ms=0)
    [at_once] = timed(fake_provider.url, "tea")
    assert at_once.reply.text == first.reply.text, "whole as piece by piece"


@pytest.mark.parametrize(
    ("fault", "failure"),
    [("cutstream", "connection"), ("ratelimit", "http_429"), ("error", "http_500"), ("reset", "connection")],
)
def test_what_fails_fails_as_ever(fake_provider, fault, failure):
    fake_provider.tell(faults=[fault])
    [each] = timed(fake_provider.url, "tea")
    assert each.reply.failure == failure
