from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class Widen(migrations.AlterField):
    """SQLite holds texts to no length, and would make the table anew without its triggers."""

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, *states)

    def database_backwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_backwards(app_label, schema_editor, *states)


class Migration(migrations.Migration):
    dependencies = [
        ("benchmark", "0014_version_of_a_submission"),
    ]

    operations = [
        Widen(
            model_name="question",
            name="expected_language",
            field=models.CharField(blank=True, max_length=100),
        ),
    ]
