"""The folder that keeps figures is looked through now and then, and never grows without end."""

from pathlib import Path

from config.caches import WRITES, FolderCache


def test_it_stays_near_its_size_however_much_is_written(tmp_path: Path):
    kept = FolderCache(str(tmp_path), {"OPTIONS": {"MAX_ENTRIES": 100}})
    for number in range(2000):
        kept.set(f"figure-{number}", number)
    assert len(list(tmp_path.glob("*.djcache"))) < 100 + 20 * WRITES
    kept.set("last", "one")
    assert kept.get("last") == "one"
