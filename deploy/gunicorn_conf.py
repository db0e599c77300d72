"""The web server of both modes; every value can be set in the environment.

Threads, because a request mostly waits for the database; its process has two connections for each of them
(DATABASE_POOL), for a small import takes a second one. Two processes by default: with SQLite one writes at a time
anyway, and with PostgreSQL two per core is the usual start (WEB_WORKERS). Eight threads saved half as many drafts again
a second as four (16 at once, 2 cores).
"""

import gc
import os
from typing import Any

# Whoever waits longer for another's lock is told to send it again; the browser does so by itself, and gives up waiting
# for one answer after 20 s. Set before the settings are read.
os.environ.setdefault("DATABASE_LOCK_SECONDS", "10")
wsgi_app = "config.wsgi:application"
bind = os.environ.get("BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_WORKERS", "2"))
threads = int(os.environ.get("WEB_THREADS", "8"))
# Who is given no connection takes the database for away, and others then hardly wait for it (config/postgresql): there
# are enough for all threads at once, and for what looks after the process. Set before the settings are read.
os.environ.setdefault("DATABASE_POOL", str(2 * threads + 2))
# The application is loaded once, before the workers are forked: they share its memory, and one that was killed is
# replaced at once, by a fork instead of seconds of imports.
preload_app = True
# A worker whose main loop says nothing for so long is replaced; its requests have threads of their own, and no limit.
timeout = int(os.environ.get("WEB_TIMEOUT", "60"))
graceful_timeout = int(os.environ.get("WEB_GRACE", "5"))
keepalive = 30
# Heartbeat files in memory: on a busy disk a worker could otherwise look dead.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None
accesslog = os.environ.get("ACCESS_LOG") or None
errorlog = "-"
# Only the proxy named here is believed about the visitor's address and scheme.
forwarded_allow_ips = os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1")
# Its default place is one file in the home folder, which two installations would fight over.
control_socket_disable = True


def on_starting(server: Any) -> None:
    """Gunicorn's own lines, of accesses and of what went wrong, pass by Django's handlers: none says a token either."""
    from projects.request_ids import TokenFilter

    for logger in (server.log.error_log, server.log.access_log):
        for handler in logger.handlers:
            handler.addFilter(TokenFilter())


def when_ready(server: Any) -> None:
    """What is loaded by now is never garbage: looking through it would copy the pages that the workers share.

    And what is loaded later is looked through seldom: each time takes as long as a whole page, of which one in
    seventeen would pay.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
