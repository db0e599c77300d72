"""Who may read the log can join no project by it, and set nobody's pass phrase."""

import logging

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client

from projects.request_ids import TokenFilter

pytestmark = pytest.mark.django_db
ADDRESSES = ["/invitation/Zm9vYmFy-secret/", "/accounts/password/reset/key/3-c0ffee-secret/"]


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
