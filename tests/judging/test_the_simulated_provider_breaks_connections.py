"""The simulated provider hangs, cuts answers short and drops connections; and its bill says what it charged for."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

BODY = json.dumps({"model": "simulated-1", "messages": [{"role": "user", "content": "When is the fair?"}]})


def ask(fake_provider, key: str, timeout: float = 5) -> int:
    """The length of the answer. Raises what a client meets."""
    address = urlsplit(fake_provider.url)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=timeout)
    try:
        connection.request("POST", f"{address.path}/chat/completions", BODY, {"Idempotency-Key": key})
        return len(connection.getresponse().read())
    finally:
        connection.close()


def test_an_answer_ends_in_the_middle(fake_provider):
    fake_provider.tell(faults=["cutstream"])
    with pytest.raises(http.client.IncompleteRead):
        ask(fake_provider, "a")
    assert ask(fake_provider, "a") > 100
    charges = fake_provider.charges()
    assert (charges["answers"], charges["broken"], charges["of_key"]) == (2, 1, {"a": [2, 2]})


def test_no_answer_comes_before_the_caller_gives_up(fake_provider):
    fake_provider.tell(faults=["hang"])
    with pytest.raises(TimeoutError):
        ask(fake_provider, "b", timeout=0.3)
    ask(fake_provider, "c")
    # what hung is charged when its caller has gone: it had been asked
    assert fake_provider.charges()["of_key"] == {"b": [1, 1], "c": [1, 1]}
    assert fake_provider.counts()["open"] == 0


def test_a_connection_is_dropped_before_anything_is_charged(fake_provider):
    fake_provider.tell(faults=["reset"])
    with pytest.raises(ConnectionError):
        ask(fake_provider, "d")
    assert fake_provider.charges()["of_key"] == {"d": [1, 0]}


def test_it_counts_what_it_is_sent_where_it_is_told_to(fake_provider):
    fake_provider.tell(bytes_of_a_token=2)
    ask(fake_provider, "e")
    assert fake_provider.charges()["prompt_tokens"] == round(len(BODY) / 2)
