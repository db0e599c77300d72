"""A run is for the gold, or for the evaluation of its judge. Every run that is there already was for the gold.

The column and its check are added in place: making the table anew, as Django would on SQLite, stumbles over triggers
that name it.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from projects.triggers import remake

NAME = "run_purpose_known"
FIELD = models.CharField(
    choices=[("gold", "For the gold"), ("evaluation", "For evaluation")], default="gold", max_length=10
)
CONSTRAINT = models.CheckConstraint(condition=models.Q(purpose__in=["gold", "evaluation"]), name=NAME)
ADD = (
    "ALTER TABLE judging_run ADD COLUMN purpose varchar(10) NOT NULL DEFAULT 'gold' "
    f"CONSTRAINT {NAME} CHECK (purpose IN ('gold', 'evaluation'))"
)


def add(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    schema_editor.execute(ADD, params=None)


def remove(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "sqlite":
        remake(apps, schema_editor, "judging", "Run")
        return
    # The check goes with its column.
    schema_editor.execute("ALTER TABLE judging_run DROP COLUMN purpose", params=None)


class Migration(migrations.Migration):
    dependencies = [("judging", "0021_answers_to_question_sets"), ("annotation", "0013_answers_for_evaluation")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add, remove)],
            state_operations=[
                migrations.AddField("run", "purpose", FIELD),
                migrations.AddConstraint("run", CONSTRAINT),
            ],
        )
    ]
