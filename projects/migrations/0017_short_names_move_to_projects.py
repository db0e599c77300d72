"""The short names that the installation gave some language varieties become those of the projects that use them."""

from django.db import migrations, models
from django.db.models import Exists, OuterRef

USES = (("response", "variety"), ("prompt", "variety"), ("responsepair", "variety"), ("rater", "varieties"))


def move(apps, schema_editor):
    using = schema_editor.connection.alias
    Variety, Project = apps.get_model("projects", "LanguageVariety"), apps.get_model("projects", "Project")
    ProjectVariety = apps.get_model("projects", "ProjectVariety")
    rows = ProjectVariety.objects.using(using)
    settle_twins(rows)
    for variety in Variety.objects.using(using).exclude(setting=""):
        for project in users_of(apps, using, Project, variety):
            taken = rows.filter(project=project, short_name=variety.setting).exclude(variety=variety)
            row = rows.filter(project=project, variety=variety).first()
            if taken.exists() or (row is not None and row.short_name):
                continue
            if row is None:
                row = ProjectVariety(
                    project=project, variety=variety, position=rows.filter(project=project).count() + 1
                )
            row.short_name = variety.setting
            row.save(using=using)


def users_of(apps, using, Project, variety):
    projects = Project.objects.using(using).order_by("pk")
    used = models.Q(varieties__variety=variety)
    for name, field in USES:
        model = apps.get_model("projects", name)
        used |= models.Q(Exists(model.objects.using(using).filter(**{"project": OuterRef("pk"), field: variety.pk})))
    return projects.filter(used).distinct()


def settle_twins(rows):
    """A short name that two varieties of a project have stays that of the first."""
    seen = set()
    for row in rows.exclude(short_name="").order_by("project_id", "position", "pk"):
        if (row.project_id, row.short_name) in seen:
            row.short_name = ""
            row.save()
        seen.add((row.project_id, row.short_name))


class Migration(migrations.Migration):
    dependencies = [
        ("projects", "0016_licence_and_citation"),
    ]

    operations = [
        migrations.RunPython(move, migrations.RunPython.noop),
    ]
