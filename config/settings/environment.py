"""What kind of installation this is, and its secrets: read from the environment."""

import secrets
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parents[2]
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

# So many jobs one process of a worker does at once.
WORKER_SLOTS = env.int("WORKER_SLOTS", default=8)

# So many requests one process of the web server answers at once (deploy/gunicorn_conf.py).
WEB_THREADS = env.int("WEB_THREADS", default=8)

# Keys of providers are read by name from the environment or from this file (NAME=value lines), never stored.
SECRETS_FILE = env.str("SECRETS_FILE", default="")
# Endpoints of submitted models lie in the open network, but for these hosts: of one's own house, say.
SUBMITTED_PRIVATE_HOSTS = env.list("SUBMITTED_PRIVATE_HOSTS", default=[])
# A submitted model whose answers are not all there so long after it was accepted has timed out.
SUBMISSION_TIMEOUT_HOURS = env.float("SUBMISSION_TIMEOUT_HOURS", default=24)
# Where the embedded installation's simulated provider listens; empty where there is none.
FAKE_PROVIDER_URL = env.str("FAKE_PROVIDER_URL", default="")
