"""A judge's answer may carry how sure it is: null for those that are there, so no row is written."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0014_rules_that_weigh_raters")]
    operations = [migrations.AddField("rating", "probabilities", models.JSONField(blank=True, null=True))]
