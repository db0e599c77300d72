"""Providers leave the room of judging with their tables as they are: nothing is written here."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("projects", "0008_audit_is_never_truncated"),
        ("judging", "0017_collections_are_runs_alone"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
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
                    options={"db_table": "judging_modelmapping"},
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
                        ("requests_per_minute", models.PositiveIntegerField(blank=True, null=True)),
                        ("tokens_per_minute", models.PositiveIntegerField(blank=True, null=True)),
                        ("timeout_seconds", models.PositiveSmallIntegerField(default=120)),
                        ("deadline_seconds", models.PositiveIntegerField(default=900)),
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
                    ],
                    options={
                        "ordering": ["name"],
                        "db_table": "judging_provider",
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
                                to="providers.provider",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["provider__name", "name"],
                        "db_table": "judging_servedmodel",
                    },
                ),
                migrations.AddConstraint(
                    model_name="provider",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("concurrency__gte", 1)), name="provider_concurrency_positive"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="provider",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("timeout_seconds__gte", 1)), name="provider_timeout_positive"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="provider",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("deadline_seconds__gte", models.F("timeout_seconds"))),
                        name="provider_deadline_beyond_timeout",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="provider",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("requests_per_minute", None), ("requests_per_minute__gte", 1), _connector="OR"),
                            models.Q(("tokens_per_minute", None), ("tokens_per_minute__gte", 1), _connector="OR"),
                        ),
                        name="provider_limits_positive",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="provider",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("structured_output__in", ["schema", "object", "prompt"])),
                        name="provider_structured_output",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="servedmodel",
                    constraint=models.UniqueConstraint(fields=("provider", "name"), name="served_model_unique"),
                ),
                migrations.AddConstraint(
                    model_name="servedmodel",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("name", ""), _negated=True), name="served_model_named"
                    ),
                ),
                migrations.AddConstraint(
                    model_name="servedmodel",
                    constraint=models.CheckConstraint(
                        condition=models.Q(("token_limit__in", ["", "max_tokens", "max_completion_tokens"])),
                        name="served_model_token_limit",
                    ),
                ),
                migrations.AddConstraint(
                    model_name="servedmodel",
                    constraint=models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("input_price", None), ("output_price", None)),
                            models.Q(("input_price__gte", 0), ("output_price__gte", 0)),
                            _connector="OR",
                        ),
                        name="served_model_priced_both_ways",
                    ),
                ),
            ]
        )
    ]
