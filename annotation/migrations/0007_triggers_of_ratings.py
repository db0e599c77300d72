from django.db import migrations

from projects.triggers import Trigger, create, drop

PROJECT_OF_QUESTION = "(SELECT project_id FROM projects_questiontype WHERE id = NEW.question_id)"
OTHER_PROJECT = (
    f"(SELECT project_id FROM projects_rater WHERE id = NEW.rater_id) <> {PROJECT_OF_QUESTION} "
    f"OR (SELECT project_id FROM projects_response WHERE id = NEW.response_id) <> {PROJECT_OF_QUESTION} "
    f"OR (SELECT project_id FROM projects_responsepair WHERE id = NEW.pair_id) <> {PROJECT_OF_QUESTION}"
)
# A question without a scale has no bounds, and takes no grade.
OFF_THE_SCALE = (
    "NEW.first_grade IS NOT NULL AND NOT EXISTS (SELECT 1 FROM projects_questiontype q WHERE q.id = NEW.question_id "
    "AND NEW.first_grade >= q.lowest AND NEW.first_grade <= q.highest AND (NEW.second_grade IS NULL "
    "OR (NEW.second_grade >= q.lowest AND NEW.second_grade <= q.highest)))"
)

TRIGGERS = [
    Trigger("rating_within_project", "annotation_rating", "INSERT", OTHER_PROJECT, "a rating stays within one project"),
    Trigger("rating_on_scale", "annotation_rating", "INSERT", OFF_THE_SCALE, "a grade lies on the scale"),
    Trigger(
        "rating_stays_on_scale",
        "annotation_rating",
        "UPDATE OF first_grade, second_grade",
        OFF_THE_SCALE,
        "a grade lies on the scale",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0006_ratings")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
