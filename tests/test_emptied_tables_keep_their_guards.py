"""Between two tests the tables are emptied; the triggers that refuse it come back as the last migration left them."""

import pytest
from django.core.management import call_command
from django.db import connection

pytestmark = pytest.mark.usefixtures("transactional_db")

OF_SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
OF_POSTGRESQL = """
    SELECT tgname, pg_get_triggerdef(pg_trigger.oid), tgenabled, prosrc
    FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE NOT tgisinternal
"""


def triggers() -> set[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(OF_SQLITE if connection.vendor == "sqlite" else OF_POSTGRESQL)
        return set(cursor.fetchall())


def test_every_trigger_is_what_it_was_before_the_tables_were_emptied():
    before = triggers()
    assert len(before) > 200
    call_command("flush", interactive=False, verbosity=0, allow_cascade=True)
    assert triggers() == before
