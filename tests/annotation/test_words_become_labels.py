"""An installation from before knows the same words in every project; after the upgrade each has them as labels."""

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from annotation.models import Span
from projects.creation import create_project
from projects.models import Label, Project, Vocabulary
from projects.vocabularies import vocabularies
from tests.annotation.marked import mark
from tests.people import EGYPTIAN, add_response

BEFORE = (("annotation", "0017_design_of_pairs"), ("projects", "0018_any_tag_is_a_variety"))


def migrated(*targets: tuple[str, str]):
    for app, name in targets:
        call_command("migrate", app, name, verbosity=0)  # with its signals: triggers name tables that are made anew
    return MigrationExecutor(connection).loader.project_state(list(targets)).apps


def triggers() -> set[str]:
    query = (
        "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        if connection.vendor == "sqlite"
        else "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        return {name for (name,) in cursor.fetchall()}


@pytest.fixture
def every_migration():
    """Whatever becomes of the test, the next one finds the tables as they are today."""
    yield
    call_command("migrate", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_every_word_of_an_answer_becomes_a_label(project, mona, koshari, every_migration):
    """One project of error spans, with points; one of MQM, whose screen offered high, medium and low until now."""
    mark(koshari, mona, "الكشري", error_type="both", criticality="low")
    translations = create_project(Project(slug="mqm", name="Translations", preset="mqm"), None)
    # Answers of before hold nothing but the words of before.
    marked_before = add_response(translations, "t1", EGYPTIAN, "ar-EG")
    mark(marked_before, translations.raters.create(kind="human", name="Karim"), "الكشري", criticality="medium")
    kept = triggers()

    old = migrated(*BEFORE)
    OldProject = old.get_model("projects", "Project")
    OldProject.objects.filter(slug="feasts").update(penalties={"high": 5, "low": 0.5})
    OldProject.objects.filter(slug="mqm").update(penalties={"major": 5, "medium": 1, "minor": 1})
    old.get_model("projects", "Label").objects.filter(project__slug="feasts").delete()
    old.get_model("projects", "Label").objects.filter(project__slug="mqm", vocabulary="error-type").delete()

    call_command("migrate", verbosity=0)
    assert triggers() == kept
    types, levels, _failures = vocabularies(project)
    assert [label.slug for label in types.offered] == ["cultural", "linguistic", "both", "logical"]
    assert types.covered("both") == {"cultural", "linguistic"}
    assert levels.slugs == ("high", "medium", "low")
    assert levels.points == {"high": 5, "low": 0.5}
    types, levels, _failures = vocabularies(translations)
    assert not types, "MQM asks for no type, though an answer of before has one"
    assert types.slugs == ("cultural",)
    assert [label.slug for label in levels.offered] == ["critical", "major", "minor", "neutral"]
    assert levels.points == {"critical": 25, "major": 5, "minor": 1, "neutral": 0, "medium": 1}
    assert Span.objects.filter(error_type="both", criticality="low").count() == 1


@pytest.mark.django_db
def test_a_label_has_a_short_name(project):
    with pytest.raises(IntegrityError), transaction.atomic():
        Label.objects.create(project=project, vocabulary=Vocabulary.CRITICALITY, slug="", name="None")
