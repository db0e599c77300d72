"""Answers that were imported into a project whose area was closed are shown from now on."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def open_areas(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    marking, rating = apps.get_model("annotation", "Marking"), apps.get_model("annotation", "Rating")
    for project in apps.get_model("projects", "Project").objects.order_by("pk"):
        there = {
            "spans": marking.objects.filter(response__project=project).exists(),
            "ratings": rating.objects.filter(question__project=project).exists(),
        }
        missing = [name for name, is_there in there.items() if is_there and name not in project.areas]
        if missing:
            project.areas = [*project.areas, *missing]
            project.save(update_fields=["areas"])


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0010_order_of_rated_questions"),
        ("projects", "0011_laboratories_of_projects"),
    ]
    operations = [migrations.RunPython(open_areas, migrations.RunPython.noop)]
