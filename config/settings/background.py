"""Queues, the broker, workers, the schedule, and when a job counts as lost."""

from datetime import timedelta
from typing import Any

from kombu import Exchange, Queue

from config.settings.environment import DATA_DIR, REDIS_URL, env

# Where a job waits, by what it mostly does (`jobs.models.Queue`), so that none waits for another kind of work. A worker
# started without naming any serves them all. Sweeps have one of their own, so that no import and no provider that hangs
# keeps them waiting.
SWEEPS = "sweeps"
QUEUES = ["calls", "figures", "work", SWEEPS]
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), routing_key=name) for name in QUEUES]
CELERY_TASK_DEFAULT_QUEUE = "work"
CELERY_TASK_ROUTES = {"*.sweep*": {"queue": SWEEPS}, "*.compact*": {"queue": SWEEPS}}
CELERY_TASK_CREATE_MISSING_QUEUES = False

if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT = "config.broker.redis_lists.Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {"visibility_timeout": 3600}
elif env.str("BROKER_URL", default="") == "filesystem://":
    # kombu's own, of which a worker can die: for the tests that show it.
    CELERY_BROKER_URL = "filesystem://"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA_DIR / "broker"),
        "data_folder_out": str(DATA_DIR / "broker"),
        "control_folder": str(DATA_DIR / "broker" / "control"),
        "polling_interval": 0.1,
    }
else:
    CELERY_BROKER_URL = "folder://localhost/"
    CELERY_BROKER_TRANSPORT = "config.broker.folder.Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "folder": str(DATA_DIR / "broker"),
        # The folder is looked at so often: a message waits for half of this.
        "polling_interval": 0.1,
    }
# Workers are watched by what started them and told to end by signals: nothing of theirs needs to hear all others.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
# The schedule is made of intervals alone, so a clock that starts anew needs no file of what came last.
CELERY_BEAT_SCHEDULER = "celery.beat.Scheduler"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# However long the broker is away, the workers go on when it is back.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# What is not sent at once is not waited for: the row stands, and the sweep sends it again.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ALWAYS_EAGER = env.bool("CELERY_TASK_ALWAYS_EAGER", default=False)
CELERY_TASK_EAGER_PROPAGATES = CELERY_TASK_ALWAYS_EAGER

# A job whose worker has said nothing for so long is given to another; one that no worker has taken up is sent again,
# in case its message was lost; and so often somebody looks.
JOB_SILENCE_SECONDS = env.float("JOB_SILENCE_SECONDS", default=60)
JOB_LOST_SECONDS = env.float("JOB_LOST_SECONDS", default=60)
JOB_SWEEP_SECONDS = env.float("JOB_SWEEP_SECONDS", default=15)
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "sweep-leases": {"task": "workflow.tasks.sweep_leases", "schedule": timedelta(seconds=30)},
    "close-what-is-due": {"task": "workflow.tasks.close_what_is_due", "schedule": timedelta(minutes=1)},
    "tell-of-dates": {"task": "workflow.tasks.tell_of_dates", "schedule": timedelta(minutes=30)},
    "sweep-mail": {"task": "notices.tasks.sweep_mail", "schedule": timedelta(minutes=1)},
    "sweep-jobs": {"task": "jobs.tasks.sweep", "schedule": timedelta(seconds=JOB_SWEEP_SECONDS)},
    # Each hour, not each night: the clock counts from its start, and may be started anew every day.
    "sweep-sessions": {"task": "projects.tasks.sweep_sessions", "schedule": timedelta(hours=1)},
    "follow-submissions": {"task": "judging.tasks.follow_submissions", "schedule": timedelta(minutes=1)},
    "compact-revisions": {"task": "reports.tasks.compact_revisions", "schedule": timedelta(minutes=1)},
}
for entry in CELERY_BEAT_SCHEDULE.values():
    # Those that nobody took up while no worker was there are not made up for one by one.
    entry["options"] = {"expires": entry["schedule"].total_seconds()}
