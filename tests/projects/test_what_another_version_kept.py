"""After an upgrade the cache holds what is made of classes that are gone: that is made anew, and no page fails."""

import os
import sys

import pytest

from config.caches import BoundedRedisCache, FolderCache


class Figure:
    """Is taken away once a value of it is kept."""


@pytest.fixture(params=["folder", pytest.param("redis", marks=pytest.mark.redis)])
def cache(request, tmp_path):
    if request.param == "redis":
        return BoundedRedisCache(os.environ["REDIS_URL"], {"KEY_PREFIX": "another version"})
    return FolderCache(str(tmp_path), {})


def test_it_is_a_miss_and_said(cache, monkeypatch, caplog):
    cache.set_many({"old": Figure(), "other": 1})
    monkeypatch.delattr(sys.modules[__name__], "Figure")
    assert cache.get("old", "nothing") == "nothing"
    assert "old" not in cache.get_many(["old", "other"])
    assert "cannot be read" in caplog.text
    cache.set("old", 2)
    assert cache.get_many(["old", "other"]) == {"old": 2, "other": 1}
