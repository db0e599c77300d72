"""Between two tests the tables are emptied; the triggers that refuse it come back as the last migration left them."""

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.db import connection
from django.test import TransactionTestCase

from projects.audit import record
from projects.models import AuditEvent, LanguageVariety, Project
from reports.models import DataRevision
from tests import emptied

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
    call_command("flush", interactive=False, verbosity=0, reset_sequences=False)  # as Django does it then
    assert triggers() == before


def all_rows() -> emptied.Rows:
    """Without the counters of writes, which triggers move while rows are made anew, or not where they are left."""
    tables = [table for table in emptied.own_tables() if table != DataRevision._meta.db_table]
    return {table: rows for table, rows in emptied.rows_of(tables).items() if rows}


@pytest.fixture
def as_after_a_test() -> emptied.Rows:
    emptied.empty(TransactionTestCase())
    return all_rows()


def test_what_a_test_wrote_is_gone_and_what_migrating_made_stands(as_after_a_test):
    varieties = LanguageVariety.objects.count()
    project = Project.objects.create(slug="feasts", name="Feasts")
    record("project.created", actor=None, project=project)
    assert AuditEvent.objects.exists(), "of a table from which nobody may delete"
    before = triggers()
    emptied.empty(TransactionTestCase())
    assert all_rows() == as_after_a_test
    assert LanguageVariety.objects.count() == varieties > 30
    assert triggers() == before


@pytest.mark.parametrize("change", ["a row more", "a row less", "another word"])
def test_what_a_test_changed_of_that_is_made_anew(as_after_a_test, change):
    if change == "a row more":
        LanguageVariety.objects.create(tag="x-test", name="Test", direction="ltr")
    elif change == "a row less":
        Permission.objects.first().delete()
    else:
        LanguageVariety.objects.filter(tag="ar-EG").update(name="Cairene")
    emptied.empty(TransactionTestCase())
    assert LanguageVariety.objects.get(tag="ar-EG").name != "Cairene"
    assert {table: len(rows) for table, rows in all_rows().items()} == {
        table: len(rows) for table, rows in as_after_a_test.items()
    }
    # And the next test, whose rows are compared with what was made now, finds the same.
    now = all_rows()
    Project.objects.create(slug="feasts", name="Feasts")
    emptied.empty(TransactionTestCase())
    assert all_rows() == now
