import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from projects.triggers import Trigger, create, drop

# As those of spans and reviews: "end" is a word of SQL, so both offsets stand in quotes.
MISPLACED = (
    "NEW.quote <> '' AND substr((SELECT response.text FROM projects_response response JOIN annotation_span span "
    'ON span.response_id = response.id WHERE span.id = NEW.span_id), NEW."start" + 1, NEW."end" - NEW."start") '
    "<> NEW.quote"
)
OTHER_PROJECT = (
    "(SELECT project_id FROM projects_rater WHERE id = NEW.rater_id) <> (SELECT response.project_id FROM "
    "projects_response response JOIN annotation_span span ON span.response_id = response.id "
    "WHERE span.id = NEW.span_id)"
)
TABLE, MESSAGE = "annotation_refinement", "the quote is not at its place in the text"
TRIGGERS = [
    Trigger(f"{TABLE}_quote_insert", TABLE, "INSERT", MISPLACED, MESSAGE),
    Trigger(f"{TABLE}_quote_update", TABLE, 'UPDATE OF "start", "end", quote', MISPLACED, MESSAGE),
    Trigger(
        "refinement_within_project", TABLE, "INSERT", OTHER_PROJECT, "a rater refines errors of the same project alone"
    ),
]


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0025_audited_acceptance"),
        ("projects", "0024_repeats_may_be_forbidden"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Refinement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("start", models.PositiveIntegerField(blank=True, null=True)),
                ("end", models.PositiveIntegerField(blank=True, null=True)),
                ("quote", models.TextField(blank=True)),
                ("explanation", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="acceptance",
            name="acceptance_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="acceptancemember",
            name="acceptance_of_one_proposal",
        ),
        migrations.AlterField(
            model_name="acceptance",
            name="kind",
            field=models.CharField(
                choices=[("categories", "Categories"), ("groups", "Groups"), ("refinements", "Refinements")],
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            model_name="acceptance",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["categories", "groups", "refinements"])), name="acceptance_kind_known"
            ),
        ),
        migrations.AddField(
            model_name="refinement",
            name="confirmed_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="projects.rater",
            ),
        ),
        migrations.AddField(
            model_name="refinement",
            name="rater",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="refinements", to="projects.rater"
            ),
        ),
        migrations.AddField(
            model_name="refinement",
            name="refused_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="projects.rater",
            ),
        ),
        migrations.AddField(
            model_name="refinement",
            name="span",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="refinements", to="annotation.span"
            ),
        ),
        migrations.AddField(
            model_name="acceptancemember",
            name="refinement",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="acceptance_members",
                to="annotation.refinement",
            ),
        ),
        migrations.AddConstraint(
            model_name="acceptancemember",
            constraint=models.UniqueConstraint(fields=("acceptance", "refinement"), name="acceptance_refinement_once"),
        ),
        migrations.AddConstraint(
            model_name="acceptancemember",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("classification__isnull", False), ("group_proposal", None), ("refinement", None)),
                    models.Q(("classification", None), ("group_proposal__isnull", False), ("refinement", None)),
                    models.Q(("classification", None), ("group_proposal", None), ("refinement__isnull", False)),
                    _connector="OR",
                ),
                name="acceptance_of_one_proposal",
            ),
        ),
        migrations.AddConstraint(
            model_name="refinement",
            constraint=models.UniqueConstraint(fields=("span", "rater"), name="refinement_once"),
        ),
        migrations.AddConstraint(
            model_name="refinement",
            constraint=models.CheckConstraint(
                condition=models.Q(("confirmed_by", None), ("refused_by", None), _connector="OR"),
                name="refinement_decided_one_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="refinement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("end", None), ("quote", ""), ("start", None)),
                    models.Q(("end__gt", models.F("start")), ("start__gte", 0), models.Q(("quote", ""), _negated=True)),
                    _connector="OR",
                ),
                name="refinement_boundaries",
            ),
        ),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
