"""What a process does by itself while Redis is frozen, gone and back: wait once, then not at all, then go on."""

import logging
import time
from types import SimpleNamespace

import pytest
from celery import Celery
from kombu.exceptions import OperationalError

from config.caches import PATIENCE_SECONDS, BoundedRedisCache, FolderCache
from config.celery import SENDING_SECONDS, Queue
from projects import circuit_breaker
from projects.circuit_breaker import PAUSE_SECONDS, CircuitBreaker
from tests.faults.at_work import wait_for
from tests.faults.machines import machine
from tests.servers import redis_program

pytestmark = pytest.mark.skipif(not redis_program(), reason="needs Redis")
# What was waited for once is not waited for much longer, in one of so many tries on a busy machine.
TRIES = 5


class Clock:
    """The breakers' time, which passes when the test says so: no pause ends because the machine was busy."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(circuit_breaker, "time", SimpleNamespace(monotonic=made.monotonic))
    return made


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with machine(tmp_path_factory.mktemp("redis")) as made:
        made.start_redis()
        yield made


def opened(servers, **patience) -> BoundedRedisCache:
    made = BoundedRedisCache(servers.environment["REDIS_URL"], {"OPTIONS": patience})
    made.breaker = CircuitBreaker()
    return made


@pytest.fixture
def patient(servers):
    """A cache that differs in how long it waits only, so that a Redis that is there is not found away."""
    made = opened(servers, socket_timeout=30, socket_connect_timeout=30)
    made.set("word", "kept")
    return made


@pytest.fixture
def cache(servers, patient, clock):
    return opened(servers)


def seconds_of(act) -> float:
    began = time.monotonic()
    act()
    return time.monotonic() - began


def refuse(*arguments, **options):
    raise AssertionError("Redis is asked, which nobody should do now")


def test_while_it_is_frozen_one_waits_a_quarter_of_a_second_and_the_next_not_at_all(
    servers, cache, clock, caplog, monkeypatch
):
    def miss() -> None:
        cache.breaker.succeed()  # as if it had been there until now
        assert cache.get("word") is None

    with servers.frozen("redis"), caplog.at_level(logging.WARNING):
        waits = [seconds_of(miss) for _try in range(TRIES)]
        assert min(waits) > PATIENCE_SECONDS * 0.9
        assert min(waits) < PATIENCE_SECONDS * 1.8
        with monkeypatch.context() as patched:
            patched.setattr(cache._cache, "get_client", refuse)
            for act, arguments, given in [
                (cache.get, ("word", "nothing"), "nothing"),
                (cache.get_many, (["word"],), {}),
                (cache.add, ("lock", 1), True),  # who asks for a lock has it
                (cache.set_many, ({"a": 1},), ["a"]),
                (cache.delete, ("word",), False),
                (cache.has_key, ("word",), False),
            ]:
                assert act(*arguments) == given, act
            with pytest.raises(ValueError, match="not found"):
                cache.incr("number")
    assert [record.message for record in caplog.records if "Redis is away" in record.message] != []

    def is_back() -> bool:
        clock.now += PAUSE_SECONDS
        return cache.get("word") == "kept"

    assert wait_for(is_back)


def test_while_it_is_open_one_probe_is_let_through_and_no_more(clock):
    breaker = CircuitBreaker(pause_seconds=0.5)
    assert breaker.fail()
    assert not breaker.may_try()
    clock.now += 0.5
    assert [breaker.may_try() for _time in range(3)] == [True, False, False]
    assert not breaker.fail()
    assert not breaker.may_try()
    clock.now += 0.5
    assert breaker.may_try()
    assert breaker.succeed()
    assert [breaker.may_try() for _time in range(3)] == [True, True, True]


def test_after_a_restart_nobody_notices(servers, patient):
    servers.kill("redis")
    servers.start_redis()
    patient.set("word", "new")
    assert patient.get("word") == "new"


def test_sending_to_a_frozen_broker_ends_soon_and_then_at_once(servers, settings, clock, monkeypatch):
    settings.REDIS_URL = servers.environment["REDIS_URL"]
    queue = Queue("tests", broker=settings.REDIS_URL, set_as_current=False)
    queue.sending = CircuitBreaker()
    queue.conf.task_publish_retry = False

    def send() -> object:
        return queue.send_task("jobs.run", [1], ignore_result=True)

    def is_sent() -> bool:
        clock.now += PAUSE_SECONDS
        try:
            return bool(send())
        except OperationalError:
            return False

    def fail() -> None:
        queue.sending.succeed()  # as if it had been there until now
        with pytest.raises(OperationalError, match="is away"):
            send()

    assert wait_for(is_sent)
    with servers.frozen("redis"):
        assert min(seconds_of(fail) for _try in range(TRIES)) < SENDING_SECONDS * 4
        with monkeypatch.context() as patched:
            patched.setattr(Celery, "send_task", refuse)
            with pytest.raises(OperationalError, match="until it answers a probe"):
                send()
    assert wait_for(is_sent)


def test_a_folder_that_takes_no_more_is_a_cache_that_keeps_nothing(tmp_path, monkeypatch):
    folder = FolderCache(str(tmp_path / "cache"), {})
    folder.set("word", "kept")
    (tmp_path / "file").write_text("no folder")
    blocked = FolderCache(str(tmp_path / "file" / "cache"), {})
    blocked.set("word", "kept")
    assert blocked.get("word") is None
    assert blocked.add("lock", 1)
    with pytest.raises(OSError, match="Not a directory"):
        blocked.check()
    torn = next((tmp_path / "cache").glob("*.djcache"))
    torn.write_bytes(torn.read_bytes()[:-3])  # the disk was full halfway
    assert folder.get("word") is None
