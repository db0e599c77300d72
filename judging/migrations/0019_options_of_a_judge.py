"""How a judge of error spans asks stands with all other options of judges."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def into_options(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    judges = apps.get_model("judging", "Judge").objects.filter(kind="spans")
    for judge in judges.iterator():
        judge.options |= {"granularity": judge.granularity, "with_taxonomy": judge.with_taxonomy}
        judge.save(update_fields=["options"])


def out_of_options(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    judges = apps.get_model("judging", "Judge").objects.filter(kind="spans")
    for judge in judges.iterator():
        judge.granularity = judge.options.pop("granularity", "paragraph")
        judge.with_taxonomy = judge.options.pop("with_taxonomy", False)
        judge.save(update_fields=["granularity", "with_taxonomy", "options"])


class Migration(migrations.Migration):
    dependencies = [("judging", "0018_providers_have_a_room")]
    operations = [migrations.RunPython(into_options, out_of_options)]
