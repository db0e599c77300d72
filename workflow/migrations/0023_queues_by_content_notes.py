from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0027_content_notes"),
        ("workflow", "0022_time_beside_items"),
    ]

    operations = without_triggers(
        migrations.RemoveIndex(
            model_name="workitem",
            name="work_item_queue",
        ),
        migrations.AddField(
            model_name="ownlimits",
            name="unwanted_notes",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="workitem",
            name="note_set",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(("is_check", False), ("open_slots__gt", 0)),
                fields=["stage", "variety", "note_set", "position"],
                name="work_item_queue",
            ),
        ),
    )
