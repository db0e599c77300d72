"""Settings of both modes, read from the environment alone.

Embedded (the default) keeps everything under DATA_DIR: SQLite, the broker's messages, the cache, the key.
Production (PRODUCTION=1) needs SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL and REDIS_URL, and refuses to start
without them: a default there would be a hole that nobody notices.
"""

import os

from config.settings.api import *  # noqa: F403
from config.settings.application import *  # noqa: F403
from config.settings.background import *  # noqa: F403
from config.settings.database import *  # noqa: F403
from config.settings.environment import *  # noqa: F403
from config.settings.files import *  # noqa: F403
from config.settings.security import *  # noqa: F403

# Matrices here are small and several processes share the machine: threads of numpy's that wait for each other spin, and
# take up to thirty times as long. numpy reads this where it is first loaded, which is after the settings.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
