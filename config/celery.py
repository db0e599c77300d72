"""The task queue. Tasks carry ids only; what is to be done stands in the database."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks import every page. The web server and the migrations run them; a worker has no use for the pages, and
# without them is up sooner and smaller by 35 MB.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("mizan")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
