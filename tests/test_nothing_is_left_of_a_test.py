"""What a test took back misleads PostgreSQL's planner about the next one's rows no longer."""

import re

import pytest
from django.db import connection, transaction

from projects.insertion import count_rows_anew
from projects.models import Laboratory
from tests import forgotten

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
MANY = 6000


def make_many() -> None:
    Laboratory.objects.bulk_create([Laboratory(slug=f"lab-{n}", name=f"Laboratory {n}") for n in range(MANY)])


def take_back(count: bool) -> None:
    with transaction.atomic():
        make_many()
        if count:
            count_rows_anew([Laboratory])
        transaction.set_rollback(True)


def rows_expected() -> int:
    """How many rows the planner takes the table to have while a test has put many there."""
    with transaction.atomic():
        make_many()
        explained = Laboratory.objects.order_by().explain()
        transaction.set_rollback(True)
    expected = re.search(r"rows=(\d+)", explained)
    assert expected
    return int(expected[1])


def pages() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_relation_size(%s) / 8192", [Laboratory._meta.db_table])
        return cursor.fetchone()[0]


def test_a_table_that_was_counted_empty_is_not_taken_for_empty():
    take_back(count=False)
    count_rows_anew([Laboratory])
    assert rows_expected() < MANY / 100, "pages of dead rows, none alive: so it was planned"
    assert Laboratory._meta.db_table in forgotten.clear_what_was_taken_back()
    assert MANY / 20 < rows_expected() < MANY * 5, "by pages and columns, as in a table that was never counted"


def test_dead_rows_are_cleared_away_and_little_ones_left():
    take_back(count=True)
    take_back(count=False)
    assert pages() >= forgotten.PAGES
    assert Laboratory._meta.db_table in forgotten.clear_what_was_taken_back()
    assert pages() == 0
    Laboratory.objects.create(slug="one", name="One")
    assert forgotten.clear_what_was_taken_back() == []


def test_nothing_is_cleared_within_a_transaction():
    """Rows that stand for a module's tests lie in one; VACUUM would be refused there."""
    with transaction.atomic():
        count_rows_anew([Laboratory])
        assert forgotten.clear_what_was_taken_back() == []
