"""Where rows, the cache, what limits count and sessions are stored."""

from typing import Any

from config.settings.environment import DATA_DIR, REDIS_URL, WORKER_SLOTS, env

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'mizan.sqlite3'}")}
DATABASE = DATABASES["default"]
# A statement that waits for a lock for longer ends. The web server sets it (deploy/gunicorn_conf.py): its people are
# answered that they should send it again. Elsewhere SQLite waits for 20 s, and PostgreSQL for as long as it takes.
DATABASE_LOCK_SECONDS = env.float("DATABASE_LOCK_SECONDS", default=0)
if DATABASE["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE takes the write lock at BEGIN: a transaction that read first can then never fail halfway
    # because another one wrote meanwhile. FULL: what was answered with 2xx survives a power cut.
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": DATABASE_LOCK_SECONDS or 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-32000;",
    }
else:
    DATABASE["ENGINE"] = "config.postgresql"
    DATABASE["OPTIONS"] = {
        "connect_timeout": 3,
        # A host that vanished without a word is noticed in 15 to 20 s, where the system would wait for minutes.
        "keepalives_idle": 5,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
        **DATABASE.get("OPTIONS", {}),
        # Values go beside the statement, so that a connection can keep the plan of those in projects/prepared.py.
        # A pooler that gives each transaction another connection of the server needs DATABASE_PREPARE=0.
        "server_side_binding": env.bool("DATABASE_PREPARE", default=True),
        # Who finds the server away waits for 3 s, those after them hardly at all (config/postgresql). Attempts to
        # reach it are given up soon and begun anew with the next request: none of them sleeps when it is back.
        "pool": {
            "min_size": 2,
            # Of a worker each of its jobs has a connection, an import two; and it beats. The web server has as many for
            # each of its threads (deploy/gunicorn_conf.py).
            "max_size": env.int("DATABASE_POOL", default=max(10, 2 * WORKER_SLOTS + 2)),
            "timeout": 3,
            "reconnect_timeout": 1,
        },
    }
    if DATABASE_LOCK_SECONDS:
        given = DATABASE["OPTIONS"].get("options", "")
        DATABASE["OPTIONS"]["options"] = f"{given} -c lock_timeout={int(DATABASE_LOCK_SECONDS * 1000)}".strip()
    DATABASE["CONN_MAX_AGE"] = 0
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

if REDIS_URL:
    CACHES: dict[str, dict[str, Any]] = {
        "default": {"BACKEND": "config.caches.BoundedRedisCache", "LOCATION": REDIS_URL}
    }
else:
    # A folder, not the process's memory: rate limits must hold across the web server's workers.
    CACHES = {
        "default": {
            "BACKEND": "config.caches.FolderCache",
            "LOCATION": DATA_DIR / "cache",
            "OPTIONS": {"MAX_ENTRIES": 5000},
        }
    }
# What limits count (projects/throttling.py) stands apart, so that figures do not push it out. A cache that does not
# answer is not waited for: the count then goes into a table. So this one must fail where the other has misses.
if REDIS_URL:
    CACHES["counters"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "counters",
        "OPTIONS": {"socket_connect_timeout": 0.25, "socket_timeout": 0.25},
    }
else:
    CACHES["counters"] = {
        "BACKEND": "config.caches.CounterFolder",
        "LOCATION": DATA_DIR / "counters",
        "KEY_PREFIX": "counters",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
# From the database alone: sessions live through whatever happens to the cache.
SESSION_ENGINE = "projects.sessions"
