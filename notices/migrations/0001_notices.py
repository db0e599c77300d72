import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("projects", "0022_unread_notices"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("work", "There is work for me"),
                            ("answer", "My question was answered"),
                            ("question", "Somebody asks me"),
                            ("paused", "I am paused"),
                        ],
                        max_length=10,
                    ),
                ),
                ("key", models.CharField(max_length=80)),
                ("stage", models.CharField(blank=True, max_length=80)),
                ("path", models.CharField(max_length=300)),
                ("is_shown", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                (
                    "mail",
                    models.CharField(
                        choices=[("none", "None"), ("due", "Due"), ("sending", "Sending"), ("sent", "Sent")],
                        default="none",
                        max_length=7,
                    ),
                ),
                ("mailed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="projects.project"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["person", "-id"], name="notices_of_person"),
                    models.Index(
                        condition=models.Q(("mail", "due")), fields=["person", "created_at"], name="notices_to_mail"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("person", "kind", "key"), name="notice_told_once"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["work", "answer", "question", "paused"])),
                        name="notice_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mail__in", ["none", "due", "sending", "sent"])), name="notice_mail_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("mail", "sent"), ("mailed_at__isnull", False)),
                            models.Q(models.Q(("mail", "sent"), _negated=True), ("mailed_at", None)),
                            _connector="OR",
                        ),
                        name="notice_mailed_at",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="NoticeSwitch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("work", "There is work for me"),
                            ("answer", "My question was answered"),
                            ("question", "Somebody asks me"),
                            ("paused", "I am paused"),
                        ],
                        max_length=10,
                    ),
                ),
                ("on_page", models.BooleanField(default=True)),
                ("by_mail", models.BooleanField(default=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notice_switches",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person", "kind"), name="notice_switch_once"),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["work", "answer", "question", "paused"])),
                        name="notice_switch_kind_known",
                    ),
                ],
            },
        ),
    ]
