"""The columns that they stood in go. Apart from the copying: PostgreSQL alters no table that has rows changed in the same
transaction."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("judging", "0019_options_of_a_judge")]
    operations = [
        migrations.RemoveConstraint("judge", "judge_granularity"),
        migrations.RemoveField("judge", "granularity"),
        migrations.RemoveField("judge", "with_taxonomy"),
    ]
