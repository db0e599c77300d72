"""The same study has the same figures however large the numbers of its rows are.

A large import on SQLite leaves a gap of a million in every table (projects/rehearsing), so the numbers of rows say
nothing about how many there are.
"""

import re

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.db.models import AutoField

from reports.dashboard.dashboards import tables
from tests.reports.juice import juice
from tests.reports.menlo import a_study
from tests.reports.perle import study

ROOMS = ("projects", "annotation", "rubrics", "judging")
STUDIES = {
    "ratings": lambda: a_study("menlo", 0.01).project,
    "spans": lambda: juice(("US-en", "KR-ko"), 6),
    "rubrics": lambda: study(prompts=6).project,
}

PSEUDONYM = re.compile(r"\br-[a-z0-9]{8}\b")
#: The second crosses a million among the questions, the third is after two thousand imports.
FIRST = (1_000, 999_995, 2_000_000_000)


def numbered_from(first: int) -> None:
    """The next rows of all tables get numbers from here on."""
    with connection.cursor() as cursor:
        for model in (one for room in ROOMS for one in apps.get_app_config(room).get_models(include_auto_created=True)):
            if not isinstance(model._meta.pk, AutoField):
                continue
            table, key = model._meta.db_table, model._meta.pk.column
            if connection.vendor == "sqlite":
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, first - 1])
            else:
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [table, key, first - 1])


@pytest.fixture
def numbers_as_before(db):
    """PostgreSQL counts on whatever becomes of a transaction, so other tests would go on from there."""
    yield
    if connection.vendor == "postgresql":
        numbered_from(10_000)


@pytest.mark.parametrize("area", STUDIES)
def test_figures_of_high_numbers_are_those_of_low_ones(numbers_as_before, area):
    low, high, higher = (figures_of(area, first) for first in FIRST)
    assert sum(value is not None for _where, value, *_rest in low) > 100
    assert high == low
    assert higher == low


def figures_of(area: str, first: int) -> list[tuple]:
    """Where each figure of the area's tables stands, its value, bounds and n, of a study whose rows are numbered from
    here on. In order of all that, and people without their pseudonyms, which are drawn."""
    with transaction.atomic():
        numbered_from(first)
        project = STUDIES[area]()
        assert project.pk >= first
        made = [
            (
                (table.id, *(PSEUDONYM.sub("somebody", label) for label in row.labels), measure),
                one.value,
                one.low,
                one.high,
                one.n,
            )
            for table in tables(project, {})
            for row in table.rows
            for measure, one in zip(table.measures, row.figures, strict=True)
        ]
        transaction.set_rollback(True)
    return sorted(made, key=repr)
