from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_stored_files")]

    operations = [
        migrations.AddIndex(
            model_name="job",
            index=models.Index(fields=["kind", "key", "-id"], name="job_by_key"),
        )
    ]
