"""What a process does by itself while Redis is frozen, gone and back: wait once, then not at all, then go on."""

import logging
import time

import pytest
from kombu.exceptions import OperationalError

from config.caches import PATIENCE_SECONDS, BoundedRedisCache, FolderCache
from config.celery import Queue
from projects.circuit_breaker import CircuitBreaker
from tests.faults.at_work import wait_for
from tests.faults.machines import machine
from tests.servers import redis_program

pytestmark = pytest.mark.skipif(not redis_program(), reason="needs Redis")
# Where nobody waits; a tenth of a wait, even on a busy machine.
AT_ONCE = 0.1


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with machine(tmp_path_factory.mktemp("redis")) as made:
        made.start_redis()
        yield made


@pytest.fixture
def cache(servers):
    made = BoundedRedisCache(servers.environment["REDIS_URL"], {})
    made.breaker = CircuitBreaker(pause_seconds=0.5)
    made.set("word", "kept")
    return made


def timed(act, *arguments):
    began = time.monotonic()
    given = act(*arguments)
    return given, time.monotonic() - began


def test_while_it_is_frozen_one_waits_a_quarter_of_a_second_and_the_next_not_at_all(servers, cache, caplog):
    with servers.frozen("redis"), caplog.at_level(logging.WARNING):
        missed, seconds = timed(cache.get, "word")
        assert missed is None
        assert PATIENCE_SECONDS * 0.9 < seconds < PATIENCE_SECONDS * 3
        for act, arguments, given in [
            (cache.get, ("word", "nothing"), "nothing"),
            (cache.get_many, (["word"],), {}),
            (cache.add, ("lock", 1), True),  # who asks for a lock has it
            (cache.set_many, ({"a": 1},), ["a"]),
            (cache.delete, ("word",), False),
            (cache.has_key, ("word",), False),
        ]:
            answer, seconds = timed(act, *arguments)
            assert (answer, seconds < AT_ONCE) == (given, True), act
        with pytest.raises(ValueError, match="not found"):
            cache.incr("number")
    assert [record.message for record in caplog.records if "Redis is away" in record.message] != []
    assert wait_for(lambda: cache.get("word") == "kept", seconds=5)


def test_while_it_is_open_one_probe_is_let_through_and_no_more():
    breaker = CircuitBreaker(pause_seconds=0.05)
    assert breaker.fail()
    assert not breaker.may_try()
    time.sleep(0.06)
    assert [breaker.may_try() for _time in range(3)] == [True, False, False]
    assert not breaker.fail()
    time.sleep(0.06)
    assert breaker.may_try()
    assert breaker.succeed()
    assert [breaker.may_try() for _time in range(3)] == [True, True, True]


def test_after_a_restart_nobody_notices(servers, cache):
    servers.kill("redis")
    servers.start_redis()
    cache.set("word", "new")
    assert cache.get("word") == "new"


def test_sending_to_a_frozen_broker_ends_soon_and_then_at_once(servers, settings):
    settings.REDIS_URL = servers.environment["REDIS_URL"]
    queue = Queue("tests", broker=settings.REDIS_URL, set_as_current=False)
    queue.sending = CircuitBreaker(pause_seconds=0.5)
    queue.conf.task_publish_retry = False
    assert queue.send_task("jobs.run", [1], ignore_result=True)
    with servers.frozen("redis"):
        for most in (1.0, AT_ONCE):
            began = time.monotonic()
            with pytest.raises(OperationalError):
                queue.send_task("jobs.run", [2], ignore_result=True)
            assert time.monotonic() - began < most

    def is_sent() -> bool:
        try:
            return bool(queue.send_task("jobs.run", [3], ignore_result=True))
        except OperationalError:
            return False

    assert wait_for(is_sent, seconds=5)


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
