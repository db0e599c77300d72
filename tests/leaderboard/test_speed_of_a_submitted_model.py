"""Nour measures how fast a submitted model answers: its address is looked at whenever a connection is made."""

import socket
from urllib.parse import urlsplit

import pytest

from benchmark.models import SpeedMeasurement
from benchmark.submissions.submitting import submit
from judging.collecting.submitted import accept
from judging.engine import runs
from judging.speed import calling
from judging.speed.measuring import How, chosen, measure
from projects.problems import Invalid
from providers.models import Provider
from tests.judging.conftest import every_provider_is_up, fake_provider, fake_provider_process
from tests.leaderboard.submitting import feasts, layla, opened, pond, questions

__all__ = ["every_provider_is_up", "fake_provider", "fake_provider_process", "feasts", "layla", "opened", "questions"]
pytestmark = pytest.mark.django_db
HOST = "models.pond.example.org"


@pytest.fixture
def served(fake_provider, monkeypatch):
    """The fake provider at a name that leads to this machine, where the name is looked up."""
    look_up = socket.getaddrinfo

    def led_here(host, *args, **options):
        named = host.decode() if isinstance(host, bytes) else host
        return look_up("127.0.0.1" if named == HOST else host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", led_here)
    monkeypatch.setattr(calling, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(runs, "send", lambda jobs: None)
    fake_provider.tell(record=True)
    return fake_provider


@pytest.fixture
def on_the_board(opened, layla, nour, served, settings):
    settings.SUBMITTED_PRIVATE_HOSTS = [HOST]
    address = f"http://{HOST}:{urlsplit(served.url).port}{urlsplit(served.url).path}"
    row = accept(submit(opened, layla, pond(address=address, model="simulated-1")), nour)
    [target] = chosen(row.board.project, [row.configuration.slug])
    return target


def test_a_name_that_leads_to_a_private_address_by_then_is_not_called(on_the_board, served, settings):
    how = How(calls=2, warm_up=0)
    assert measure(on_the_board, how).samples.count() == 2  # an address that may be called is measured
    n_asked = len(served.asked())
    settings.SUBMITTED_PRIVATE_HOSTS = []
    with pytest.raises(Invalid) as caught:
        measure(on_the_board, how)
    assert "not public" in caught.value.problems[0].message
    assert len(served.asked()) == n_asked
    assert SpeedMeasurement.objects.count() == 1
    # what an administrator has set up is called as ever
    Provider.objects.filter(pk=on_the_board.endpoint.provider_id).update(is_submitted=False)
    [target] = chosen(on_the_board.configuration.project)
    assert measure(target, how).samples.count() == 2
