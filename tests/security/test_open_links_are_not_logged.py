"""Who may read the log can join no project by it, and set nobody's pass phrase."""

import logging
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client
from gunicorn.config import Config
from gunicorn.glogging import Logger as GunicornLogger

from deploy import gunicorn_conf
from projects.request_ids import TokenFilter

pytestmark = pytest.mark.django_db
ADDRESSES = [
    "/invitation/Zm9vYmFy-secret/",
    "/accounts/password/reset/key/3-c0ffee-secret/",
    "/accounts/confirm-email/Mg:secret/",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_token_of_an_address_stands_in_no_line(address, caplog):
    caplog.handler.addFilter(TokenFilter())
    Client().get(f"{address}nowhere/")  # Django's own line of a page that is not there
    logging.getLogger("elsewhere").warning("%s met an outage: %r", address, OperationalError("gone"))
    logging.getLogger("elsewhere").warning(f"GET http://localhost{address}?next=/ took long")
    said = [record.getMessage() for record in caplog.records]
    assert len(said) >= 2
    assert not any("secret" in line for line in said)
    assert said[-1].startswith("GET http://localhost/")
    assert said[-1].endswith("/…/?next=/ took long")


def test_every_line_of_the_server_goes_through_it():
    assert "tokens" in settings.LOGGING["handlers"]["console"]["filters"]
    assert settings.LOGGING["root"]["handlers"] == ["console"]


def test_the_web_server_s_own_lines_go_through_it(tmp_path):
    log = GunicornLogger(Config())
    for name in ("error", "access"):
        handler = logging.FileHandler(tmp_path / name)
        getattr(log, f"{name}_log").handlers = [handler]
    gunicorn_conf.on_starting(SimpleNamespace(log=log))
    log.error_log.error("Error handling request %s", ADDRESSES[0])
    log.access_log.info("%(r)s %(s)s", {"r": f"GET {ADDRESSES[1]} HTTP/1.1", "s": 200})
    assert (tmp_path / "error").read_text() == "Error handling request /invitation/…/\n"
    assert (tmp_path / "access").read_text() == "GET /accounts/password/reset/key/…/ HTTP/1.1 200\n"
