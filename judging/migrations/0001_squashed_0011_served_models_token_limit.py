import uuid
from importlib import import_module

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from projects.first_tables import CreateModels
from projects.triggers import create, drop

# The rules stand where they were first written; they come last, when all tables are there.
TRIGGERS = [
    trigger
    for name in (
        "0006_collecting_triggers",
        "0008_judge_prompts_stay",
        "0010_shards_are_held_while_running",
    )
    for trigger in import_module(f"judging.migrations.{name}").TRIGGERS
]


class Migration(migrations.Migration):
    replaces = [
        ("judging", "0001_initial"),
        ("judging", "0002_initial"),
        ("judging", "0003_provider_structured_output"),
        ("judging", "0004_calls_about_errors"),
        ("judging", "0005_collecting"),
        ("judging", "0006_collecting_triggers"),
        ("judging", "0007_engine"),
        ("judging", "0008_judge_prompts_stay"),
        ("judging", "0009_words_of_replies"),
        ("judging", "0010_shards_are_held_while_running"),
        ("judging", "0011_served_models_token_limit"),
    ]

    initial = True

    dependencies = [
        ("projects", "0001_squashed_0006_localised_templates_stay"),
        ("rubrics", "0001_squashed_0004_imported_order"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="ModelMapping",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "pattern",
                            models.CharField(help_text="Start of the model's name", max_length=120, unique=True),
                        ),
                        (
                            "laboratory",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="model_mappings",
                                to="projects.laboratory",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PromptVersion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        ("version", models.CharField(max_length=20)),
                        ("text", models.TextField()),
                        ("text_sha256", models.CharField(max_length=64)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("name", "version", "text_sha256"), name="prompt_version_unique"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Provider",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.SlugField(max_length=60, unique=True)),
                        ("base_url", models.URLField(max_length=300)),
                        (
                            "key_name",
                            models.CharField(blank=True, help_text="Name of the environment variable", max_length=80),
                        ),
                        ("is_simulated", models.BooleanField(default=False)),
                        ("concurrency", models.PositiveSmallIntegerField(default=16)),
                        ("timeout_seconds", models.PositiveSmallIntegerField(default=120)),
                        (
                            "laboratory",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.laboratory",
                            ),
                        ),
                        (
                            "structured_output",
                            models.CharField(
                                choices=[
                                    ("schema", "By JSON Schema"),
                                    ("object", "Any JSON object"),
                                    ("prompt", "By the prompt alone"),
                                ],
                                default="schema",
                                max_length=8,
                            ),
                        ),
                        ("deadline_seconds", models.PositiveIntegerField(default=900)),
                        ("requests_per_minute", models.PositiveIntegerField(blank=True, null=True)),
                        ("tokens_per_minute", models.PositiveIntegerField(blank=True, null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("concurrency__gte", 1)), name="provider_concurrency_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("timeout_seconds__gte", 1)), name="provider_timeout_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("structured_output__in", ["schema", "object", "prompt"])),
                                name="provider_structured_output",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("deadline_seconds__gte", models.F("timeout_seconds"))),
                                name="provider_deadline_beyond_timeout",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("requests_per_minute", None), ("requests_per_minute__gte", 1), _connector="OR"
                                    ),
                                    models.Q(
                                        ("tokens_per_minute", None), ("tokens_per_minute__gte", 1), _connector="OR"
                                    ),
                                ),
                                name="provider_limits_positive",
                            ),
                        ],
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="JudgePrompt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=20)),
                        ("language", models.CharField(default="en", max_length=10)),
                        ("number", models.PositiveIntegerField()),
                        ("parts", models.JSONField()),
                        ("note", models.CharField(blank=True, max_length=200)),
                        ("based_on_shipped", models.CharField(blank=True, max_length=40)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "based_on",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="judging.judgeprompt",
                            ),
                        ),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="judge_prompts",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["kind", "-number"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("project", "kind", "number"), name="judge_prompt_number_unique"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)), name="judge_prompt_number_positive"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Panel",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=20)),
                        (
                            "rule",
                            models.CharField(
                                choices=[
                                    ("majority", "Majority"),
                                    ("mean", "Mean"),
                                    ("weighted", "Weighted by agreement with people"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("least_members", models.PositiveSmallIntegerField(default=2)),
                        ("seed", models.PositiveIntegerField(default=0)),
                        ("options", models.JSONField(blank=True, default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("assembled_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="panels",
                                to="projects.project",
                            ),
                        ),
                        (
                            "rater",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT, related_name="panel", to="projects.rater"
                            ),
                        ),
                        (
                            "members",
                            models.ManyToManyField(
                                related_name="panels", through="judging.PanelMember", to="projects.rater"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["rater__name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("rule__in", ["majority", "mean", "weighted"])),
                                name="panel_rule_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("least_members__gte", 1)), name="panel_least_members_positive"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RunSet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("items", models.JSONField(blank=True, default=dict)),
                        ("replicates", models.PositiveSmallIntegerField(default=1)),
                        ("money_limit", models.BigIntegerField(blank=True, null=True)),
                        ("token_limit", models.BigIntegerField(blank=True, null=True)),
                        ("money_spent", models.BigIntegerField(default=0)),
                        ("tokens_spent", models.BigIntegerField(default=0)),
                        ("money_reserved", models.BigIntegerField(default=0)),
                        ("tokens_reserved", models.BigIntegerField(default=0)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="run_sets",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("replicates__gte", 1)), name="run_set_replicates_positive"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("money_reserved__gte", 0),
                                    ("money_spent__gte", 0),
                                    ("tokens_reserved__gte", 0),
                                    ("tokens_spent__gte", 0),
                                ),
                                name="run_set_sums_not_negative",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("money_limit", None), ("money_limit__gte", 0), _connector="OR"),
                                    models.Q(("token_limit", None), ("token_limit__gte", 0), _connector="OR"),
                                ),
                                name="run_set_limits_not_negative",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Judge",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(default="spans", max_length=20)),
                        ("model", models.CharField(max_length=200)),
                        (
                            "granularity",
                            models.CharField(
                                choices=[
                                    ("paragraph", "Paragraph by paragraph"),
                                    ("response", "Whole response at once"),
                                ],
                                default="paragraph",
                                max_length=10,
                            ),
                        ),
                        (
                            "with_taxonomy",
                            models.BooleanField(default=False, verbose_name="the taxonomy stands in the prompt"),
                        ),
                        ("temperature", models.FloatField(blank=True, default=0.0, null=True)),
                        ("max_output_tokens", models.PositiveIntegerField(default=4000)),
                        ("options", models.JSONField(blank=True, default=dict)),
                        ("is_active", models.BooleanField(default=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="judges",
                                to="projects.project",
                            ),
                        ),
                        (
                            "rater",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT, related_name="judge", to="projects.rater"
                            ),
                        ),
                        (
                            "provider",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="judges",
                                to="judging.provider",
                            ),
                        ),
                        ("instruction_language", models.CharField(default="en", max_length=10)),
                        (
                            "prompt",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="judges",
                                to="judging.judgeprompt",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("granularity__in", ["paragraph", "response"])),
                                name="judge_granularity",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TargetEndpoint",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("model", models.CharField(blank=True, max_length=200)),
                        ("parameters", models.JSONField(blank=True, default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="target_endpoints",
                                to="projects.project",
                            ),
                        ),
                        (
                            "provider",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="target_endpoints",
                                to="judging.provider",
                            ),
                        ),
                        (
                            "target_model",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="endpoints",
                                to="projects.targetmodel",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["target_model__name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "target_model"), name="target_endpoint_unique"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("model", ""), ("provider", None)),
                                    models.Q(("provider__isnull", False), models.Q(("model", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="target_endpoint_model_at_provider",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DifficultyModel",
                    fields=[
                        (
                            "project",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="difficulty_model",
                                serialize=False,
                                to="projects.project",
                            ),
                        ),
                        ("model", models.CharField(max_length=200)),
                        (
                            "provider",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="judging.provider"
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("model", ""), _negated=True), name="difficulty_model_named"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PanelMember",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("weight", models.FloatField(blank=True, null=True)),
                        ("weighed_on", models.PositiveIntegerField(blank=True, null=True)),
                        (
                            "panel",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="judging.panel",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="panel_memberships",
                                to="projects.rater",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("panel", "rater"), name="panel_member_once"),
                            models.CheckConstraint(
                                condition=models.Q(("weight", None), ("weight__gte", 0), _connector="OR"),
                                name="panel_weight_not_negative",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ServedModel",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=200)),
                        (
                            "gives_schema",
                            models.BooleanField(blank=True, null=True, verbose_name="answers by JSON Schema"),
                        ),
                        (
                            "gives_object",
                            models.BooleanField(blank=True, null=True, verbose_name="answers with any JSON object"),
                        ),
                        (
                            "gives_logprobs",
                            models.BooleanField(blank=True, null=True, verbose_name="gives log probabilities"),
                        ),
                        ("takes_seed", models.BooleanField(blank=True, null=True, verbose_name="takes a seed")),
                        (
                            "takes_temperature",
                            models.BooleanField(blank=True, null=True, verbose_name="takes a temperature"),
                        ),
                        (
                            "reasons",
                            models.BooleanField(blank=True, null=True, verbose_name="reasons before it answers"),
                        ),
                        ("input_price", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                        ("output_price", models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                        ("tested_at", models.DateTimeField(blank=True, null=True)),
                        ("found", models.JSONField(blank=True, default=dict)),
                        (
                            "laboratory",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="projects.laboratory",
                            ),
                        ),
                        (
                            "provider",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="served_models",
                                to="judging.provider",
                            ),
                        ),
                        (
                            "token_limit",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("", "As usual for its laboratory"),
                                    ("max_tokens", "max_tokens"),
                                    ("max_completion_tokens", "max_completion_tokens"),
                                ],
                                default="",
                                max_length=24,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["provider__name", "name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("provider", "name"), name="served_model_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("name", ""), _negated=True), name="served_model_named"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("input_price", None), ("output_price", None)),
                                    models.Q(("input_price__gte", 0), ("output_price__gte", 0)),
                                    _connector="OR",
                                ),
                                name="served_model_priced_both_ways",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("token_limit__in", ["", "max_tokens", "max_completion_tokens"])),
                                name="served_model_token_limit",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Run",
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
                            "state",
                            models.CharField(
                                choices=[
                                    ("planned", "Planned"),
                                    ("running", "Running"),
                                    ("paused", "Paused"),
                                    ("done", "Done"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="planned",
                                max_length=10,
                            ),
                        ),
                        (
                            "excluded",
                            models.PositiveIntegerField(default=0, help_text="Responses of the judge's own laboratory"),
                        ),
                        ("options", models.JSONField(blank=True, default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "judge",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="runs", to="judging.judge"
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="judge_runs",
                                to="projects.project",
                            ),
                        ),
                        (
                            "prompt_version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="runs",
                                to="judging.promptversion",
                            ),
                        ),
                        (
                            "paused_because",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("person", "Somebody paused it"),
                                    ("budget", "The budget is spent"),
                                    ("provider", "The provider does not answer"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "run_set",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="runs",
                                to="judging.runset",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("state__in", ["planned", "running", "paused", "done", "cancelled"])
                                ),
                                name="run_state_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("paused_because__in", ["person", "budget", "provider"]), ("state", "paused")
                                    ),
                                    models.Q(models.Q(("state", "paused"), _negated=True), ("paused_because", "")),
                                    _connector="OR",
                                ),
                                name="run_paused_for_a_reason",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Collection",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("planned", "Planned"),
                                    ("running", "Running"),
                                    ("paused", "Paused"),
                                    ("done", "Done"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="planned",
                                max_length=10,
                            ),
                        ),
                        (
                            "unfrozen",
                            models.PositiveIntegerField(
                                default=0, help_text="Prompts left out for want of a frozen rubric"
                            ),
                        ),
                        ("claim", models.UUIDField(blank=True, null=True)),
                        ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "endpoint",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="collections",
                                to="judging.targetendpoint",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [models.Index(fields=["state", "heartbeat_at"], name="collection_sweep")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["planned", "running", "done", "cancelled"])),
                                name="collection_state_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("claim", None), ("state__in", ["running", "cancelled"]), _connector="OR"
                                ),
                                name="collection_claimed_while_running",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Shard",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("queued", "Queued"),
                                    ("running", "Running"),
                                    ("paused", "Paused"),
                                    ("done", "Done"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="queued",
                                max_length=10,
                            ),
                        ),
                        ("claim", models.UUIDField(blank=True, null=True)),
                        ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="shards", to="judging.run"
                            ),
                        ),
                        ("money_reserved", models.BigIntegerField(default=0)),
                        ("tokens_reserved", models.BigIntegerField(default=0)),
                    ],
                    options={
                        "indexes": [models.Index(fields=["state", "heartbeat_at"], name="shard_sweep")],
                        "constraints": [
                            models.UniqueConstraint(fields=("run", "number"), name="shard_number_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("state__in", ["queued", "running", "paused", "done", "cancelled"])),
                                name="shard_state_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("claim__isnull", False), ("state", "running")),
                                    models.Q(
                                        models.Q(("state", "running"), _negated=True),
                                        ("claim", None),
                                        ("money_reserved", 0),
                                        ("tokens_reserved", 0),
                                    ),
                                    _connector="OR",
                                ),
                                name="shard_held_while_running",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("money_reserved__gte", 0), ("tokens_reserved__gte", 0)),
                                name="shard_reserves_not_negative",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CollectionCall",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("planned", "Planned"),
                                    ("collected", "Collected"),
                                    ("refused", "Refused"),
                                    ("truncated", "Cut short"),
                                    ("empty", "Empty"),
                                    ("unusable", "Unusable"),
                                    ("failed", "No answer came"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="planned",
                                max_length=12,
                            ),
                        ),
                        ("raw_output", models.TextField(blank=True)),
                        ("problem", models.TextField(blank=True)),
                        ("reply_model", models.CharField(blank=True, max_length=200)),
                        ("finish_reason", models.CharField(blank=True, max_length=40)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("prompt_tokens", models.PositiveIntegerField(blank=True, null=True)),
                        ("completion_tokens", models.PositiveIntegerField(blank=True, null=True)),
                        ("latency_ms", models.PositiveIntegerField(blank=True, null=True)),
                        ("words", models.PositiveIntegerField(blank=True, null=True)),
                        ("started_at", models.DateTimeField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        ("controls", models.JSONField(blank=True, default=list)),
                        (
                            "collection",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="calls",
                                to="judging.collection",
                            ),
                        ),
                        (
                            "pasted_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "prompt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="collection_calls",
                                to="projects.prompt",
                            ),
                        ),
                        (
                            "response",
                            models.OneToOneField(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="collection_call",
                                to="projects.response",
                            ),
                        ),
                        (
                            "endpoint",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="calls",
                                to="judging.targetendpoint",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["collection", "state"], name="collection_progress")],
                        "constraints": [
                            models.UniqueConstraint(fields=("endpoint", "prompt"), name="collection_asked_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "state__in",
                                        [
                                            "planned",
                                            "collected",
                                            "refused",
                                            "truncated",
                                            "empty",
                                            "unusable",
                                            "failed",
                                            "cancelled",
                                        ],
                                    )
                                ),
                                name="collection_call_state_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("response__isnull", False), ("state", "collected")),
                                    models.Q(models.Q(("state", "collected"), _negated=True), ("response", None)),
                                    _connector="OR",
                                ),
                                name="collected_with_response",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Call",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("unit", models.BigIntegerField(default=-1)),
                        ("round", models.PositiveSmallIntegerField(default=1)),
                        (
                            "state",
                            models.CharField(
                                choices=[
                                    ("planned", "Planned"),
                                    ("scored", "Scored"),
                                    ("repaired", "Scored after repair"),
                                    ("unlocatable", "Quote not found"),
                                    ("refused", "Refused"),
                                    ("truncated", "Cut short"),
                                    ("malformed", "Unreadable"),
                                    ("failed", "Failed"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="planned",
                                max_length=12,
                            ),
                        ),
                        ("input_sha256", models.CharField(blank=True, max_length=64)),
                        ("raw_output", models.TextField(blank=True)),
                        ("parsed", models.JSONField(blank=True, null=True)),
                        ("problem", models.TextField(blank=True)),
                        ("reply_model", models.CharField(blank=True, max_length=200)),
                        ("finish_reason", models.CharField(blank=True, max_length=40)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("prompt_tokens", models.PositiveIntegerField(blank=True, null=True)),
                        ("completion_tokens", models.PositiveIntegerField(blank=True, null=True)),
                        ("latency_ms", models.PositiveIntegerField(blank=True, null=True)),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "response",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="judge_calls",
                                to="projects.response",
                            ),
                        ),
                        (
                            "judge",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="calls", to="judging.judge"
                            ),
                        ),
                        (
                            "prompt_version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="calls",
                                to="judging.promptversion",
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="judging.run"
                            ),
                        ),
                        (
                            "shard",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="judging.shard"
                            ),
                        ),
                        ("about", models.JSONField(blank=True, default=list)),
                        ("cost", models.BigIntegerField(blank=True, null=True)),
                        ("cost_is_bound", models.BooleanField(blank=True, null=True)),
                        ("nonce", models.CharField(blank=True, max_length=64)),
                        ("parser", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("reasoning_tokens", models.PositiveIntegerField(blank=True, null=True)),
                        (
                            "reused",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="judging.call",
                            ),
                        ),
                        (
                            "signal",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("refusal", "The model declined"),
                                    ("tool_call", "The model asked for a tool"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("words", models.PositiveIntegerField(blank=True, null=True)),
                        ("retries", models.PositiveSmallIntegerField(default=0)),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["run", "state"], name="call_progress"),
                            models.Index(fields=["shard", "state"], name="call_of_shard"),
                            models.Index(
                                condition=models.Q(("input_sha256", ""), _negated=True),
                                fields=["input_sha256"],
                                name="call_by_input",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("judge", "response", "unit", "prompt_version", "round"), name="call_once"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    (
                                        "state__in",
                                        [
                                            "planned",
                                            "scored",
                                            "repaired",
                                            "unlocatable",
                                            "refused",
                                            "truncated",
                                            "malformed",
                                            "failed",
                                            "cancelled",
                                        ],
                                    )
                                ),
                                name="call_state_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("signal__in", ["", "refusal", "tool_call"])),
                                name="call_signal_known",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("cost", None), ("cost__gte", 0), _connector="OR"),
                                name="call_cost_not_negative",
                            ),
                        ],
                    },
                ),
            ]
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
