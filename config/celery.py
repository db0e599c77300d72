"""The task queue. Tasks carry ids only; what is to be done stands in the database."""

import gc
import os
from typing import Any

from celery import Celery
from celery.signals import worker_init
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks import every page. The web server and the migrations run them; a worker has no use for the pages, and
# without them is up sooner and smaller by 35 MB.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("mizan")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


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
        options["init_command"] += " PRAGMA cache_size=-8000;"
