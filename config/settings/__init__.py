"""Settings of both modes, read from the environment alone.

Embedded (the default) keeps everything under DATA_DIR: SQLite, the broker's messages, the cache, the key.
Production (PRODUCTION=1) needs SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL and REDIS_URL, and refuses to start
without them: a default there would be a hole that nobody notices.
"""

from config.settings.api import *  # noqa: F403
from config.settings.application import *  # noqa: F403
from config.settings.background import *  # noqa: F403
from config.settings.database import *  # noqa: F403
from config.settings.environment import *  # noqa: F403
from config.settings.files import *  # noqa: F403
from config.settings.security import *  # noqa: F403
