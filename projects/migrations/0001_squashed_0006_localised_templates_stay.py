import uuid
from importlib import import_module

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import projects.models.people
import projects.models.project
from projects.first_tables import CreateModels
from projects.triggers import create, drop

# The rules stand where they were first written; they come last, when all tables are there.
TRIGGERS = [
    trigger
    for name in (
        "0002_triggers",
        "0005_triggers_of_pairs",
        "0006_localised_templates_stay",
    )
    for trigger in import_module(f"projects.migrations.{name}").TRIGGERS
]


class Migration(migrations.Migration):
    replaces = [
        ("projects", "0001_initial"),
        ("projects", "0002_triggers"),
        ("projects", "0003_areas_and_rubrics_preset"),
        ("projects", "0004_ratings_and_templates"),
        ("projects", "0005_triggers_of_pairs"),
        ("projects", "0006_localised_templates_stay"),
    ]

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        CreateModels(
            [
                migrations.CreateModel(
                    name="Laboratory",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=60, unique=True)),
                        ("name", models.CharField(max_length=120)),
                    ],
                    options={
                        "verbose_name_plural": "laboratories",
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="User",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("password", models.CharField(max_length=128, verbose_name="password")),
                        ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                        (
                            "is_superuser",
                            models.BooleanField(
                                default=False,
                                help_text="Designates that this user has all permissions without explicitly assigning them.",
                                verbose_name="superuser status",
                            ),
                        ),
                        ("email", models.EmailField(max_length=254, unique=True, verbose_name="email address")),
                        ("name", models.CharField(blank=True, max_length=120, verbose_name="name")),
                        ("interface_language", models.CharField(blank=True, max_length=8)),
                        ("is_active", models.BooleanField(default=True)),
                        ("is_staff", models.BooleanField(default=False)),
                        ("date_joined", models.DateTimeField(default=django.utils.timezone.now)),
                        (
                            "groups",
                            models.ManyToManyField(
                                blank=True,
                                help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.group",
                                verbose_name="groups",
                            ),
                        ),
                        (
                            "user_permissions",
                            models.ManyToManyField(
                                blank=True,
                                help_text="Specific permissions for this user.",
                                related_name="user_set",
                                related_query_name="user",
                                to="auth.permission",
                                verbose_name="user permissions",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("email", django.db.models.functions.text.Lower("email"))),
                                name="user_email_lower",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LanguageVariety",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("tag", models.CharField(help_text="BCP 47, for example ar-EG", max_length=35, unique=True)),
                        ("name", models.CharField(max_length=80)),
                        ("native_name", models.CharField(blank=True, max_length=80)),
                        ("language", models.CharField(max_length=8)),
                        ("script", models.CharField(max_length=4)),
                        ("region", models.CharField(blank=True, max_length=3)),
                        (
                            "direction",
                            models.CharField(
                                choices=[("ltr", "Left to right"), ("rtl", "Right to left")], max_length=3
                            ),
                        ),
                        (
                            "setting",
                            models.CharField(
                                blank=True, help_text="Short name in reports, such as KR-en", max_length=12
                            ),
                        ),
                        (
                            "segmentation",
                            models.CharField(
                                choices=[("space", "Words between spaces"), ("unicode", "Unicode word boundaries")],
                                default="space",
                                max_length=8,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "language varieties",
                        "ordering": ["name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("direction__in", ["ltr", "rtl"])), name="variety_direction"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("segmentation__in", ["space", "unicode"])), name="variety_words"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Project",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=60, unique=True, verbose_name="short name")),
                        ("name", models.CharField(max_length=120, verbose_name="name")),
                        ("description", models.TextField(blank=True, verbose_name="description")),
                        (
                            "preset",
                            models.CharField(
                                choices=[
                                    ("spans", "Error spans (JuICE)"),
                                    ("rubrics", "Rubrics (Perle)"),
                                    ("ratings", "Pairwise ratings (MENLO)"),
                                ],
                                default="spans",
                                max_length=20,
                                verbose_name="preset",
                            ),
                        ),
                        ("guidelines", models.TextField(blank=True, help_text="Markdown", verbose_name="guidelines")),
                        ("guidelines_version", models.PositiveIntegerField(default=1)),
                        (
                            "ask_category",
                            models.BooleanField(default=False, verbose_name="annotators choose a category"),
                        ),
                        (
                            "show_target_model",
                            models.BooleanField(
                                default=False, verbose_name="annotators see which model wrote a response"
                            ),
                        ),
                        ("penalties", models.JSONField(blank=True, default=dict)),
                        ("is_generated", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("archived_at", models.DateTimeField(blank=True, null=True)),
                        ("areas", models.JSONField(default=projects.models.project.areas_of_spans)),
                    ],
                    options={
                        "ordering": ["name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("slug", ""), _negated=True), name="project_slug_present"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApiToken",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        ("digest", models.CharField(max_length=64, unique=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("last_used_at", models.DateTimeField(blank=True, null=True)),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="api_tokens",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("annotator", "Annotator"),
                                    ("validator", "Validator"),
                                    ("author", "Author"),
                                    ("lead", "Lead"),
                                ],
                                max_length=12,
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "user", "role"), name="membership_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("role__in", ["annotator", "validator", "author", "lead"])),
                                name="membership_role_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Invitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("email", models.EmailField(max_length=254, verbose_name="email address")),
                        ("name", models.CharField(blank=True, max_length=120, verbose_name="name")),
                        ("roles", models.JSONField(default=list)),
                        ("is_expert", models.BooleanField(default=False)),
                        ("token_digest", models.CharField(max_length=64, unique=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("expires_at", models.DateTimeField(default=projects.models.people.invitation_expiry)),
                        ("accepted_at", models.DateTimeField(blank=True, null=True)),
                        ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "invited_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("varieties", models.ManyToManyField(blank=True, to="projects.languagevariety")),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                django.db.models.functions.text.Lower("email"),
                                models.F("project"),
                                condition=models.Q(("accepted_at", None), ("withdrawn_at", None)),
                                name="invitation_one_open_per_address",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AuditEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("action", models.CharField(max_length=60)),
                        ("subject", models.CharField(blank=True, max_length=200)),
                        ("detail", models.JSONField(default=dict)),
                        ("at", models.DateTimeField(auto_now_add=True)),
                        (
                            "actor",
                            models.ForeignKey(
                                db_constraint=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                db_constraint=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="audit_events",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-id"],
                        "indexes": [models.Index(fields=["project", "-id"], name="audit_newest_first")],
                    },
                ),
                migrations.CreateModel(
                    name="Rater",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("kind", models.CharField(choices=[("human", "Person"), ("judge", "Judge")], max_length=8)),
                        ("name", models.CharField(max_length=120)),
                        ("pseudonym", models.CharField(default=projects.models.people.new_pseudonym, max_length=32)),
                        ("is_expert", models.BooleanField(default=False)),
                        ("model", models.CharField(blank=True, max_length=200)),
                        ("is_simulated", models.BooleanField(default=False)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "laboratory",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="judges",
                                to="projects.laboratory",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="raters",
                                to="projects.project",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="raters",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "varieties",
                            models.ManyToManyField(blank=True, related_name="raters", to="projects.languagevariety"),
                        ),
                    ],
                    options={
                        "ordering": ["kind", "name"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "kind", "name"), name="rater_name_unique"),
                            models.UniqueConstraint(fields=("project", "pseudonym"), name="rater_pseudonym_unique"),
                            models.UniqueConstraint(
                                condition=models.Q(("user__isnull", False)),
                                fields=("project", "user"),
                                name="rater_one_per_person",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("kind__in", ["human", "judge"])), name="rater_kind_known"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("kind", "judge"), ("user", None)),
                                    models.Q(
                                        ("is_simulated", False), ("kind", "human"), ("laboratory", None), ("model", "")
                                    ),
                                    _connector="OR",
                                ),
                                name="rater_fields_fit_kind",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TargetModel",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=200, unique=True)),
                        (
                            "laboratory",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="target_models",
                                to="projects.laboratory",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="Dimension",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=60)),
                        ("name", models.CharField(max_length=80, verbose_name="name")),
                        ("definition", models.TextField(blank=True, verbose_name="definition")),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="dimensions",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["position", "id"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "slug"), name="dimension_slug_unique")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GuidelinesVersion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("text", models.TextField(blank=True)),
                        ("change", models.TextField(blank=True, verbose_name="what changed")),
                        ("published_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="guidelines_versions",
                                to="projects.project",
                            ),
                        ),
                        (
                            "published_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "number"), name="guidelines_number_unique")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="GuidelinesRead",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("read_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="guidelines_readings",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="readings",
                                to="projects.guidelinesversion",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("version", "rater"), name="guidelines_read_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="QuestionType",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=60)),
                        ("name", models.CharField(max_length=80, verbose_name="name")),
                        ("definition", models.TextField(blank=True, verbose_name="what is asked")),
                        (
                            "lowest",
                            models.SmallIntegerField(blank=True, default=1, null=True, verbose_name="lowest grade"),
                        ),
                        (
                            "highest",
                            models.SmallIntegerField(blank=True, default=5, null=True, verbose_name="highest grade"),
                        ),
                        ("position", models.PositiveSmallIntegerField(default=0)),
                        (
                            "dimension",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="question_types",
                                to="projects.dimension",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="question_types",
                                to="projects.project",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["dimension__position", "position", "id"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "slug"), name="question_type_slug_unique"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("highest", None), ("lowest", None)),
                                    models.Q(("highest__gt", models.F("lowest")), ("lowest__isnull", False)),
                                    _connector="OR",
                                ),
                                name="question_type_scale",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PromptTemplate",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=200, verbose_name="id")),
                        ("text", models.TextField(verbose_name="text")),
                        (
                            "split",
                            models.CharField(
                                blank=True,
                                choices=[("train", "Training"), ("validation", "Validation"), ("test", "Test")],
                                max_length=10,
                                verbose_name="split",
                            ),
                        ),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="prompt_templates",
                                to="projects.project",
                            ),
                        ),
                        (
                            "question",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="templates",
                                to="projects.questiontype",
                                verbose_name="question type",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["question__dimension__position", "question__position", "key"],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "key"), name="template_key_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="template_text_present"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("split__in", ["", "train", "validation", "test"])),
                                name="template_split_known",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Level",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("grade", models.SmallIntegerField()),
                        ("label", models.CharField(blank=True, max_length=40, verbose_name="label")),
                        ("summary", models.CharField(max_length=300, verbose_name="in one line")),
                        ("detail", models.TextField(blank=True, verbose_name="in full")),
                        (
                            "question",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="levels",
                                to="projects.questiontype",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["grade"],
                        "constraints": [
                            models.UniqueConstraint(fields=("question", "grade"), name="level_grade_unique")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Prompt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=200)),
                        ("text", models.TextField()),
                        ("text_sha256", models.CharField(max_length=64)),
                        ("task", models.CharField(blank=True, max_length=80)),
                        ("domain", models.CharField(blank=True, max_length=80)),
                        ("metadata", models.JSONField(blank=True, default=dict)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="prompts",
                                to="projects.project",
                            ),
                        ),
                        (
                            "variety",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="prompts",
                                to="projects.languagevariety",
                            ),
                        ),
                        (
                            "template",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="prompts",
                                to="projects.prompttemplate",
                            ),
                        ),
                        (
                            "question",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="prompts",
                                to="projects.questiontype",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "key"), name="prompt_key_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="prompt_text_present"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Response",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("uuid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                        ("key", models.CharField(max_length=200)),
                        ("text", models.TextField()),
                        ("text_sha256", models.CharField(max_length=64)),
                        ("metadata", models.JSONField(blank=True, default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="responses",
                                to="projects.project",
                            ),
                        ),
                        (
                            "prompt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="responses",
                                to="projects.prompt",
                            ),
                        ),
                        (
                            "variety",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="responses",
                                to="projects.languagevariety",
                            ),
                        ),
                        (
                            "target_model",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="responses",
                                to="projects.targetmodel",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "variety", "id"], name="response_by_variety")],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "key"), name="response_key_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="response_text_present"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Localisation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField()),
                        ("values", models.JSONField(default=dict)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "prompt",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="localisation",
                                to="projects.prompt",
                            ),
                        ),
                        (
                            "rater",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="localisations",
                                to="projects.rater",
                            ),
                        ),
                        (
                            "variety",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="localisations",
                                to="projects.languagevariety",
                            ),
                        ),
                        (
                            "template",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="localisations",
                                to="projects.prompttemplate",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("template", "variety"), name="localisation_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ResponsePair",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=200)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        (
                            "first",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pairs_as_first",
                                to="projects.response",
                            ),
                        ),
                        (
                            "project",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="pairs", to="projects.project"
                            ),
                        ),
                        (
                            "prompt",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="pairs", to="projects.prompt"
                            ),
                        ),
                        (
                            "second",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pairs_as_second",
                                to="projects.response",
                            ),
                        ),
                        (
                            "variety",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pairs",
                                to="projects.languagevariety",
                            ),
                        ),
                    ],
                    options={
                        "indexes": [models.Index(fields=["project", "variety", "id"], name="pair_by_variety")],
                        "constraints": [
                            models.UniqueConstraint(fields=("project", "key"), name="pair_key_unique"),
                            models.UniqueConstraint(fields=("first", "second"), name="pair_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("first", models.F("second")), _negated=True), name="pair_of_two"
                            ),
                        ],
                    },
                ),
            ]
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
