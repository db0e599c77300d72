"""The task queue. Tasks carry ids only; what is to be done stands in the database."""

import gc
import logging
import os
import threading
from importlib import import_module
from typing import Any

from celery import Celery, bootsteps
from celery.beat import Service
from celery.signals import worker_init
from celery.worker import state
from click import Option
from django.conf import settings
from kombu import Connection
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from projects.circuit_breaker import CircuitBreaker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks import every page. The web server and the migrations run them; a worker has no use for the pages, and
# without them is up sooner and smaller by 35 MB.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# Whoever sends waits so long for the broker and no longer: the row stands, and the sweep sends it again.
SENDING_SECONDS = 0.25
SENDING_TO_REDIS = {
    "socket_timeout": SENDING_SECONDS,
    "socket_connect_timeout": SENDING_SECONDS,
    # kombu would try to connect for ever otherwise.
    "max_retries": 0,
}


class Queue(Celery):
    """Celery, but that a broker that is away or frozen does not hold up whoever sends.

    Workers wait for messages on connections of their own (`connection_for_read`), for as long as it takes.
    """

    sending = CircuitBreaker()

    def connection_for_write(self, url: str | None = None, **options: Any) -> Connection:
        if settings.REDIS_URL:
            options["transport_options"] = SENDING_TO_REDIS | (options.get("transport_options") or {})
        return super().connection_for_write(url, **options)

    def send_task(self, *arguments: Any, **options: Any) -> Any:
        """Raises kombu's OperationalError: at once where the broker was away just now, else within half a second."""
        if not self.sending.may_try():
            raise OperationalError("The broker is away; nothing is sent until it answers a probe.")
        try:
            sent = super().send_task(*arguments, **options)
        except (OperationalError, RedisError, OSError) as problem:
            self.sending.fail()
            raise OperationalError(f"The broker is away: {type(problem).__name__}") from problem
        self.sending.succeed()
        return sent


app = Queue("mizan")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def load_what_each_process_needs(sender: Any, **_told: Any) -> None:
    """A worker that does nothing but ask models loads the SDK before it forks, so that its processes share it. Others
    load it with their first call, and are up sooner."""
    if set(sender.app.amqp.queues.consume_from) == {"calls"}:
        import_module("providers.client.openai_compatible")


@worker_init.connect
def keep_what_is_loaded(**_told: Any) -> None:
    """What is loaded by now stays until the end. Going through it again and again in search of garbage would take a
    tenth of a worker's time; and pages that nobody touches stay shared between its processes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@worker_init.connect
def keep_less_of_the_file(**_told: Any) -> None:
    """The embedded worker has a connection for each of its threads: with a web server's cache of the database's file
    each they would take more memory than all else in it."""
    options = settings.DATABASES["default"]["OPTIONS"]
    if "init_command" in options:
        options["init_command"] += " PRAGMA cache_size=-2000;"


class Clock(bootsteps.StartStopStep):
    """`worker --clock` sends what is due, from a thread of the worker's. Celery's own `--beat` is a process more, which
    outlives a worker that is killed and of whose end nobody hears."""

    def __init__(self, worker: Any, clock: bool = False, **_options: Any) -> None:
        self.enabled = clock

    def include_if(self, worker: Any) -> bool:
        return self.enabled

    def start(self, worker: Any) -> None:
        # A short interval, so that it ends soon after it is told to.
        self.service = Service(worker.app, max_interval=1, scheduler_cls=worker.app.conf.beat_scheduler)
        self.thread = threading.Thread(target=self.run, name="clock", daemon=True)
        self.thread.start()

    def run(self) -> None:
        try:
            self.service.start()
        except Exception:
            logging.getLogger(__name__).exception("The clock ended; its worker ends too, to be started anew")
            state.should_terminate = 1  # type: ignore[assignment]

    def stop(self, worker: Any) -> None:
        self.service.stop()
        self.thread.join(3)

    def terminate(self, worker: Any) -> None:
        self.stop(worker)


app.user_options["worker"].add(
    Option(["--clock"], is_flag=True, help="send what is due by the schedule; in one worker only")
)
app.steps["worker"].add(Clock)
