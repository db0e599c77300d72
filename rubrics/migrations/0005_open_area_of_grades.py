"""Grades that were imported into a project whose area was closed are shown from now on."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def open_area(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    grade = apps.get_model("rubrics", "Grade")
    for project in apps.get_model("projects", "Project").objects.order_by("pk"):
        if "rubrics" not in project.areas and grade.objects.filter(response__project=project).exists():
            project.areas = [*project.areas, "rubrics"]
            project.save(update_fields=["areas"])


class Migration(migrations.Migration):
    dependencies = [("rubrics", "0004_imported_order"), ("projects", "0011_laboratories_of_projects")]
    operations = [migrations.RunPython(open_area, migrations.RunPython.noop)]
