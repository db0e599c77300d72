"""An installation from before called some varieties by short names; each project that uses them keeps them."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from projects.models import LanguageVariety, ProjectVariety
from tests.people import add_response

BEFORE = ("projects", "0016_licence_and_citation")


@pytest.fixture
def every_migration():
    """Whatever becomes of the test, the next one finds the tables as they are today."""
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_each_project_keeps_the_short_names_of_the_varieties_it_uses(project, other_project, every_migration):
    add_response(project, "a", "a", "ko-KR")
    add_response(project, "b", "b", "en-KR")
    add_response(other_project, "c", "c", "ar-EG")
    call_command("migrate", *BEFORE, verbosity=0)
    old = MigrationExecutor(connection).loader.project_state([BEFORE]).apps
    Variety, Named = old.get_model("projects", "LanguageVariety"), old.get_model("projects", "ProjectVariety")
    for tag, setting in (("ko-KR", "KR-ko"), ("en-KR", "KR-en"), ("bn-BD", "BD-bn")):
        Variety.objects.filter(tag=tag).update(setting=setting)
    of = {variety.tag: variety.pk for variety in Variety.objects.all()}
    Named.objects.create(project_id=project.pk, variety_id=of["ko-KR"], short_name="Seoul", position=1)
    Named.objects.create(project_id=other_project.pk, variety_id=of["en-US"], short_name="US", position=1)
    Named.objects.create(project_id=other_project.pk, variety_id=of["en-GB"], short_name="US", position=2)

    call_command("migrate", verbosity=0)
    named = {
        (row.project_id, row.variety.tag): row.short_name for row in ProjectVariety.objects.select_related("variety")
    }
    assert named == {
        (project.pk, "ko-KR"): "Seoul",  # the project's own word stays
        (project.pk, "en-KR"): "KR-en",
        (other_project.pk, "en-US"): "US",
        (other_project.pk, "en-GB"): "",  # it was open which one was meant
    }
    assert project.calls(LanguageVariety.objects.get(tag="en-KR")) == "KR-en"
