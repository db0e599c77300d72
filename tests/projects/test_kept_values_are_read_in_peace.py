"""While a kept value is read or written down nobody looks for garbage among its thousands of objects."""

import gc

import pytest

from config.caches import FolderCache

VALUE = [{"figure": [number]} for number in range(5_000)]


@pytest.fixture
def collections():
    """Those that begin, where one does with every few objects."""
    begun: list[int] = []

    def note(phase, told):
        if phase == "start":
            begun.append(told["generation"])

    before = gc.get_threshold()
    gc.callbacks.append(note)
    gc.set_threshold(50, 2, 2)
    yield begun
    gc.set_threshold(*before)
    gc.callbacks.remove(note)


def test_reading_a_kept_value_collects_nothing(tmp_path, collections):
    cache = FolderCache(str(tmp_path), {})
    cache.set("figures", VALUE)
    del collections[:]
    read = cache.get("figures")
    # A few before and after; one for every fifty of fifteen thousand objects would be hundreds.
    assert len(collections) < 20
    assert read == VALUE
    assert gc.isenabled()


def test_a_value_that_cannot_be_read_leaves_collecting_on(tmp_path):
    cache = FolderCache(str(tmp_path), {})
    cache.set("figures", VALUE)
    [path] = tmp_path.glob("*.djcache")
    path.write_bytes(path.read_bytes()[:-40])
    assert cache.get("figures") is None
    assert gc.isenabled()


def test_where_collecting_is_off_it_stays_off(tmp_path):
    cache = FolderCache(str(tmp_path), {})
    cache.set("figures", VALUE)
    gc.disable()
    try:
        assert cache.get("figures") == VALUE
        assert not gc.isenabled()
    finally:
        gc.enable()
