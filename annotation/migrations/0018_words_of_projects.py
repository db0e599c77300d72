"""Types of error and criticality are words of the project, no longer the same in every project.

Projects of error spans get the words that they had until now as labels. One that listed labels of its own, though
marking screens did not offer them yet, offers those from now on; words that its answers hold already are retired
beside them. Points per criticality become points of the labels.
"""

from collections import defaultdict
from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from projects.triggers import without_triggers

TYPES, LEVELS = "error-type", "criticality"
FIELDS = {TYPES: "error_type", LEVELS: "criticality"}
SHIPPED: dict[str, list[tuple[str, str, list[str]]]] = {
    TYPES: [
        ("cultural", "Cultural", []),
        ("linguistic", "Linguistic", []),
        ("both", "Cultural and linguistic", ["cultural", "linguistic"]),
        ("logical", "Logical", []),
    ],
    LEVELS: [("high", "High", []), ("medium", "Medium", []), ("low", "Low", [])],
}
SOURCES = (
    ("Span", "response__project"),
    ("Review", "span__response__project"),
    ("GoldError", "response__project"),
)


def held_words(apps: Apps) -> dict[tuple[int, str], set[str]]:
    """By project and vocabulary, the words that answers hold, and of types those that categories name."""
    held: dict[tuple[int, str], set[str]] = defaultdict(set)
    rows: Any
    for vocabulary, name in FIELDS.items():
        for model, project in SOURCES:
            rows = apps.get_model("annotation", model).objects.exclude(**{name: ""}).order_by()
            for pk, word in rows.values_list(project, name).distinct():
                held[pk, vocabulary].add(word)
    rows = apps.get_model("annotation", "ErrorCategory").objects.exclude(error_type="").order_by()
    for pk, word in rows.values_list("project", "error_type").distinct():
        held[pk, TYPES].add(word)
    return held


def make_labels(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    label = apps.get_model("projects", "Label")
    held = held_words(apps)
    for project in apps.get_model("projects", "Project").objects.order_by("pk"):
        own = label.objects.filter(project=project)
        is_described = own.filter(vocabulary__in=SHIPPED).exists() or project.preset in ("mqm", "esa")
        for vocabulary, shipped in SHIPPED.items():
            there = set(own.filter(vocabulary=vocabulary).values_list("slug", flat=True))
            words = held[project.pk, vocabulary]
            is_begun = "spans" in project.areas or bool(words)
            chosen = [row for row in shipped if row[0] not in there and (row[0] in words or not is_described)]
            label.objects.bulk_create(
                label(
                    project=project,
                    vocabulary=vocabulary,
                    slug=slug,
                    name=name,
                    covers=covers,
                    position=len(there) + at,
                    is_retired=is_described,
                )
                for at, (slug, name, covers) in enumerate(chosen if is_begun else [], start=1)
            )
        for row in own.filter(vocabulary=LEVELS, slug__in=list(project.penalties)):
            row.points = project.penalties[row.slug]
            row.save(update_fields=["points"])


def word(field: str, model: str) -> migrations.AlterField:
    return migrations.AlterField(model, field, models.CharField(blank=True, max_length=60))


class Migration(migrations.Migration):
    dependencies = [("annotation", "0017_design_of_pairs"), ("projects", "0019_words_are_labels")]
    operations = [
        *without_triggers(
            migrations.RemoveConstraint("span", "span_type_known"),
            migrations.RemoveConstraint("span", "span_criticality_known"),
            word("error_type", "errorcategory"),
            *(
                word(field, model)
                for model in ("span", "review", "golderror")
                for field in ("error_type", "criticality")
            ),
        ),
        migrations.RunPython(make_labels, migrations.RunPython.noop),
    ]
