from importlib import import_module

import django.db.models.deletion
from django.db import migrations, models

from projects.first_tables import CreateModels
from projects.triggers import create, drop

# The rules stand where they were first written; they come last, when all tables are there.
TRIGGERS = [
    trigger
    for name in (
        "0003_triggers",
        "0007_triggers_of_ratings",
        "0009_scale_of_rated_questions",
    )
    for trigger in import_module(f"annotation.migrations.{name}").TRIGGERS
]


class Migration(migrations.Migration):
    replaces = [
        ("annotation", "0001_initial"),
        ("annotation", "0002_initial"),
        ("annotation", "0003_triggers"),
        ("annotation", "0004_gold_answers_and_coding_samples"),
        ("annotation", "0005_proposals_of_judges"),
        ("annotation", "0006_ratings"),
        ("annotation", "0007_triggers_of_ratings"),
        ("annotation", "0008_check_markings"),
        ("annotation", "0009_scale_of_rated_questions"),
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
                    name="ErrorCategory",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=60)),
                        ("name", models.CharField(max_length=80)),
                        ("definition", models.TextField(blank=True)),
                        ("example", models.TextField(blank=True)),
                        (
                            "error_type",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("cultural", "Cultural"),
                                    ("linguistic", "Linguistic"),
                                    ("both", "Cultural and linguistic"),
                                    ("logical", "Logical"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "depth",
                            models.CharField(
                                choices=[("thin", "Thin"), ("thick", "Thick"), ("separate", "Counted apart")],
                                default="separate",
                                max_length=8,
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="error_categories",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "error categories",
                        "ordering": ["position", "id"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "slug"), name="category_slug_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("depth__in", ["thin", "thick", "separate"])),
                                name="category_depth_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ErrorGroup",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=64)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "confirmed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="error_groups",
                                to="projects.response",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("response", "key"), name="error_group_key_unique")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Marking",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.PositiveSmallIntegerField(default=1)),
                        ("no_errors", models.BooleanField(default=False)),
                        ("is_complete", models.BooleanField(default=True)),
                        ("metadata", models.JSONField(blank=True, default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "assignment",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="marking",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="markings",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="markings",
                                to="projects.response",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["rater", "response"], name="marking_of_rater")],
                        "constraints": [
                            models.UniqueConstraint(fields=("response", "rater", "round"), name="marking_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GoldAnswer",
                    fields=[
                        (
                            "response",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="gold_answer",
                                serialize=False,
                                to="projects.response",
                            ),
                        ),
                        ("kept", models.PositiveIntegerField(default=0)),
                        ("rejected", models.PositiveIntegerField(default=0)),
                        ("open", models.PositiveIntegerField(default=0)),
                        ("pending", models.PositiveIntegerField(default=0)),
                        ("is_imported", models.BooleanField(default=False)),
                        ("updated_at", models.DateTimeField(auto_now=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="RatingSettings",
                    fields=[
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="rating_settings",
                                serialize=False,
                                to="projects.project",
                            ),
                        ),
                        (
                            "asks_preference",
                            models.BooleanField(
                                default=True, verbose_name="raters may also say which response they prefer"
                            ),
                        ),
                        ("asks_comment", models.BooleanField(default=True, verbose_name="raters may leave a comment")),
                        (
                            "gold_rule",
                            models.CharField(
                                choices=[("majority", "Majority; ties by mean, then median"), ("mean", "Mean")],
                                default="majority",
                                max_length=10,
                                verbose_name="gold rule",
                            ),
                        ),
                        (
                            "unparseable",
                            models.CharField(
                                choices=[
                                    ("excluded", "Left out, and counted beside"),
                                    ("wrong", "Wrong"),
                                    ("tie", "A tie"),
                                ],
                                default="excluded",
                                max_length=10,
                                verbose_name="unreadable verdicts",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "rating settings",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("gold_rule__in", ["majority", "mean"])),
                                name="rating_gold_rule_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("unparseable__in", ["excluded", "wrong", "tie"])),
                                name="rating_policy_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Rating",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.PositiveSmallIntegerField(default=1)),
                        ("is_swapped", models.BooleanField(default=False)),
                        ("is_of_both_orders", models.BooleanField(default=False)),
                        ("first_grade", models.FloatField(blank=True, null=True)),
                        ("second_grade", models.FloatField(blank=True, null=True)),
                        (
                            "preference",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("first", "First is better"),
                                    ("second", "Second is better"),
                                    ("tie", "Equally good"),
                                ],
                                max_length=6,
                            ),
                        ),
                        ("is_unparseable", models.BooleanField(default=False)),
                        ("comment", models.TextField(blank=True)),
                        ("is_check", models.BooleanField(default=False)),
                        ("metadata", models.JSONField(blank=True, default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "assignment",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ratings",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "pair",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ratings",
                                to="projects.responsepair",
                            ),
                        ),
                        (
                            "question",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="ratings",
                                to="projects.questiontype",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="ratings", to="projects.rater"
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ratings",
                                to="projects.response",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["question", "pair"], name="rating_of_pairs"),
                            models.Index(fields=["rater", "question"], name="rating_of_rater"),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("is_of_both_orders", False),
                                        ("is_swapped", False),
                                        ("pair", None),
                                        ("preference", ""),
                                        ("response__isnull", False),
                                        ("second_grade", None),
                                        models.Q(
                                            models.Q(("first_grade__isnull", False), ("is_unparseable", False)),
                                            models.Q(("first_grade", None), ("is_unparseable", True)),
                                            _connector="OR",
                                        ),
                                    ),
                                    models.Q(
                                        ("pair__isnull", False),
                                        ("response", None),
                                        models.Q(
                                            models.Q(
                                                ("first_grade__isnull", False),
                                                ("is_unparseable", False),
                                                ("second_grade__isnull", False),
                                            ),
                                            models.Q(
                                                ("first_grade", None),
                                                ("second_grade", None),
                                                models.Q(("preference", ""), _negated=True),
                                                ("is_unparseable", False),
                                            ),
                                            models.Q(
                                                ("first_grade", None),
                                                ("second_grade", None),
                                                ("is_unparseable", True),
                                                ("preference", ""),
                                            ),
                                            _connector="OR",
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="rating_of_one_or_two",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("preference__in", ["", "first", "second", "tie"])),
                                name="rating_preference_known",
                            ),
                            models.UniqueConstraint(
                                fields=("response", "question", "rater", "round"), name="rating_of_response_once"
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("is_of_both_orders", False)),
                                fields=("pair", "question", "rater", "round"),
                                name="rating_of_pair_once",
                            ),
                            models.UniqueConstraint(
                                fields=("pair", "question", "rater", "round", "is_swapped"), name="rating_of_order_once"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CheckMarking",
                    fields=[
                        (
                            "assignment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                primary_key=True,
                                related_name="check_marking",
                                serialize=False,
                                to="workflow.assignment",
                            ),
                        ),
                        ("body", models.JSONField()),
                    ],
                ),
                migrations.CreateModel(
                    name="GoldError",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "anchor",
                            models.CharField(
                                choices=[
                                    ("words", "Words of the response"),
                                    ("paragraph", "Something missing from a paragraph"),
                                    ("response", "Something missing from the response"),
                                ],
                                default="words",
                                max_length=10,
                            ),
                        ),
                        ("start", models.PositiveIntegerField(blank=True, null=True)),
                        ("end", models.PositiveIntegerField(blank=True, null=True)),
                        ("quote", models.TextField(blank=True)),
                        ("paragraph", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("key", models.CharField(max_length=64)),
                        (
                            "error_type",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("cultural", "Cultural"),
                                    ("linguistic", "Linguistic"),
                                    ("both", "Cultural and linguistic"),
                                    ("logical", "Logical"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "criticality",
                            models.CharField(
                                blank=True,
                                choices=[("high", "High"), ("medium", "Medium"), ("low", "Low")],
                                max_length=8,
                            ),
                        ),
                        ("explanation", models.TextField(blank=True)),
                        ("correction", models.TextField(blank=True)),
                        ("varies_by_region", models.BooleanField(default=False)),
                        ("found_by_human", models.BooleanField(default=False)),
                        ("found_by_judge", models.BooleanField(default=False)),
                        ("provenance", models.JSONField(default=dict)),
                        ("is_imported", models.BooleanField(default=False)),
                        (
                            "category",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="annotation.errorcategory",
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="gold_errors",
                                to="projects.response",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["response", "start"], name="gold_error_in_order")],
                        "constraints": [
                            models.UniqueConstraint(fields=("response", "key"), name="gold_error_key_unique"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("anchor", "words"),
                                        ("end__gt", models.F("start")),
                                        ("paragraph", None),
                                        ("start__gte", 0),
                                        models.Q(("quote", ""), _negated=True),
                                    ),
                                    models.Q(
                                        ("anchor", "paragraph"),
                                        ("end", None),
                                        ("paragraph__gte", 0),
                                        ("quote", ""),
                                        ("start", None),
                                    ),
                                    models.Q(
                                        ("anchor", "response"),
                                        ("end", None),
                                        ("paragraph", None),
                                        ("quote", ""),
                                        ("start", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="gold_error_anchored",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Span",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "anchor",
                            models.CharField(
                                choices=[
                                    ("words", "Words of the response"),
                                    ("paragraph", "Something missing from a paragraph"),
                                    ("response", "Something missing from the response"),
                                ],
                                default="words",
                                max_length=10,
                            ),
                        ),
                        ("start", models.PositiveIntegerField(blank=True, null=True)),
                        ("end", models.PositiveIntegerField(blank=True, null=True)),
                        ("quote", models.TextField(blank=True)),
                        ("paragraph", models.PositiveSmallIntegerField(blank=True, null=True)),
                        (
                            "key",
                            models.CharField(
                                help_text="Unique in its response; chosen by who marked it", max_length=64
                            ),
                        ),
                        (
                            "error_type",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("cultural", "Cultural"),
                                    ("linguistic", "Linguistic"),
                                    ("both", "Cultural and linguistic"),
                                    ("logical", "Logical"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "criticality",
                            models.CharField(
                                blank=True,
                                choices=[("high", "High"), ("medium", "Medium"), ("low", "Low")],
                                max_length=8,
                            ),
                        ),
                        ("explanation", models.TextField(blank=True)),
                        ("correction", models.TextField(blank=True)),
                        ("penalty", models.FloatField(blank=True, null=True)),
                        ("metadata", models.JSONField(blank=True, default=dict)),
                        (
                            "category",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="spans",
                                to="annotation.errorcategory",
                            ),
                        ),
                        (
                            "gold_error",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="spans",
                                to="annotation.golderror",
                            ),
                        ),
                        (
                            "group",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="spans",
                                to="annotation.errorgroup",
                            ),
                        ),
                        (
                            "marking",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="spans",
                                to="annotation.marking",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="spans", to="projects.rater"
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="spans",
                                to="projects.response",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["rater", "response"], name="span_of_rater")],
                        "constraints": [
                            models.UniqueConstraint(fields=("response", "key"), name="span_key_unique"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("anchor", "words"),
                                        ("end__gt", models.F("start")),
                                        ("paragraph", None),
                                        ("start__gte", 0),
                                        models.Q(("quote", ""), _negated=True),
                                    ),
                                    models.Q(
                                        ("anchor", "paragraph"),
                                        ("end", None),
                                        ("paragraph__gte", 0),
                                        ("quote", ""),
                                        ("start", None),
                                    ),
                                    models.Q(
                                        ("anchor", "response"),
                                        ("end", None),
                                        ("paragraph", None),
                                        ("quote", ""),
                                        ("start", None),
                                    ),
                                    _connector="OR",
                                ),
                                name="span_anchored",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("error_type__in", ["", "cultural", "linguistic", "both", "logical"])
                                ),
                                name="span_type_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("criticality__in", ["", "high", "medium", "low"])),
                                name="span_criticality_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Adjudication",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("is_kept", models.BooleanField()),
                        ("varies_by_region", models.BooleanField(default=False)),
                        ("reason", models.TextField(blank=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="adjudications",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "span",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="adjudication",
                                to="annotation.span",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Classification",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "confirmed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="classifications",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "category",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="classifications",
                                to="annotation.errorcategory",
                            ),
                        ),
                        (
                            "span",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="classifications",
                                to="annotation.span",
                            ),
                        ),
                        ("after_proposal", models.BooleanField(db_default=False, default=False)),
                        ("reason", models.TextField(blank=True, db_default="")),
                        (
                            "refused_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="projects.rater",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("span", "rater"), name="classification_once"),
                            models.CheckConstraint(
                                condition=models.Q(("confirmed_by", None), ("refused_by", None), _connector="OR"),
                                name="classification_decided_one_way",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GroupProposal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("reason", models.TextField(blank=True)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("open", "To be decided"),
                                    ("confirmed", "Confirmed"),
                                    ("changed", "Confirmed in part"),
                                    ("dismissed", "Dismissed"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "decided_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "proposed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="group_proposals",
                                to="projects.response",
                            ),
                        ),
                        ("spans", models.ManyToManyField(related_name="group_proposals", to="annotation.span")),
                    ],
                ),
                migrations.CreateModel(
                    name="Review",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("round", models.PositiveSmallIntegerField(default=1)),
                        (
                            "verdict",
                            models.CharField(
                                choices=[
                                    ("keep", "Keep"),
                                    ("reject", "Reject"),
                                    ("differs", "Differs by region"),
                                    ("correct", "Correct"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("comment", models.TextField(blank=True)),
                        ("start", models.PositiveIntegerField(blank=True, null=True)),
                        ("end", models.PositiveIntegerField(blank=True, null=True)),
                        ("quote", models.TextField(blank=True)),
                        (
                            "error_type",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("cultural", "Cultural"),
                                    ("linguistic", "Linguistic"),
                                    ("both", "Cultural and linguistic"),
                                    ("logical", "Logical"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "criticality",
                            models.CharField(
                                blank=True,
                                choices=[("high", "High"), ("medium", "Medium"), ("low", "Low")],
                                max_length=8,
                            ),
                        ),
                        ("explanation", models.TextField(blank=True)),
                        ("correction", models.TextField(blank=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "assignment",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reviews",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "category",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="annotation.errorcategory",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="reviews", to="projects.rater"
                            ),
                        ),
                        (
                            "span",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reviews",
                                to="annotation.span",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("span", "rater", "round"), name="review_once"),
                            models.CheckConstraint(
                                condition=models.Q(("verdict__in", ["keep", "reject", "differs", "correct"])),
                                name="review_verdict_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("end", None), ("quote", ""), ("start", None)),
                                    models.Q(
                                        ("end__gt", models.F("start")),
                                        ("start__gte", 0),
                                        ("verdict", "correct"),
                                        models.Q(("quote", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="review_boundaries",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CodingSample",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("seed", models.PositiveIntegerField()),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="coding_samples",
                                to="projects.project",
                            ),
                        ),
                        ("spans", models.ManyToManyField(related_name="coding_samples", to="annotation.span")),
                    ],
                    options={
                        "ordering": ["-id"],
                    },
                ),
            ]
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
