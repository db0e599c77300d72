"""Migrations copy fields instead of taking them apart and making others: the models they make are the same."""

import pytest
from django.core.management import get_commands, load_command_class
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState, StateApps
from django.db.models import Field
from django.db.models.options import Options

from projects.migrating import fields_copied


@pytest.fixture(scope="module")
def newest() -> ProjectState:
    return MigrationLoader(None).project_state()


def rendered(state: ProjectState) -> StateApps:
    return StateApps([*state.real_apps], state.models)


def told(options: Options) -> list[tuple]:
    """Each field in its place, with its column, what it is made of and what it refers to."""
    return [
        (
            field.name,
            field.deconstruct()[1:],
            getattr(field, "column", None),
            field.related_model and field.related_model._meta.label,
        )
        for field in (*options.local_fields, *options.local_many_to_many)
    ]


def test_models_of_copied_fields_are_those_of_fields_made_anew(newest):
    made = rendered(newest)
    with fields_copied():
        copied = rendered(newest)
    models = {model._meta.label: model._meta for model in copied.get_models(include_auto_created=True)}
    assert len(models) > 150
    for model in made.get_models(include_auto_created=True):
        assert told(models[model._meta.label]) == told(model._meta)
        assert [index.deconstruct() for index in models[model._meta.label].indexes] == [
            index.deconstruct() for index in model._meta.indexes
        ]


def test_a_copy_knows_its_own_model_and_the_field_it_was_taken_from_knows_none(newest):
    with fields_copied():
        apps = rendered(newest)
        later = rendered(newest)
    field = apps.get_model("projects", "Response")._meta.get_field("prompt")
    assert field.model is apps.get_model("projects", "Response")
    assert field.remote_field.field is field
    assert field.related_model is apps.get_model("projects", "Prompt")
    assert later.get_model("projects", "Response")._meta.get_field("prompt").related_model is later.get_model(
        "projects", "Prompt"
    )
    kept = newest.models["projects", "response"].fields["prompt"]
    assert not hasattr(kept, "model")
    assert kept.remote_field.model == "projects.prompt"


def test_no_field_is_taken_apart_within_it_and_all_is_as_before_behind_it(newest, monkeypatch):
    render, clone = ModelState.render, Field.clone

    def taken_apart(field):
        raise AssertionError(field)

    with monkeypatch.context() as patch:
        patch.setattr(Field, "deconstruct", taken_apart)
        with fields_copied():
            rendered(newest)
        with pytest.raises(AssertionError):
            rendered(newest)
    assert (ModelState.render, Field.clone) == (render, clone)


def test_whoever_migrates_has_it():
    assert load_command_class(get_commands()["migrate"], "migrate").__module__ == "projects.management.commands.migrate"
