"""What the suite itself promises: the copied database is whole, and standing rows stand."""

import re
from pathlib import Path

import pytest
from django.core.management import call_command

from projects.models import LanguageVariety, Project
from tests import coroutines, migrated
from tests.standing import standing

pytestmark = pytest.mark.django_db


def test_the_copied_database_lacks_no_migration():
    call_command("migrate", check_unapplied=True, verbosity=0)
    assert LanguageVariety.objects.filter(tag="ar-EG").exists()


@pytest.mark.parametrize("changed", ["projects/migrations/0002_more.py", *migrated.IMPORTED])
def test_another_migration_or_what_it_imports_makes_another_template(changed, tmp_path, monkeypatch):
    begun = ("requirements-dev.txt", "projects/migrations/0001_initial.py", "projects/data/varieties.json")
    for path in (*begun, *migrated.IMPORTED):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    monkeypatch.setattr(migrated, "ROOT", tmp_path)
    before = migrated.state.__wrapped__()
    assert migrated.state.__wrapped__() == before
    (tmp_path / changed).write_text("operations = []")
    assert migrated.state.__wrapped__() != before


def test_a_coroutine_runs_where_a_loop_runs_already():
    """As in a process in which Playwright opened a browser."""

    async def told() -> str:
        return "done"

    async def around() -> str:
        return coroutines.run(told())

    assert coroutines.run(around()) == "done"


def test_no_test_begins_a_loop_in_the_thread_of_the_tests():
    def is_calling(path: Path) -> bool:
        return bool(re.search(r"\basyncio\.run\(|\.run_until_complete\(|\basync_to_sync\(", path.read_text()))

    assert not [path.name for path in (migrated.ROOT / "tests").rglob("*.py") if is_calling(path)]


@pytest.fixture(scope="module")
def feasts(django_db_setup, django_db_blocker):
    with standing(django_db_blocker, lambda: Project.objects.create(slug="feasts", name="Feasts")) as project:
        yield project


@pytest.mark.parametrize("time", [1, 2])
def test_what_a_test_writes_is_gone_before_the_next(feasts, time):
    assert list(Project.objects.values_list("slug", "name")) == [("feasts", "Feasts")]
    Project.objects.create(slug=f"time-{time}", name="Another")
    Project.objects.update(name="Changed")
