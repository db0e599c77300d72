from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


class WithoutIndex(migrations.AlterField):
    """SQLite would make the table anew without its triggers, where only an index of it goes."""

    def database_forwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, *states)
            return
        connection = schema_editor.connection
        with connection.cursor() as cursor:
            table = connection.introspection.get_constraints(cursor, "benchmark_rulescore")
        for name, index in table.items():
            if index["columns"] == ["rater_id"] and index["index"] and not index["unique"]:
                schema_editor.execute(f"DROP INDEX {connection.ops.quote_name(name)}")

    def database_backwards(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, *states: Any) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_backwards(app_label, schema_editor, *states)
            return
        schema_editor.execute("CREATE INDEX benchmark_rulescore_rater_id ON benchmark_rulescore (rater_id)")


class Migration(migrations.Migration):
    dependencies = [
        ("benchmark", "0015_language_of_an_answer_by_any_tag"),
    ]

    operations = [
        migrations.RemoveIndex(model_name="rulescore", name="score_by_rater"),
        WithoutIndex(
            model_name="rulescore",
            name="rater",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rule_scores",
                to="projects.rater",
            ),
        ),
        migrations.AddIndex(
            model_name="rulescore",
            index=models.Index(
                condition=models.Q(("rater__isnull", False)), fields=["rater", "round"], name="score_by_rater"
            ),
        ),
    ]
