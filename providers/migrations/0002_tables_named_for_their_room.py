"""The tables of providers take the names of their room; what points at them follows, on both databases."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("providers", "0001_initial"), ("judging", "0018_providers_have_a_room")]
    operations = [
        migrations.AlterModelTable("modelmapping", None),
        migrations.AlterModelTable("provider", None),
        migrations.AlterModelTable("servedmodel", None),
    ]
