"""Answers of judges that were asked for to evaluate them are told from those that are for the gold.

Every answer that is there already stays for the gold, as it was. The column is added in place: making the table anew, as
Django would on SQLite, drops its triggers.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

TYPES = {"sqlite": "bool NOT NULL DEFAULT 0", "postgresql": "boolean NOT NULL DEFAULT false"}


def add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    column = f"is_evaluation {TYPES[schema_editor.connection.vendor]}"
    schema_editor.execute(f"ALTER TABLE annotation_marking ADD COLUMN {column}", params=None)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute("ALTER TABLE annotation_marking DROP COLUMN is_evaluation", params=None)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0012_error_scheme")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add, remove)],
            state_operations=[migrations.AddField("marking", "is_evaluation", models.BooleanField(default=False))],
        )
    ]
