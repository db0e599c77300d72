"""The cache of an embedded installation: a folder that all its processes share."""

import random

from django.core.cache.backends.filebased import FileBasedCache

# How many writes there are for one look at how full the folder is.
WRITES = 50


class FolderCache(FileBasedCache):
    """Django's, but for listing the folder at every write: a dashboard that keeps hundreds of figures would spend
    longer on that than on some of them. The folder may hold some entries more than it should meanwhile."""

    def _cull(self) -> None:
        if random.random() * WRITES < 1:
            super()._cull()  # type: ignore[misc]
