"""The generated studies at full size, each loaded once for all files here that look at it.

Those files are one group for a process of tests each study (`xdist_group`), or every process would load it.
"""

import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from projects.models import Project
from tests.standing import standing


@pytest.fixture(scope="package")
def study(django_db_setup, django_db_blocker, tmp_path_factory) -> Callable[[str], AbstractContextManager[Project]]:
    """A generated study by its size, as `load_demo` loads it: there until the tests of this folder are over."""

    def load(scale: str) -> Project:
        said = io.StringIO()
        with override_settings(DATA_DIR=tmp_path_factory.mktemp(scale)):
            call_command("load_demo", scale=scale, stdout=said)
        assert f"“{scale}” is loaded" in said.getvalue()
        count_rows()
        return Project.objects.get(slug=scale)

    return lambda scale: standing(django_db_blocker, partial(load, scale))


def count_rows() -> None:
    """As PostgreSQL's own daemon does within a minute of an import: else the planner takes each table for empty, and
    exporting JuICE takes two to three times the statements' time. What it counted goes with the study
    (`tests/forgotten.py`)."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


@pytest.fixture(scope="package")
def juice(study) -> Iterator[Project]:
    with study("juice") as project:
        yield project


@pytest.fixture(scope="package")
def menlo(study) -> Iterator[Project]:
    with study("menlo") as project:
        yield project


@pytest.fixture(scope="package")
def perle(study) -> Iterator[Project]:
    with study("perle") as project:
        yield project
