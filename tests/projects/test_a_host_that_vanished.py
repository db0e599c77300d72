"""A PostgreSQL whose host is gone without a word is noticed in seconds, not when the system gives up on it."""

import pytest
from django.db import connection


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_connection_to_it_is_given_up_in_seconds():
    given = connection.connection.info.get_parameters()
    idle, between, times = (int(given[f"keepalives_{name}"]) for name in ("idle", "interval", "count"))
    assert idle + between * times <= 20
    assert int(given["tcp_user_timeout"]) <= 20_000
