"""Whether grades have an order stays, as the scale does, once somebody has rated."""

from django.db import migrations

from projects.triggers import Trigger, create, drop

NAME, TABLE = "scale_of_rated_question", "projects_questiontype"
# No grade of a scale is so low: stands for none.
NONE = -32768
ENDS = " OR ".join(f"COALESCE(NEW.{end}, {NONE}) <> COALESCE(OLD.{end}, {NONE})" for end in ("lowest", "highest"))
RATED = "EXISTS (SELECT 1 FROM annotation_rating WHERE question_id = OLD.id)"
MESSAGE = "a scale that was rated on never changes"
BEFORE = Trigger(NAME, TABLE, "UPDATE OF lowest, highest", f"({ENDS}) AND {RATED}", MESSAGE)
AFTER = Trigger(
    NAME,
    TABLE,
    "UPDATE OF lowest, highest, is_nominal",
    f"({ENDS} OR NEW.is_nominal <> OLD.is_nominal) AND {RATED}",
    MESSAGE,
)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0009_scale_of_rated_questions"), ("projects", "0010_grades_without_order")]
    operations = [
        migrations.RunPython(drop(BEFORE), create(BEFORE)),
        migrations.RunPython(create(AFTER), drop(AFTER)),
    ]
