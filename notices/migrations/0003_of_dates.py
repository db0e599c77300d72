from django.conf import settings
from django.db import migrations, models

from notices.going_back import forget


class Migration(migrations.Migration):
    dependencies = [
        ("notices", "0002_kinds_of_notices"),
        ("projects", "0027_content_notes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="noticeswitch",
            name="notice_switch_kind_known",
        ),
        migrations.RunPython(migrations.RunPython.noop, forget("due")),
        migrations.AddField(
            model_name="notice",
            name="moment",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(
                choices=[
                    ("work", "There is work for me"),
                    ("answer", "My question was answered"),
                    ("question", "Somebody asks me"),
                    ("paused", "I am paused"),
                    ("returned", "An answer of mine was sent back"),
                    ("time", "My working time was corrected"),
                    ("due", "Work of mine is due"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="noticeswitch",
            name="kind",
            field=models.CharField(
                choices=[
                    ("work", "There is work for me"),
                    ("answer", "My question was answered"),
                    ("question", "Somebody asks me"),
                    ("paused", "I am paused"),
                    ("returned", "An answer of mine was sent back"),
                    ("time", "My working time was corrected"),
                    ("due", "Work of mine is due"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["work", "answer", "question", "paused", "returned", "time", "due"])),
                name="notice_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="noticeswitch",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["work", "answer", "question", "paused", "returned", "time", "due"])),
                name="notice_switch_kind_known",
            ),
        ),
    ]
