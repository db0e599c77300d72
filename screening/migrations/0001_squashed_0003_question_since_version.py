import uuid
from importlib import import_module

import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.lookups
from django.conf import settings
from django.db import migrations, models

from projects.first_tables import CreateModels
from projects.triggers import create, drop

# The rules stand where they were first written; they come last, when all tables are there.
TRIGGERS = [
    trigger for name in ("0002_triggers",) for trigger in import_module(f"screening.migrations.{name}").TRIGGERS
]


class Migration(migrations.Migration):
    replaces = [
        ("screening", "0001_initial"),
        ("screening", "0002_triggers"),
        ("screening", "0003_question_since_version"),
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
                    name="CheckSettings",
                    fields=[
                        (
                            "tolerance",
                            models.PositiveSmallIntegerField(
                                default=1,
                                help_text="From the experts' grade, up or down. A preference the other way round is wrong at any distance.",
                                verbose_name="grades may differ by",
                            ),
                        ),
                        (
                            "span_f1",
                            models.PositiveSmallIntegerField(
                                default=50,
                                help_text="Against the experts' marks; two marks meet where they share more than 15 % of their words.",
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(100),
                                ],
                                verbose_name="marks are right from this F1, in percent",
                            ),
                        ),
                        (
                            "stage",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="check_settings",
                                serialize=False,
                                to="workflow.stage",
                            ),
                        ),
                        (
                            "share",
                            models.PositiveSmallIntegerField(
                                default=10,
                                help_text="0 hands out none for now.",
                                validators=[django.core.validators.MaxValueValidator(50)],
                                verbose_name="checks among the items handed out, in percent",
                            ),
                        ),
                        (
                            "window",
                            models.PositiveSmallIntegerField(
                                default=20,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(1000),
                                ],
                                verbose_name="latest checks that count",
                            ),
                        ),
                        (
                            "least",
                            models.PositiveSmallIntegerField(
                                default=8,
                                validators=[django.core.validators.MinValueValidator(1)],
                                verbose_name="checks before anybody is paused",
                            ),
                        ),
                        (
                            "mark",
                            models.PositiveSmallIntegerField(
                                default=70,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(100),
                                ],
                                verbose_name="paused below this accuracy, in percent",
                            ),
                        ),
                        (
                            "retraining",
                            models.TextField(
                                blank=True,
                                help_text="Markdown. Shown to a person who is paused.",
                                verbose_name="retraining text",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "check settings",
                        "abstract": False,
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("span_f1__gte", 1), ("span_f1__lte", 100)),
                                name="checksettings_span_f1_percent",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("share__lte", 50)), name="check_share_of_the_work"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("mark__gte", 1), ("mark__lte", 100)), name="check_mark_percent"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("least__gte", 1), ("least__lte", models.F("window"))),
                                name="check_window",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GoldCheck",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("gold", models.JSONField()),
                        ("is_active", models.BooleanField(default=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "added_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "item",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="gold_check",
                                to="workflow.workitem",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="gold_checks",
                                to="workflow.stage",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_active", True)), fields=["stage"], name="gold_check_active"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Quiz",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "tolerance",
                            models.PositiveSmallIntegerField(
                                default=1,
                                help_text="From the experts' grade, up or down. A preference the other way round is wrong at any distance.",
                                verbose_name="grades may differ by",
                            ),
                        ),
                        (
                            "span_f1",
                            models.PositiveSmallIntegerField(
                                default=50,
                                help_text="Against the experts' marks; two marks meet where they share more than 15 % of their words.",
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(100),
                                ],
                                verbose_name="marks are right from this F1, in percent",
                            ),
                        ),
                        ("language", models.CharField(blank=True, max_length=8, verbose_name="language")),
                        ("version", models.PositiveIntegerField(default=1)),
                        (
                            "pass_mark",
                            models.PositiveSmallIntegerField(
                                default=80,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(100),
                                ],
                                verbose_name="pass mark, in percent",
                            ),
                        ),
                        (
                            "attempts_allowed",
                            models.PositiveSmallIntegerField(
                                default=3,
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(100),
                                ],
                                verbose_name="attempts a person has",
                            ),
                        ),
                        (
                            "introduction",
                            models.TextField(blank=True, help_text="Markdown", verbose_name="introduction"),
                        ),
                        (
                            "retraining",
                            models.TextField(
                                blank=True,
                                help_text="Markdown. Shown after a failed attempt, before the next one.",
                                verbose_name="retraining text",
                            ),
                        ),
                        ("is_open", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="quizzes", to="workflow.stage"
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "quizzes",
                        "ordering": ["stage__position", "language"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_open", True)), fields=["stage"], name="quiz_open_of_stage"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("span_f1__gte", 1), ("span_f1__lte", 100)),
                                name="quiz_span_f1_percent",
                            ),
                            models.UniqueConstraint(fields=("stage", "language"), name="quiz_of_stage_and_language"),
                            models.CheckConstraint(
                                condition=models.Q(("pass_mark__gte", 1), ("pass_mark__lte", 100)),
                                name="quiz_pass_mark_percent",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("attempts_allowed__gte", 1)), name="quiz_attempts_positive"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CheckResult",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("is_right", models.BooleanField()),
                        ("score", models.FloatField()),
                        ("parts", models.JSONField(default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "assignment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="check_result",
                                to="workflow.assignment",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="check_results",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="check_results",
                                to="workflow.stage",
                            ),
                        ),
                        (
                            "check_item",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="results",
                                to="screening.goldcheck",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["stage", "rater", "-id"], name="check_results_latest")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("score__gte", 0), ("score__lte", 1)), name="check_score_is_a_share"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Attempt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "tolerance",
                            models.PositiveSmallIntegerField(
                                default=1,
                                help_text="From the experts' grade, up or down. A preference the other way round is wrong at any distance.",
                                verbose_name="grades may differ by",
                            ),
                        ),
                        (
                            "span_f1",
                            models.PositiveSmallIntegerField(
                                default=50,
                                help_text="Against the experts' marks; two marks meet where they share more than 15 % of their words.",
                                validators=[
                                    django.core.validators.MinValueValidator(1),
                                    django.core.validators.MaxValueValidator(100),
                                ],
                                verbose_name="marks are right from this F1, in percent",
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("number", models.PositiveSmallIntegerField()),
                        ("version", models.PositiveIntegerField()),
                        ("pass_mark", models.PositiveSmallIntegerField()),
                        ("seed", models.PositiveIntegerField()),
                        ("begun_at", models.DateTimeField(auto_now_add=True)),
                        ("submitted_at", models.DateTimeField(blank=True, null=True)),
                        ("submission", models.UUIDField(blank=True, null=True, unique=True)),
                        ("right", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("total", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("is_passed", models.BooleanField(blank=True, null=True)),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="quiz_attempts",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "quiz",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="attempts",
                                to="screening.quiz",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-begun_at", "-id"],
                        "abstract": False,
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_passed", True)), fields=["rater", "quiz"], name="attempt_passed"
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("span_f1__gte", 1), ("span_f1__lte", 100)),
                                name="attempt_span_f1_percent",
                            ),
                            models.UniqueConstraint(fields=("quiz", "rater", "number"), name="attempt_number_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("submitted_at", None)),
                                fields=("quiz", "rater"),
                                name="attempt_one_open_at_a_time",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("is_passed", True)),
                                fields=("quiz", "rater"),
                                name="attempt_passed_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)), name="attempt_number_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("is_passed", None),
                                        ("right", None),
                                        ("submission", None),
                                        ("submitted_at", None),
                                        ("total", None),
                                    ),
                                    models.Q(
                                        ("right__gte", 0),
                                        ("right__lte", models.F("total")),
                                        ("submission__isnull", False),
                                        ("submitted_at__isnull", False),
                                        ("total__gte", 1),
                                        models.Q(
                                            models.Q(
                                                ("is_passed", True),
                                                django.db.models.lookups.GreaterThanOrEqual(
                                                    django.db.models.expressions.CombinedExpression(
                                                        models.F("right"), "*", models.Value(100)
                                                    ),
                                                    django.db.models.expressions.CombinedExpression(
                                                        models.F("total"), "*", models.F("pass_mark")
                                                    ),
                                                ),
                                            ),
                                            models.Q(
                                                ("is_passed", False),
                                                django.db.models.lookups.LessThan(
                                                    django.db.models.expressions.CombinedExpression(
                                                        models.F("right"), "*", models.Value(100)
                                                    ),
                                                    django.db.models.expressions.CombinedExpression(
                                                        models.F("total"), "*", models.F("pass_mark")
                                                    ),
                                                ),
                                            ),
                                            _connector="OR",
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="attempt_graded_by_its_mark",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="QuizQuestion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("true_false", "True or false"),
                                    ("choice", "Multiple choice"),
                                    ("rating", "Sample rating"),
                                    ("spans", "Sample marking"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("text", models.TextField(help_text="Markdown", verbose_name="question")),
                        ("content", models.JSONField(default=dict)),
                        (
                            "explanation",
                            models.TextField(
                                blank=True, help_text="Markdown. Shown after the attempt.", verbose_name="explanation"
                            ),
                        ),
                        ("key", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        (
                            "pair",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.responsepair",
                            ),
                        ),
                        (
                            "question_type",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.questiontype",
                            ),
                        ),
                        (
                            "quiz",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="questions",
                                to="screening.quiz",
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.response",
                            ),
                        ),
                        ("since_version", models.PositiveIntegerField(db_default=1, default=1)),
                    ],
                    options={
                        "ordering": ["position", "id"],
                        "abstract": False,
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("kind__in", ["true_false", "choice"]),
                                        ("pair", None),
                                        ("question_type", None),
                                        ("response", None),
                                    ),
                                    models.Q(
                                        ("kind", "rating"),
                                        ("question_type__isnull", False),
                                        models.Q(
                                            models.Q(("pair__isnull", False), ("response", None)),
                                            models.Q(("pair", None), ("response__isnull", False)),
                                            _connector="OR",
                                        ),
                                    ),
                                    models.Q(
                                        ("kind", "spans"),
                                        ("pair", None),
                                        ("question_type", None),
                                        ("response__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="quizquestion_fits_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="quizquestion_text_present"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Pause",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("right", models.PositiveSmallIntegerField()),
                        ("n", models.PositiveSmallIntegerField()),
                        ("mark", models.PositiveSmallIntegerField()),
                        ("begun_at", models.DateTimeField(auto_now_add=True)),
                        ("lifted_at", models.DateTimeField(blank=True, null=True)),
                        ("note", models.TextField(blank=True, verbose_name="note")),
                        (
                            "last_result",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="screening.checkresult",
                            ),
                        ),
                        (
                            "lifted_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="pauses", to="projects.rater"
                            ),
                        ),
                        (
                            "stage",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="pauses", to="workflow.stage"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-begun_at", "-id"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("lifted_at", None)),
                                fields=("stage", "rater"),
                                name="pause_one_at_a_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("n__gte", 1), ("right__lte", models.F("n"))),
                                name="pause_of_results",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("lifted_at__isnull", False),
                                    models.Q(("lifted_by", None), ("note", "")),
                                    _connector="OR",
                                ),
                                name="pause_lifted",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AttemptQuestion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("true_false", "True or false"),
                                    ("choice", "Multiple choice"),
                                    ("rating", "Sample rating"),
                                    ("spans", "Sample marking"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("text", models.TextField(help_text="Markdown", verbose_name="question")),
                        ("content", models.JSONField(default=dict)),
                        (
                            "explanation",
                            models.TextField(
                                blank=True, help_text="Markdown. Shown after the attempt.", verbose_name="explanation"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        ("order", models.JSONField(default=list)),
                        ("answer", models.JSONField(blank=True, null=True)),
                        ("saves", models.PositiveIntegerField(default=0)),
                        ("is_right", models.BooleanField(blank=True, null=True)),
                        ("score", models.FloatField(blank=True, null=True)),
                        ("parts", models.JSONField(default=dict)),
                        (
                            "attempt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="questions",
                                to="screening.attempt",
                            ),
                        ),
                        (
                            "pair",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.responsepair",
                            ),
                        ),
                        (
                            "question_type",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.questiontype",
                            ),
                        ),
                        (
                            "response",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.response",
                            ),
                        ),
                        (
                            "question",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="askings",
                                to="screening.quizquestion",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["position"],
                        "abstract": False,
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("kind__in", ["true_false", "choice"]),
                                        ("pair", None),
                                        ("question_type", None),
                                        ("response", None),
                                    ),
                                    models.Q(
                                        ("kind", "rating"),
                                        ("question_type__isnull", False),
                                        models.Q(
                                            models.Q(("pair__isnull", False), ("response", None)),
                                            models.Q(("pair", None), ("response__isnull", False)),
                                            _connector="OR",
                                        ),
                                    ),
                                    models.Q(
                                        ("kind", "spans"),
                                        ("pair", None),
                                        ("question_type", None),
                                        ("response__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="attemptquestion_fits_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="attemptquestion_text_present"
                            ),
                            models.UniqueConstraint(fields=("attempt", "position"), name="attempt_position_once"),
                            models.UniqueConstraint(fields=("attempt", "question"), name="attempt_question_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("is_right", None), ("score", None)),
                                    models.Q(("is_right__isnull", False), ("score__gte", 0), ("score__lte", 1)),
                                    _connector="OR",
                                ),
                                name="attempt_question_marked",
                            ),
                        ],
                    },
                ),
            ]
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
