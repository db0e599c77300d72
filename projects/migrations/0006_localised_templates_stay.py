from django.db import migrations

from projects.triggers import Trigger, create, drop

TRIGGERS = [
    Trigger(
        "localised_template_stays",
        "projects_prompttemplate",
        "UPDATE OF text, key, question_id",
        "(NEW.text <> OLD.text OR NEW.key <> OLD.key OR NEW.question_id <> OLD.question_id) "
        "AND EXISTS (SELECT 1 FROM projects_localisation WHERE template_id = OLD.id)",
        "a template that was localised never changes",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("projects", "0005_triggers_of_pairs")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
