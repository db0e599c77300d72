"""A production installation starts with secrets of its own or not at all, and its cookies stay on their host."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client, RequestFactory, override_settings

ROOT = Path(__file__).resolve().parents[2]
COMPLETE = {
    "PRODUCTION": "1",
    "SECRET_KEY": "v6Jx2rQw9TzKp4LmN8bYc3HdF7sGa5UeXi1RoWq0ZtMnBvCyPl",
    "ALLOWED_HOSTS": "mizan.example.org",
    "DATABASE_URL": "postgres://mizan:secret@127.0.0.1/mizan",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}
NAMES = [
    *("SESSION_COOKIE_NAME", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "SESSION_COOKIE_DOMAIN"),
    *("SESSION_COOKIE_PATH", "CSRF_COOKIE_NAME", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_DOMAIN", "CSRF_COOKIE_PATH"),
    *("LANGUAGE_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "DEBUG", "ALLAUTH_TRUSTED_PROXY_COUNT"),
]
SHOW = f"import json, django.conf as c; print(json.dumps({{n: getattr(c.settings, n) for n in {NAMES}}}))"


def start(**variables: str) -> subprocess.CompletedProcess[str]:
    """The settings read as a server reads them, with these variables over a complete set; None takes one away."""
    return run_in_production("-c", SHOW, **variables)


def run_in_production(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    hidden = {"SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DATA_DIR", "DEBUG", "PRODUCTION", "ALLOWED_HOSTS"}
    hidden |= {"DJANGO_ALLOW_ASYNC_UNSAFE"}  # of the tests in a browser
    inherited = {name: value for name, value in os.environ.items() if name not in hidden}
    chosen = {name: value for name, value in (COMPLETE | variables).items() if value}
    environment = inherited | chosen | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_the_check_of_a_deployment_finds_nothing():
    """The description of the API is part of it: two components of one name, or a kind that has to be numbered, are
    found here and not by whoever generates a client."""
    checked = run_in_production("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"])
def test_it_does_not_start_without(missing):
    refused = start(**{missing: ""})
    assert refused.returncode != 0
    assert missing in refused.stderr


@pytest.mark.parametrize(
    "guessable",
    ["changeme", COMPLETE["SECRET_KEY"][:40], "a" * 60, "django-insecure-" + COMPLETE["SECRET_KEY"], "secret" * 10],
)
def test_it_does_not_start_with_a_secret_that_can_be_guessed(guessable):
    refused = start(SECRET_KEY=guessable)
    assert refused.returncode != 0
    assert "SECRET_KEY must be at least 50 random characters" in refused.stderr
    assert guessable not in refused.stderr.splitlines()[-1]


def test_it_does_not_start_in_debug_mode():
    assert "DEBUG cannot be set" in start(DEBUG="1").stderr


def test_cookies_are_bound_to_the_host_and_sent_over_https_alone():
    """What browsers ask of `__Host-`: Secure, the path /, and no domain."""
    started = start()
    assert started.returncode == 0, started.stderr
    found = json.loads(started.stdout)
    assert found["SESSION_COOKIE_NAME"] == "__Host-sessionid"
    assert found["CSRF_COOKIE_NAME"] == "__Host-csrftoken"
    for kind in ("SESSION", "CSRF"):
        assert found[f"{kind}_COOKIE_SECURE"] is True
        assert found[f"{kind}_COOKIE_DOMAIN"] is None
        assert found[f"{kind}_COOKIE_PATH"] == "/"
    assert all(found[name] for name in ("SESSION_COOKIE_HTTPONLY", "LANGUAGE_COOKIE_SECURE", "SECURE_SSL_REDIRECT"))
    assert found["SECURE_HSTS_SECONDS"] >= 31_536_000
    assert found["ALLAUTH_TRUSTED_PROXY_COUNT"] == 1


@pytest.mark.django_db
@override_settings(
    SESSION_COOKIE_NAME="__Host-sessionid",
    CSRF_COOKIE_NAME="__Host-csrftoken",
    SESSION_COOKIE_SECURE=True,
    CSRF_COOKIE_SECURE=True,
)
def test_signing_in_sets_such_cookies(mona):
    from tests.people import PASSWORD

    browser = Client()
    browser.get("/accounts/login/")
    browser.post("/accounts/login/", {"login": mona.email, "password": PASSWORD})
    for name in ("__Host-sessionid", "__Host-csrftoken"):
        cookie = browser.cookies[name]
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", ""), name
    assert browser.cookies["__Host-sessionid"]["httponly"]


@override_settings(ALLAUTH_TRUSTED_PROXY_COUNT=1)
def test_the_visitor_is_who_the_proxy_saw_not_who_they_say_they_are():
    from allauth.core.internal.httpkit import get_client_ip

    request = RequestFactory().get("/", headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.7"}, REMOTE_ADDR="127.0.0.1")
    assert get_client_ip(request) == "203.0.113.7"
