"""The index of lists is not one for the search for a person's next item, which would read through all that is done."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workflow", "0016_returned_answers")]
    operations = [
        migrations.RemoveIndex("workitem", "work_item_in_order"),
        migrations.AddIndex(
            "workitem",
            models.Index(
                condition=models.Q(is_check=False, slots__gte=0),
                fields=["stage", "position", "id"],
                name="work_item_in_order",
            ),
        ),
    ]
