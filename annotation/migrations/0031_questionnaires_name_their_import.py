import django.db.models.deletion
from django.db import migrations, models

from projects.triggers import without_triggers


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0030_case_books_are_made_again"),
        ("projects", "0034_templates_name_their_import"),
    ]

    operations = [
        *without_triggers(
            migrations.AddField(
                model_name="questionnaireanswer",
                name="came_with",
                field=models.ForeignKey(
                    blank=True,
                    null=True,
                    on_delete=django.db.models.deletion.SET_NULL,
                    related_name="+",
                    to="projects.import",
                ),
            ),
        ),
    ]
