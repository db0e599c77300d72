"""The task queue. Tasks carry ids only; what is to be done stands in the database."""

import os
from datetime import timedelta

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("mizan")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "sweep-leases": {"task": "workflow.tasks.sweep_leases", "schedule": timedelta(seconds=30)},
    "sweep-shards": {
        "task": "judging.tasks.sweep_shards",
        "schedule": timedelta(seconds=settings.JUDGING_SWEEP_SECONDS),
    },
}
