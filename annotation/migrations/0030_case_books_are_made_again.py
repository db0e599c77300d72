"""Words of Arabic are found by more stems than before: every case book is gone through again by its job."""

from django.db import migrations


def forget_what_is_indexed(apps, _schema_editor):
    for name in ("IndexedAnswer", "IndexedKind"):
        apps.get_model("annotation", name).objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0029_cases_of_every_kind")]

    operations = [migrations.RunPython(forget_what_is_indexed, migrations.RunPython.noop)]
