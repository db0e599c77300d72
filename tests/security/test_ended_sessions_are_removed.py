"""Sessions that have ended do not pile up, and those that are open stay."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from celery import current_app
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from projects import sessions
from projects.tasks import sweep_sessions
from tests.people import PASSWORD

pytestmark = pytest.mark.django_db


def signed_in_by_form(email: str) -> Client:
    client = Client()
    assert client.post("/accounts/login/", {"login": email, "password": PASSWORD}).status_code == 302
    return client


def test_the_clock_removes_what_has_ended(mona, nour, monkeypatch):
    monkeypatch.setattr(sessions, "AT_ONCE", 1)
    for _visit in range(3):
        signed_in_by_form(mona.email)
    old = timezone.now() - timedelta(days=15)
    Session.objects.update(expire_date=old)
    UserSession.objects.update(last_seen_at=old)
    here = signed_in_by_form(nour.email)
    assert sweep_sessions() == 3
    assert [session.session_key for session in Session.objects.all()] == [here.cookies["sessionid"].value]
    assert list(UserSession.objects.values_list("user__email", flat=True)) == [nour.email]
    assert here.get("/").status_code == 200


def test_the_clock_is_told_to():
    assert "projects.tasks.sweep_sessions" in {entry["task"] for entry in current_app.conf.beat_schedule.values()}
    assert "projects.tasks.sweep_sessions" in current_app.tasks
