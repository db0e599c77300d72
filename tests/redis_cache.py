"""Redis as the tests use it: several processes, perhaps others' keys too, in one database."""

from config.caches import BoundedRedisCache


class OwnKeysCache(BoundedRedisCache):
    """Clearing removes this process's keys alone; Django's own would empty the whole Redis database."""

    def clear(self) -> None:
        client = self._cache.get_client(None, write=True)
        for key in client.scan_iter(match=f"{self.key_prefix}:*", count=1000):
            client.delete(key)
