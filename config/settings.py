"""Settings of both modes, read from the environment alone.

Embedded (the default) keeps everything under DATA_DIR: SQLite, the broker's messages, the cache, the key.
Production (PRODUCTION=1) needs SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL and REDIS_URL, and refuses to start
without them: a default there would be a hole that nobody notices.
"""

import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

PRODUCTION = env.bool("PRODUCTION", default=False)
DEBUG = env.bool("DEBUG", default=False)
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "data"))).resolve()


def embedded_secret_key() -> str:
    """The key of an embedded installation: made once, readable by its owner alone."""
    path = DATA_DIR / "secret_key"
    if not path.exists():
        DATA_DIR.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


def required(name: str) -> str:
    value = env.str(name, default="")
    if not value:
        raise ImproperlyConfigured(f"PRODUCTION is set, so {name} must be set too.")
    return value


def required_secret(name: str) -> str:
    """A secret that nobody can guess: an example out of a document, or a word, opens every session."""
    value = required(name)
    if len(value) < 50 or len(set(value)) < 12 or value.startswith("django-insecure"):
        raise ImproperlyConfigured(f"{name} must be at least 50 random characters; this one can be guessed.")
    return value


if PRODUCTION:
    if DEBUG:
        raise ImproperlyConfigured("DEBUG cannot be set together with PRODUCTION.")
    SECRET_KEY = required_secret("SECRET_KEY")
    ALLOWED_HOSTS = required("ALLOWED_HOSTS").split(",")
    required("DATABASE_URL")
    required("REDIS_URL")
else:
    SECRET_KEY = env.str("SECRET_KEY", default="") or embedded_secret_key()
    ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])

CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
REDIS_URL = env.str("REDIS_URL", default="")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
    "projects",
    "formats",
    "jobs",
    "workflow",
    "annotation",
    "rubrics",
    "providers",
    "judging",
    "screening",
    "reports",
    "demo",
]

MIDDLEWARE = [
    "projects.middleware.FailureMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # before compression: its files have compressed copies
    "config.compression.CompressionMiddleware",
    "projects.middleware.NothingIsKept",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "csp.middleware.CSPMiddleware",
    "projects.middleware.SignInAgain",
    "projects.middleware.Limits",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # A judge kind brings the template of its answers along: "kinds/spans/answer.html".
        "DIRS": [BASE_DIR / "templates", BASE_DIR / "judging"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# So many jobs one process of a worker does at once.
WORKER_SLOTS = env.int("WORKER_SLOTS", default=8)

# So many requests one process of the web server answers at once (deploy/gunicorn_conf.py).
WEB_THREADS = env.int("WEB_THREADS", default=8)

# --- Database ---------------------------------------------------------------------------------------

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

# --- People -----------------------------------------------------------------------------------------

AUTH_USER_MODEL = "projects.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"

ACCOUNT_ADAPTER = "projects.accounts.InvitationOnlyAdapter"
ACCOUNT_FORMS = {"signup": "projects.signup.InvitedSignupForm"}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# The invitation's link, sent to the address, is the proof that it is theirs.
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
ACCOUNT_USER_DISPLAY = "projects.accounts.display_name"
# The visitor's address is the one that the outermost proxy of ours saw. Without this everybody would share the
# proxy's address, and ten wrong pass phrases of a stranger would keep the whole team out.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", default=1 if PRODUCTION else 0)
# allauth counts in the cache alone; the limits below hold without it. Guessing: projects/guessing.py.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
# Per minute, by route: of each visitor's address, person or e-mail typed. A class behind one address signs in at once.
FORM_LIMITS: dict[str, dict[str, int]] = {
    "account_login": {"address": env.int("SIGN_INS_PER_MINUTE_AND_ADDRESS", default=120)},
    "account_signup": {"address": 60},
    "account_reset_password": {"address": 20, "email": 5},
    "account_reset_password_from_key": {"address": 20},
    "account_change_password": {"person": 5},
    "account_set_password": {"person": 5},
    "account_reauthenticate": {"person": 10},
    "account_email": {"person": 10},
    "mfa_authenticate": {"address": 60},
    "mfa_reauthenticate": {"person": 10},
    "mfa_reauthenticate_webauthn": {"person": 10},
    "mfa_activate_totp": {"person": 10},
    "mfa_login_webauthn": {"address": 30},
}
# What shows nobody's data and is meant to be kept; everything else is no-store.
CACHEABLE_ROUTES = {"texts", "import-schema"}
USERSESSIONS_ADAPTER = "projects.account_audit.AuditedSessions"
MFA_FORMS = {
    "authenticate": "projects.second_factor.CodeForm",
    "reauthenticate": "projects.second_factor.CodeAgainForm",
    "authenticate_webauthn": "projects.second_factor.PasskeyForm",
    "login_webauthn": "projects.second_factor.PasskeyAloneForm",
    "reauthenticate_webauthn": "projects.second_factor.PasskeyAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Mizan"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not PRODUCTION
USERSESSIONS_TRACK_ACTIVITY = False

SESSION_COOKIE_AGE = 60 * 60 * 24 * 14
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "projects.views.errors.csrf_failure"
CSRF_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "SAMEORIGIN"  # signing in again happens in a frame of the page that lost its session
SILENCED_SYSTEM_CHECKS = ["security.W019"]  # asks for DENY, which that frame rules out
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"

if PRODUCTION:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "frame-ancestors": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "object-src": [NONE],
    }
}

vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
# A mail server that hangs would hold a thread of the web server for as long as it likes.
EMAIL_TIMEOUT = env.float("EMAIL_TIMEOUT", default=5)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Mizan <mizan@localhost>")

# --- Languages and time -----------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", "English"),
    ("ar", "العربية"),
    ("bn", "বাংলা"),
    ("id", "Bahasa Indonesia"),
    ("ko", "한국어"),
]
# What Django and allauth leave untranslated in one of the languages stands beside the texts of our own.
LOCALE_PATHS = [BASE_DIR / "locale", BASE_DIR / "locale" / "libraries"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- Files ------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STATICFILES_DIRS = [BASE_DIR / "static" / "dist"]
# Tests and development read the sources in place; a server serves hashed, compressed copies.
STATIC_HASHED = env.bool("STATIC_HASHED", default=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_HASHED
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not STATIC_HASHED
WHITENOISE_KEEP_ONLY_HASHED_FILES = STATIC_HASHED
# Beside what is compressed already: source maps, which only a developer's tools ask for.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["png", "woff", "woff2", "eot", "ttf", "gz", "br", "map", "txt", "html"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# Larger files come in through the commands, which have no limit.
IMPORT_MAX_BYTES = env.int("IMPORT_MAX_BYTES", default=50_000_000)
# With less space than this /readyz says that it is limited.
DISK_RESERVE_MB = env.int("DISK_RESERVE_MB", default=200)

# --- Programming interface --------------------------------------------------------------------------

# Of one token (or one person's session), of one visitor's address, and tokens that are none, of one address.
API_REQUESTS_PER_MINUTE = env.int("API_REQUESTS_PER_MINUTE", default=600)
API_REQUESTS_PER_MINUTE_AND_ADDRESS = env.int("API_REQUESTS_PER_MINUTE_AND_ADDRESS", default=3000)
API_BAD_TOKENS_PER_MINUTE = env.int("API_BAD_TOKENS_PER_MINUTE", default=20)
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "projects.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_THROTTLE_CLASSES": ["projects.api.throttles.PerToken"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.CursorPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Mizan",
    "DESCRIPTION": "Projects, responses, answers of people and judges, and what they add up to.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "ENUM_NAME_OVERRIDES": {"JobState": "jobs.models.JobState", "RunState": "judging.models.RunState"},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# --- Work in the background -------------------------------------------------------------------------

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
    "sweep-jobs": {"task": "jobs.tasks.sweep", "schedule": timedelta(seconds=JOB_SWEEP_SECONDS)},
    # Each hour, not each night: the clock counts from its start, and may be started anew every day.
    "sweep-sessions": {"task": "projects.tasks.sweep_sessions", "schedule": timedelta(hours=1)},
    "compact-revisions": {"task": "reports.tasks.compact_revisions", "schedule": timedelta(minutes=1)},
}
for entry in CELERY_BEAT_SCHEDULE.values():
    # Those that nobody took up while no worker was there are not made up for one by one.
    entry["options"] = {"expires": entry["schedule"].total_seconds()}

# Keys of providers are read by name from the environment or from this file (NAME=value lines), never stored.
SECRETS_FILE = env.str("SECRETS_FILE", default="")
# Where the embedded installation's simulated provider listens; empty where there is none.
FAKE_PROVIDER_URL = env.str("FAKE_PROVIDER_URL", default="")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request": {"()": "projects.request_ids.RequestIdFilter"},
        "tokens": {"()": "projects.request_ids.TokenFilter"},
    },
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {request_id} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request", "tokens"]}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"httpx2": {"level": "WARNING"}, "openai": {"level": "WARNING"}},
}

LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
LANGUAGE_COOKIE_SAMESITE = "Lax"
