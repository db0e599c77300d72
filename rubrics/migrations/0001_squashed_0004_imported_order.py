import uuid
from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

from projects.first_tables import CreateModels
from projects.triggers import create, drop

# The rules stand where they were first written; they come last, when all tables are there.
TRIGGERS = [trigger for name in ("0002_triggers",) for trigger in import_module(f"rubrics.migrations.{name}").TRIGGERS]


class Migration(migrations.Migration):
    replaces = [
        ("rubrics", "0001_initial"),
        ("rubrics", "0002_triggers"),
        ("rubrics", "0003_revision"),
        ("rubrics", "0004_imported_order"),
    ]

    initial = True

    dependencies = [
        ("projects", "0001_squashed_0006_localised_templates_stay"),
        ("workflow", "0001_squashed_0006_screened_stages"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="RubricSettings",
                    fields=[
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="rubric_settings",
                                serialize=False,
                                to="projects.project",
                            ),
                        ),
                        (
                            "needs_difficulty_check",
                            models.BooleanField(
                                default=True, verbose_name="a prompt is tried on a model before it is frozen"
                            ),
                        ),
                        (
                            "needs_review",
                            models.BooleanField(
                                default=False, verbose_name="a second author reviews before the freeze"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "rubric settings",
                    },
                ),
                migrations.CreateModel(
                    name="Rubric",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("version", models.PositiveSmallIntegerField(default=1)),
                        (
                            "scope",
                            models.CharField(
                                choices=[("cultural", "Cultural"), ("linguistics", "Linguistics")], max_length=12
                            ),
                        ),
                        ("gold_answer", models.TextField()),
                        ("difficulty", models.JSONField(blank=True, default=dict)),
                        ("accepted_findings", models.JSONField(blank=True, default=list)),
                        ("metadata", models.JSONField(blank=True, default=dict)),
                        ("sha256", models.CharField(blank=True, max_length=64)),
                        ("frozen_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "assignment",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rubric",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="rubrics", to="projects.rater"
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rubrics",
                                to="projects.project",
                            ),
                        ),
                        (
                            "prompt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="rubrics",
                                to="projects.prompt",
                            ),
                        ),
                        (
                            "reviewed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "supersedes",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="superseded_by",
                                to="rubrics.rubric",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["prompt", "version"],
                        "indexes": [models.Index(fields=["project", "prompt"], name="rubric_of_project")],
                        "constraints": [
                            models.UniqueConstraint(fields=("prompt", "version"), name="rubric_version_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("version__gte", 1)), name="rubric_version_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("scope__in", ["cultural", "linguistics"])),
                                name="rubric_scope_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("gold_answer", ""), _negated=True),
                                name="rubric_gold_answer_present",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("frozen_at", None), ("sha256", "")),
                                    models.Q(("frozen_at__isnull", False), models.Q(("sha256", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="rubric_frozen_with_hash",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="WeightBand",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=60)),
                        ("name", models.CharField(max_length=80, verbose_name="name")),
                        ("lowest", models.PositiveSmallIntegerField(verbose_name="lowest weight")),
                        ("highest", models.PositiveSmallIntegerField(verbose_name="highest weight")),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="weight_bands",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["position", "id"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "slug"), name="weight_band_slug_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("highest__gte", models.F("lowest")), ("lowest__gte", 1)),
                                name="weight_band_range",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CalibrationStudy",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seed", models.PositiveIntegerField()),
                        ("responses_per_community", models.PositiveSmallIntegerField()),
                        ("graders_per_community", models.PositiveSmallIntegerField()),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="calibration_studies",
                                to="projects.project",
                            ),
                        ),
                        (
                            "stage",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="calibration_study",
                                to="workflow.stage",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "calibration studies",
                        "ordering": ["-id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("graders_per_community__gte", 1), ("responses_per_community__gte", 1)
                                ),
                                name="calibration_not_empty",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DifficultyCheck",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("prompt_sha256", models.CharField(max_length=64)),
                        ("model", models.CharField(max_length=200)),
                        ("by_hand", models.BooleanField(default=False)),
                        ("asked_at", models.DateTimeField()),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("perfect", "Answered perfectly"),
                                    ("partial", "Answered in part"),
                                    ("failed", "Failed"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("marked_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "assignment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="difficulty_checks",
                                to="workflow.assignment",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("assignment", "prompt_sha256"), name="difficulty_asked_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("marked_at", None), ("outcome", "")),
                                    models.Q(
                                        ("marked_at__isnull", False), ("outcome__in", ["perfect", "partial", "failed"])
                                    ),
                                    _connector="OR",
                                ),
                                name="difficulty_outcome_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DraftReview",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("body", models.JSONField()),
                        ("body_sha256", models.CharField(max_length=64)),
                        ("asked_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "decision",
                            models.CharField(
                                blank=True,
                                choices=[("approved", "Approved"), ("returned", "Returned with remarks")],
                                max_length=8,
                            ),
                        ),
                        ("remarks", models.TextField(blank=True)),
                        ("decided_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "assignment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="draft_reviews",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "reviewer",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="draft_reviews",
                                to="projects.rater",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("decision", "")),
                                fields=("assignment",),
                                name="draft_review_one_open_per_rubric",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("decided_at", None), ("decision", ""), ("reviewer", None)),
                                    models.Q(
                                        ("decided_at__isnull", False),
                                        ("decision__in", ["approved", "returned"]),
                                        ("reviewer__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="draft_review_decided",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ImportedOrder",
                    fields=[
                        (
                            "response",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="imported_order",
                                serialize=False,
                                to="projects.response",
                            ),
                        ),
                        ("collected_at", models.DateTimeField()),
                        ("first_shown_at", models.DateTimeField(blank=True, null=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Grade",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.PositiveSmallIntegerField(default=1)),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("reference", "First grading"),
                                    ("regrade", "Second grading"),
                                    ("calibration", "Calibration"),
                                    ("judge", "Judge"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("raw", models.SmallIntegerField(blank=True, null=True)),
                        ("maximum", models.SmallIntegerField(blank=True, null=True)),
                        ("is_complete", models.BooleanField(default=True)),
                        ("comment", models.TextField(blank=True)),
                        ("metadata", models.JSONField(blank=True, default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "assignment",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="grade",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="grades", to="projects.rater"
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="grades",
                                to="projects.response",
                            ),
                        ),
                        (
                            "rubric",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="grades", to="rubrics.rubric"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["rater", "response"], name="grade_of_rater")],
                        "constraints": [
                            models.UniqueConstraint(fields=("response", "rater", "rubric", "round"), name="grade_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("role", "reference")),
                                fields=("response", "rubric"),
                                name="grade_one_reference",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("role__in", ["reference", "regrade", "calibration", "judge"])),
                                name="grade_role_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("is_complete", False), ("maximum", None), ("raw", None)),
                                    models.Q(
                                        ("is_complete", True),
                                        ("maximum__gte", 1),
                                        ("raw__isnull", False),
                                        ("raw__lte", models.F("maximum")),
                                    ),
                                    _connector="OR",
                                ),
                                name="grade_score_with_answer",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Revision",
                    fields=[
                        (
                            "assignment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="revision",
                                serialize=False,
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "rubric",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="revisions",
                                to="rubrics.rubric",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Criterion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "key",
                            models.CharField(help_text="Unique in its rubric; chosen by who wrote it", max_length=64),
                        ),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        ("text", models.TextField()),
                        ("weight", models.SmallIntegerField()),
                        (
                            "objectivity",
                            models.CharField(
                                choices=[("objective", "Objective"), ("subjective", "Subjective")], max_length=10
                            ),
                        ),
                        (
                            "explicitness",
                            models.CharField(
                                choices=[("explicit", "Explicit"), ("implicit", "Implicit")], max_length=8
                            ),
                        ),
                        (
                            "failure_type",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("hallucination", "Hallucination"),
                                    ("omission", "Omission"),
                                    ("cultural-misattribution", "Cultural misattribution"),
                                    ("ambiguous-framing", "Ambiguous framing"),
                                    ("irrelevant-addition", "Irrelevant addition"),
                                    ("rendering-failure", "Rendering failure"),
                                ],
                                max_length=24,
                            ),
                        ),
                        ("start", models.PositiveIntegerField(blank=True, null=True)),
                        ("end", models.PositiveIntegerField(blank=True, null=True)),
                        ("quote", models.TextField(blank=True)),
                        (
                            "response",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="negative_criteria",
                                to="projects.response",
                            ),
                        ),
                        (
                            "grade",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="negative_criteria",
                                to="rubrics.grade",
                            ),
                        ),
                        (
                            "rubric",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="criteria",
                                to="rubrics.rubric",
                            ),
                        ),
                        (
                            "band",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="criteria",
                                to="rubrics.weightband",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "criteria",
                        "ordering": ["rubric", "response", "position", "id"],
                        "indexes": [models.Index(fields=["response", "rubric"], name="criterion_of_response")],
                        "constraints": [
                            models.UniqueConstraint(fields=("rubric", "key"), name="criterion_key_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="criterion_text_present"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("end", None),
                                        ("failure_type", ""),
                                        ("grade", None),
                                        ("quote", ""),
                                        ("response", None),
                                        ("start", None),
                                        ("weight__gt", 0),
                                    ),
                                    models.Q(
                                        (
                                            "failure_type__in",
                                            [
                                                "hallucination",
                                                "omission",
                                                "cultural-misattribution",
                                                "ambiguous-framing",
                                                "irrelevant-addition",
                                                "rendering-failure",
                                            ],
                                        ),
                                        ("grade__isnull", False),
                                        ("response__isnull", False),
                                        ("weight__lt", 0),
                                    ),
                                    _connector="OR",
                                ),
                                name="criterion_positive_or_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("end", None), ("quote", ""), ("start", None)),
                                    models.Q(
                                        ("end__gt", models.F("start")),
                                        ("start__gte", 0),
                                        models.Q(("quote", ""), _negated=True),
                                        models.Q(("failure_type", "omission"), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="criterion_anchored",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("objectivity__in", ["objective", "subjective"])),
                                name="criterion_objectivity",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("explicitness__in", ["explicit", "implicit"])),
                                name="criterion_explicitness",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Verdict",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "value",
                            models.CharField(
                                choices=[
                                    ("pass", "Pass"),
                                    ("fail", "Fail"),
                                    ("present", "Error present"),
                                    ("absent", "No such error"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("justification", models.TextField(blank=True)),
                        (
                            "criterion",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="verdicts",
                                to="rubrics.criterion",
                            ),
                        ),
                        (
                            "grade",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="verdicts", to="rubrics.grade"
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["criterion", "value"], name="verdict_of_criterion")],
                        "constraints": [
                            models.UniqueConstraint(fields=("grade", "criterion"), name="verdict_once"),
                            models.CheckConstraint(
                                condition=models.Q(("value__in", ["pass", "fail", "present", "absent"])),
                                name="verdict_value_known",
                            ),
                        ],
                    },
                ),
            ]
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
