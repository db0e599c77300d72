"""The product's own server settings, and a word in the log from each worker that has loaded the application.

Only such a worker accepts connections: clients that connected earlier would all stay with the first that is ready.
"""

from gunicorn.workers.base import Worker

from deploy.gunicorn_conf import *  # noqa: F403

READY = "has loaded the application"


def post_worker_init(worker: Worker) -> None:
    worker.log.warning("Worker %s %s", worker.pid, READY)
