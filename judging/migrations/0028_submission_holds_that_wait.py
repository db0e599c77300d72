from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0027_what_submissions_judges_may_cost")]

    operations = [
        migrations.AddField(model_name="submissionhold", name="is_waiting", field=models.BooleanField(default=False)),
    ]
