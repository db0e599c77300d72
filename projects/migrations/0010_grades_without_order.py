"""A question type says whether its grades have an order.

On SQLite the column and its check are added in place: making the table anew, as Django would, drops its triggers.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from projects.triggers import remake

NAME = "question_type_nominal_has_classes"
FIELD = models.BooleanField(default=False, verbose_name="grades have no order")
CONSTRAINT = models.CheckConstraint(
    condition=models.Q(("is_nominal", False), ("lowest__isnull", False), _connector="OR"), name=NAME
)
ON_SQLITE = (
    "ALTER TABLE projects_questiontype ADD COLUMN is_nominal bool NOT NULL DEFAULT 0 "
    f"CONSTRAINT {NAME} CHECK (NOT is_nominal OR lowest IS NOT NULL)"
)


def add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(ON_SQLITE, params=None)
        return
    schema_editor.execute(
        "ALTER TABLE projects_questiontype ADD COLUMN is_nominal boolean NOT NULL DEFAULT false", params=None
    )
    schema_editor.execute(
        f"ALTER TABLE projects_questiontype ADD CONSTRAINT {NAME} CHECK (NOT is_nominal OR lowest IS NOT NULL)",
        params=None,
    )


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        remake(apps, schema_editor, "projects", "QuestionType")
        return
    # The check goes with its column.
    schema_editor.execute("ALTER TABLE projects_questiontype DROP COLUMN is_nominal", params=None)


class Migration(migrations.Migration):
    dependencies = [("projects", "0009_presets_are_declared")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add, remove)],
            state_operations=[
                migrations.AddField("questiontype", "is_nominal", FIELD),
                migrations.AddConstraint("questiontype", CONSTRAINT),
            ],
        )
    ]
