"""The project's own settings in a folder of the test run's own, which is removed afterwards.

DATABASE_URL and REDIS_URL decide what the tests run on, as they do for a server; without them it is the embedded
mode. Each pytest-xdist process gets its own folder, database and cache, so that none sees another's rate limits.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

PROCESS = os.environ.get("PYTEST_XDIST_WORKER", "main")
if "MIZAN_TEST_DATA" not in os.environ:
    os.environ["MIZAN_TEST_DATA"] = tempfile.mkdtemp(prefix="mizan-tests-")
    atexit.register(shutil.rmtree, os.environ["MIZAN_TEST_DATA"], ignore_errors=True)
os.environ["DATA_DIR"] = str(Path(os.environ["MIZAN_TEST_DATA"]) / PROCESS)
os.environ.setdefault("SECRET_KEY", "tests-only")
os.environ.setdefault("STATIC_HASHED", "0")
Path(os.environ["DATA_DIR"]).mkdir(parents=True, exist_ok=True)

from config.settings import *  # noqa: E402, F403
from config.settings import CACHES, DATA_DIR, DATABASES, REDIS_URL  # noqa: E402

# Hashing passwords slowly is tested where it matters; elsewhere it would be most of the time.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Each test client would read all static files' names and dates otherwise; so they are looked up when asked for.
WHITENOISE_AUTOREFRESH = True
for name, chosen in CACHES.items():
    chosen["KEY_PREFIX"] = f"mizan-tests-{PROCESS}-{name}"
    if REDIS_URL:
        chosen["BACKEND"] = "tests.redis_cache.OwnKeysCache"
        # Redis is there, however busy the machine is: one that is away is met by servers with the project's settings.
        chosen["OPTIONS"] = chosen.get("OPTIONS", {}) | {"socket_timeout": 30, "socket_connect_timeout": 30}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file as in production, not memory: the live server's threads then lock as they will for people.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "tests.sqlite3"}
    # But nobody needs it after a power cut; the tests that kill servers run them with the project's own settings.
    whole = DATABASES["default"]["OPTIONS"]["init_command"]
    assert "synchronous=FULL" in whole
    DATABASES["default"]["OPTIONS"]["init_command"] = whole.replace("synchronous=FULL", "synchronous=OFF")
else:
    # The same of PostgreSQL.
    options = DATABASES["default"]["OPTIONS"]
    options["connect_timeout"] = 30
    options["pool"] |= {"timeout": 60, "reconnect_timeout": 30}
