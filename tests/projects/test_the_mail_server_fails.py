"""A mail server that refuses, or says nothing, costs a mail: no page fails by it and no thread waits for long."""

import socket
from collections.abc import Iterator

import pytest
from django.test import Client

from config import settings as product
from projects.models import Invitation
from tests.projects.test_invite_people import invite, link_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def silent_mail_server(settings) -> Iterator[None]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        by_smtp(settings, server.getsockname()[1])
        settings.EMAIL_TIMEOUT = 0.2
        yield


@pytest.fixture
def no_mail_server(settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    by_smtp(settings, port)


def by_smtp(settings, port: int) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port


def test_a_mail_server_is_waited_for_a_few_seconds():
    assert 0 < product.EMAIL_TIMEOUT <= 10


@pytest.mark.parametrize("server", ["silent_mail_server", "no_mail_server"])
def test_whoever_forgot_the_phrase_is_told_the_same_whether_the_address_is_known(server, request, mona, caplog):
    request.getfixturevalue(server)
    told = [
        Client().post("/accounts/password/reset/", {"email": email}) for email in (mona.email, "nobody@example.org")
    ]
    assert [(each.status_code, each["Location"]) for each in told] == [(302, "/accounts/password/reset/done/")] * 2
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == [
        "A mail could not be sent (account/email/password_reset_key)",
        "A mail could not be sent (account/email/unknown_account)",
    ]


@pytest.mark.parametrize("server", ["silent_mail_server", "no_mail_server"])
def test_nour_is_told_that_the_invitation_was_not_mailed_and_has_its_link(server, request, nour, project):
    request.getfixturevalue(server)
    page = invite(nour, project)
    assert page.status_code == 200
    assert "the mail could not be sent" in page.content.decode()
    assert "An invitation was sent" not in page.content.decode()
    assert Client().get(link_in(page)).status_code == 200
    assert Invitation.objects.get().is_open
