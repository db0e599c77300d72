from django.db import migrations

from projects.triggers import NeverTruncated, create, drop

TRIGGERS = [NeverTruncated("audit_never_truncated", "projects_auditevent", "the audit log is only added to")]


class Migration(migrations.Migration):
    dependencies = [("projects", "0007_count_in_windows")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
