"""Criteria carry tags, and a rubric may hold negative criteria that are written before any response is seen.

What is of a rubric, and so frozen with it, is told by standing in no grade instead of by a weight above 0.
"""

from django.db import migrations, models

from projects.triggers import Trigger, create, drop, without_triggers

FROZEN = "a frozen rubric never changes"
IS_FROZEN = "(SELECT frozen_at FROM rubrics_rubric WHERE id = {row}.rubric_id) IS NOT NULL"
POSITIVE_OF_FROZEN = "{row}.weight > 0 AND " + IS_FROZEN
# Told by both: an update that takes a criterion of a rubric into a grade is a change of the rubric.
WRITTEN_IN_FROZEN = "{row}.grade_id IS NULL AND " + IS_FROZEN


def triggers(condition: str) -> list[Trigger]:
    table = "rubrics_criterion"
    return [
        Trigger("criterion_not_added", table, "INSERT", condition.format(row="NEW"), FROZEN),
        Trigger("criterion_never_rewritten", table, "UPDATE", condition.format(row="OLD"), FROZEN),
        Trigger("criterion_never_deleted", table, "DELETE", condition.format(row="OLD"), FROZEN),
    ]


BEFORE, AFTER = triggers(POSITIVE_OF_FROZEN), triggers(WRITTEN_IN_FROZEN)
WRITTEN_BEFORE = ~models.Q(weight=0) & models.Q(
    response=None, grade=None, failure_type="", start=None, end=None, quote=""
)
FOUND_BY_A_GRADER = models.Q(weight__lt=0, response__isnull=False, grade__isnull=False)


class Migration(migrations.Migration):
    dependencies = [("rubrics", "0006_words_of_failures")]
    operations = [
        migrations.RunPython(drop(*BEFORE), create(*BEFORE)),
        *without_triggers(
            migrations.RemoveConstraint("criterion", "criterion_positive_or_negative"),
            migrations.AddField("criterion", "tags", models.JSONField(blank=True, default=list)),
            migrations.AddConstraint(
                "criterion",
                models.CheckConstraint(
                    condition=WRITTEN_BEFORE | FOUND_BY_A_GRADER, name="criterion_positive_or_negative"
                ),
            ),
        ),
        migrations.RunPython(create(*AFTER), drop(*AFTER)),
    ]
