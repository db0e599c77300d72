from django.db import migrations

from projects.triggers import Trigger, create, drop

# No grade of a scale is so low: stands for none.
NONE = -32768
CHANGED = " OR ".join(f"COALESCE(NEW.{end}, {NONE}) <> COALESCE(OLD.{end}, {NONE})" for end in ("lowest", "highest"))
TRIGGERS = [
    Trigger(
        "scale_of_rated_question",
        "projects_questiontype",
        "UPDATE OF lowest, highest",
        f"({CHANGED}) AND EXISTS (SELECT 1 FROM annotation_rating WHERE question_id = OLD.id)",
        "a scale that was rated on never changes",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0008_check_markings"), ("projects", "0005_triggers_of_pairs")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
