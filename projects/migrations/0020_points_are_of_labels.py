"""What errors cost stands with the labels of criticality (annotation 0017 has carried it over)."""

from django.db import migrations

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [("projects", "0019_words_are_labels"), ("annotation", "0018_words_of_projects")]
    operations = without_triggers(migrations.RemoveField("project", "penalties"))
