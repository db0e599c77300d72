import uuid

import django.db.models.deletion
from django.db import migrations, models

from projects.first_tables import CreateModels


class Migration(migrations.Migration):
    replaces = [
        ("workflow", "0001_initial"),
        ("workflow", "0002_assignment_queue_position"),
        ("workflow", "0003_submitted_version"),
        ("workflow", "0004_items_about_prompts"),
        ("workflow", "0005_pairs_templates_checks_and_questions"),
        ("workflow", "0006_screened_stages"),
    ]

    initial = True

    dependencies = [
        ("projects", "0001_squashed_0006_localised_templates_stay"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Stage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=20)),
                        ("name", models.CharField(max_length=80, verbose_name="name")),
                        ("position", models.PositiveSmallIntegerField(default=1)),
                        ("overlap", models.PositiveSmallIntegerField(default=2, verbose_name="raters per item")),
                        (
                            "lease_minutes",
                            models.PositiveSmallIntegerField(
                                default=120, verbose_name="minutes an item is held for one person"
                            ),
                        ),
                        (
                            "policy",
                            models.CharField(
                                choices=[
                                    ("unanimous", "All must keep it"),
                                    ("majority", "More must keep than reject it"),
                                    ("any", "One who keeps it suffices"),
                                ],
                                default="unanimous",
                                max_length=10,
                                verbose_name="policy",
                            ),
                        ),
                        ("is_open", models.BooleanField(default=True, verbose_name="open for work")),
                        ("locked_at", models.DateTimeField(blank=True, null=True)),
                        ("seed", models.PositiveIntegerField(default=0)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="stages",
                                to="projects.project",
                            ),
                        ),
                        ("is_screened", models.BooleanField(db_default=False, default=False)),
                    ],
                    options={
                        "ordering": ["project", "position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "name"), name="stage_name_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("overlap__gte", 1)), name="stage_overlap_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("lease_minutes__gte", 1)), name="stage_lease_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("policy__in", ["unanimous", "majority", "any"])),
                                name="stage_policy_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WorkItem",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.BigIntegerField()),
                        ("slots", models.PositiveSmallIntegerField()),
                        ("open_slots", models.PositiveSmallIntegerField()),
                        (
                            "response",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="work_items",
                                to="projects.response",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="items", to="workflow.stage"
                            ),
                        ),
                        (
                            "variety",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.languagevariety",
                            ),
                        ),
                        (
                            "prompt",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="work_items",
                                to="projects.prompt",
                            ),
                        ),
                        ("is_check", models.BooleanField(db_default=False, default=False)),
                        (
                            "pair",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="work_items",
                                to="projects.responsepair",
                            ),
                        ),
                        (
                            "template",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="work_items",
                                to="projects.prompttemplate",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_check", False), ("open_slots__gt", 0)),
                                fields=["stage", "variety", "position"],
                                name="work_item_queue",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("open_slots__gte", 0), ("open_slots__lte", models.F("slots"))),
                                name="work_item_slots",
                            ),
                            models.UniqueConstraint(fields=("stage", "prompt"), name="work_item_prompt_unique"),
                            models.UniqueConstraint(fields=("stage", "response", "is_check"), name="work_item_unique"),
                            models.UniqueConstraint(fields=("stage", "pair", "is_check"), name="work_item_pair_unique"),
                            models.UniqueConstraint(
                                fields=("stage", "template", "variety"), name="work_item_template_unique"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("response", None), ("prompt", None), _connector="OR"),
                                    models.Q(("response", None), ("pair", None), _connector="OR"),
                                    models.Q(("response", None), ("template", None), _connector="OR"),
                                    models.Q(("prompt", None), ("pair", None), _connector="OR"),
                                    models.Q(("prompt", None), ("template", None), _connector="OR"),
                                    models.Q(("pair", None), ("template", None), _connector="OR"),
                                ),
                                name="work_item_one_subject",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Survey",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "batch_size",
                            models.PositiveSmallIntegerField(default=50, verbose_name="items between two surveys"),
                        ),
                        ("questions", models.JSONField(default=list)),
                        ("is_open", models.BooleanField(default=True)),
                        (
                            "stage",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE, related_name="survey", to="workflow.stage"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("batch_size__gte", 1)), name="survey_batch_positive"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Assignment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("round", models.PositiveSmallIntegerField(default=1)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("reserved", "Waiting"),
                                    ("claimed", "In progress"),
                                    ("submitted", "Done"),
                                    ("skipped", "Skipped"),
                                    ("released", "Given back"),
                                    ("expired", "Lease ran out"),
                                ],
                                default="claimed",
                                max_length=10,
                            ),
                        ),
                        ("claimed_at", models.DateTimeField(blank=True, null=True)),
                        ("lease_expires_at", models.DateTimeField(blank=True, null=True)),
                        ("submitted_at", models.DateTimeField(blank=True, null=True)),
                        ("submission", models.UUIDField(blank=True, null=True, unique=True)),
                        ("skip_reason", models.CharField(blank=True, max_length=40)),
                        ("skip_note", models.TextField(blank=True)),
                        ("active_seconds", models.PositiveIntegerField(default=0)),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assignments",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="assignments",
                                to="workflow.stage",
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="assignments",
                                to="workflow.workitem",
                            ),
                        ),
                        ("queue_position", models.BigIntegerField(blank=True, null=True)),
                        ("submitted_version", models.PositiveIntegerField(default=0)),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["rater", "stage", "status"], name="assignment_of_rater"),
                            models.Index(
                                condition=models.Q(("status", "claimed")),
                                fields=["lease_expires_at"],
                                name="assignment_leases",
                            ),
                            models.Index(fields=["rater", "stage", "queue_position"], name="assignment_cursor"),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("item", "rater", "round"), name="assignment_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "status__in",
                                        ["reserved", "claimed", "submitted", "skipped", "released", "expired"],
                                    )
                                ),
                                name="assignment_status_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "submitted"), ("submitted_at__isnull", False)),
                                    models.Q(models.Q(("status", "submitted"), _negated=True), ("submitted_at", None)),
                                    _connector="OR",
                                ),
                                name="assignment_submitted_at",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "claimed"), _negated=True),
                                    ("lease_expires_at__isnull", False),
                                    _connector="OR",
                                ),
                                name="assignment_claim_has_lease",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SurveyAnswer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("batch", models.PositiveIntegerField()),
                        ("answers", models.JSONField(default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="survey_answers",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "survey",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="answers",
                                to="workflow.survey",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("survey", "rater", "batch"), name="survey_answered_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Draft",
                    fields=[
                        (
                            "assignment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="draft",
                                serialize=False,
                                to="workflow.assignment",
                            ),
                        ),
                        ("version", models.PositiveIntegerField(default=1)),
                        ("body", models.JSONField()),
                        ("client", models.CharField(blank=True, max_length=40)),
                        ("saved_at", models.DateTimeField(auto_now=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="SetAsideDraft",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("base_version", models.PositiveIntegerField()),
                        ("body", models.JSONField()),
                        ("client", models.CharField(blank=True, max_length=40)),
                        ("saved_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "assignment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="set_aside_drafts",
                                to="workflow.assignment",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="ItemQuestion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.UUIDField(default=uuid.uuid4, unique=True)),
                        ("text", models.TextField(verbose_name="question")),
                        ("asked_at", models.DateTimeField(auto_now_add=True)),
                        ("answer", models.TextField(blank=True, verbose_name="answer")),
                        ("answered_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "is_published",
                            models.BooleanField(default=False, verbose_name="stands in the guidelines' log"),
                        ),
                        ("seen_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "answered_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="answered_questions",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "assignment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="questions",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="item_questions",
                                to="projects.project",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="item_questions",
                                to="projects.rater",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-asked_at"],
                        "indexes": [models.Index(fields=["project", "answered_at"], name="item_question_open")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="item_question_text_present"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("answer", ""), ("answered_at", None), ("is_published", False)),
                                    models.Q(models.Q(("answer", ""), _negated=True), ("answered_at__isnull", False)),
                                    _connector="OR",
                                ),
                                name="item_question_answered",
                            ),
                        ],
                    },
                ),
            ]
        ),
    ]
