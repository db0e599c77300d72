"""Types of failure are words of the project: each with rubrics gets those that it had until now as labels.

Which of them is something missing, and so points at no words, is told by its label.
"""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from projects.triggers import Trigger, create, drop, without_triggers

VOCABULARY = "failure-type"
SHIPPED = {
    "hallucination": "Hallucination",
    "omission": "Omission",
    "cultural-misattribution": "Cultural misattribution",
    "ambiguous-framing": "Ambiguous framing",
    "irrelevant-addition": "Irrelevant addition",
    "rendering-failure": "Rendering failure",
}


def make_labels(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    label = apps.get_model("projects", "Label")
    recorded = apps.get_model("rubrics", "Criterion").objects.exclude(failure_type="").order_by()
    held = set(recorded.values_list("rubric__project", "failure_type").distinct())
    begun = {project for project, _word in held}
    for project in apps.get_model("projects", "Project").objects.order_by("pk"):
        there = set(label.objects.filter(project=project, vocabulary=VOCABULARY).values_list("slug", flat=True))
        chosen = [slug for slug in SHIPPED if slug not in there and (not there or (project.pk, slug) in held)]
        if "rubrics" in project.areas or project.pk in begun:
            label.objects.bulk_create(
                label(
                    project=project,
                    vocabulary=VOCABULARY,
                    slug=slug,
                    name=SHIPPED[slug],
                    position=len(there) + at,
                    is_missing=slug == "omission",
                    is_retired=bool(there),
                )
                for at, slug in enumerate(chosen, start=1)
            )


OF_SOMETHING_MISSING = (
    "NEW.quote <> '' AND EXISTS (SELECT 1 FROM projects_label l JOIN rubrics_rubric r ON r.project_id = l.project_id "
    f"WHERE r.id = NEW.rubric_id AND l.vocabulary = '{VOCABULARY}' AND l.slug = NEW.failure_type AND l.is_missing)"
)
TRIGGERS = [
    Trigger(name, "rubrics_criterion", event, OF_SOMETHING_MISSING, "what is missing has no words to point at")
    for name, event in (
        ("criterion_missing_insert", "INSERT"),
        ("criterion_missing_update", "UPDATE OF failure_type, quote"),
    )
]
POSITIVE = models.Q(
    ("end", None),
    ("failure_type", ""),
    ("grade", None),
    ("quote", ""),
    ("response", None),
    ("start", None),
    ("weight__gt", 0),
)
NEGATIVE = models.Q(("grade__isnull", False), ("response__isnull", False), ("weight__lt", 0))
POINTS_AT_NOTHING = models.Q(("end", None), ("quote", ""), ("start", None))
POINTS_AT_WORDS = models.Q(("end__gt", models.F("start")), ("start__gte", 0), models.Q(("quote", ""), _negated=True))


class Migration(migrations.Migration):
    dependencies = [("rubrics", "0005_open_area_of_grades"), ("projects", "0019_words_are_labels")]
    operations = [
        *without_triggers(
            migrations.RemoveConstraint("criterion", "criterion_positive_or_negative"),
            migrations.RemoveConstraint("criterion", "criterion_anchored"),
            migrations.AlterField("criterion", "failure_type", models.CharField(blank=True, max_length=60)),
            migrations.AddConstraint(
                "criterion",
                models.CheckConstraint(
                    condition=models.Q(POSITIVE, NEGATIVE, _connector="OR"), name="criterion_positive_or_negative"
                ),
            ),
            migrations.AddConstraint(
                "criterion",
                models.CheckConstraint(
                    condition=models.Q(POINTS_AT_NOTHING, POINTS_AT_WORDS, _connector="OR"), name="criterion_anchored"
                ),
            ),
        ),
        migrations.RunPython(make_labels, migrations.RunPython.noop),
        migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS)),
    ]
