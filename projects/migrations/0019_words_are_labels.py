"""A label has a short name always, and a failure of something missing is told by its label."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("projects", "0018_any_tag_is_a_variety")]
    operations = [
        migrations.AddField(
            model_name="label",
            name="is_missing",
            field=models.BooleanField(db_default=False, default=False, verbose_name="of something missing"),
        ),
        migrations.AlterField(
            model_name="label",
            name="is_retired",
            field=models.BooleanField(db_default=False, default=False, verbose_name="retired"),
        ),
        migrations.AddConstraint(
            model_name="label",
            constraint=models.CheckConstraint(
                condition=models.Q(("slug", ""), _negated=True), name="label_slug_present"
            ),
        ),
    ]
