"""Counts hold across processes, on the cache and, while that fails, in the database."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache

from projects import throttling
from projects.models import WindowCount
from tests.threads import at_once

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


class Broken(BaseCache):
    """A cache that cannot be reached."""

    def _fail(self, *arguments, **options):
        raise ConnectionError("refused")

    add = get = incr = decr = delete = clear = _fail


class Forgetful(BaseCache):
    """A cache behind a breaker: each write is said to be done, each read is a miss."""

    def add(self, *arguments, **options):
        return True

    def get(self, key, default=None, **options):
        return default

    def incr(self, key, delta=1, **options):
        return delta


@pytest.fixture(autouse=True)
def rested(monkeypatch):
    monkeypatch.setattr(throttling, "_cache_rests_until", 0.0)


@pytest.fixture(params=["cache", Broken, Forgetful])
def side(request, monkeypatch):
    if request.param == "cache":
        return "cache"
    monkeypatch.setattr(throttling, "caches", {throttling.CACHE: request.param({})})
    return "database"


def test_a_limit_is_reached_and_ends_with_its_window(side, monkeypatch):
    now = [1_800_000_000.0]
    monkeypatch.setattr(throttling.time, "time", lambda: now[0])
    assert [throttling.take("t", "a", 2, 60) for _use in range(2)] == [None, None]
    now[0] += 20
    assert throttling.take("t", "a", 2, 60) == pytest.approx(40, abs=0.01)
    assert throttling.take("t", "b", 2, 60) is None
    assert throttling.take("other", "a", 2, 60) is None
    now[0] += 41
    assert throttling.take("t", "a", 2, 60) is None
    assert throttling.counted("t", "a") == 1
    assert throttling.state()["counts"] == side


def test_a_count_is_given_back_and_forgotten(side):
    for _use in range(3):
        throttling.count("t", "a", 60)
    throttling.give_back("t", "a")
    assert throttling.counted("t", "a") == 2
    throttling.forget("t", "a")
    throttling.give_back("t", "a")
    assert throttling.counted("t", "a") == 0
    assert throttling.count("t", "a", 60).n == 1


def test_the_last_one_is_given_back_twice_at_one_moment(monkeypatch):
    throttling.count("t", "a", 60)
    both_have_looked, asked = threading.Barrier(2, timeout=60), throttling._asked

    def asked_together(verb: str, *arguments: object) -> int:
        value = asked(verb, *arguments)
        if verb == "get":
            both_have_looked.wait()
        return value

    monkeypatch.setattr(throttling, "_asked", asked_together)
    at_once(lambda _each: throttling.give_back("t", "a"), range(2))
    monkeypatch.undo()
    assert throttling.counted("t", "a") == 0
    assert throttling.count("t", "a", 60).n == 1


def test_while_the_cache_fails_it_is_asked_rarely_and_said_so_once(monkeypatch, caplog):
    asked = []

    class Counted(Broken):
        def add(self, *arguments, **options):
            asked.append(arguments)
            raise ConnectionError("refused")

    monkeypatch.setattr(throttling, "caches", {throttling.CACHE: Counted({})})
    assert [throttling.count("t", "a", 60).n for _use in range(5)] == [1, 2, 3, 4, 5]
    assert len(asked) == 1
    assert caplog.text.count("limits are counted in the database") == 1
    assert WindowCount.objects.get().n == 5


def test_no_address_of_a_person_stands_in_the_table(monkeypatch):
    monkeypatch.setattr(throttling, "caches", {throttling.CACHE: Broken({})})
    throttling.count("t", "mona@example.org", 60)
    assert "mona" not in WindowCount.objects.get().place


def test_what_has_ended_leaves_the_table(monkeypatch):
    monkeypatch.setattr(throttling, "caches", {throttling.CACHE: Broken({})})
    monkeypatch.setattr(throttling, "COUNTS_PER_CLEANING", 0)
    WindowCount.objects.create(place="old", n=3, ends_at=1.0)
    throttling.count("t", "a", 60)
    assert not WindowCount.objects.filter(place="old").exists()


def test_the_count_is_shared_by_all_processes():
    """Eight processes count at once and lose none: the cache is a folder or Redis, never a memory."""
    code = (
        "import django; django.setup(); from django.core.cache import caches; from projects import throttling\n"
        "for _ in range(50): throttling.count('shared', 'a', 600)"
    )
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    others = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment) for _process in range(4)]
    assert [other.wait(120) for other in others] == [0] * 4
    assert throttling.counted("shared", "a") == 200


@pytest.mark.django_db(transaction=True)
def test_no_count_is_lost_between_threads(side):
    def count(_thread: int) -> None:
        for _use in range(20):
            throttling.count("t", "a", 600)

    at_once(count, range(4))
    assert throttling.counted("t", "a") == 80


@pytest.mark.redis
def test_redis_that_is_not_there_costs_a_moment_once(settings, monkeypatch):
    from django.core.cache import CacheHandler

    gone = settings.CACHES["counters"] | {"LOCATION": "redis://127.0.0.1:1/0"}
    monkeypatch.setattr(throttling, "caches", CacheHandler({"default": gone, "counters": gone}))
    assert throttling.count("t", "a", 60).n == 1
    assert throttling.state()["counts"] == "database"


def test_the_folder_is_not_the_one_of_figures():
    """What pushes figures out at random must not push counts out."""
    assert caches[throttling.CACHE] is not caches["default"]
