"""A template that was localised for no question type gets none afterwards, nor loses the one it has, and stays in its
variety: with a null on either side the rule compared nothing."""

from django.db import migrations

from projects.triggers import Trigger, create, drop

NAME, TABLE = "localised_template_stays", "projects_prompttemplate"
LOCALISED = "EXISTS (SELECT 1 FROM projects_localisation WHERE template_id = OLD.id)"
MESSAGE = "a template that was localised never changes"
# No row has the id 0: stands for none.
ROWS = " OR ".join(f"COALESCE(NEW.{row}, 0) <> COALESCE(OLD.{row}, 0)" for row in ("question_id", "variety_id"))
BEFORE = Trigger(
    NAME,
    TABLE,
    "UPDATE OF text, key, question_id",
    f"(NEW.text <> OLD.text OR NEW.key <> OLD.key OR NEW.question_id <> OLD.question_id) AND {LOCALISED}",
    MESSAGE,
)
AFTER = Trigger(
    NAME,
    TABLE,
    "UPDATE OF text, key, question_id, variety_id",
    f"(NEW.text <> OLD.text OR NEW.key <> OLD.key OR {ROWS}) AND {LOCALISED}",
    MESSAGE,
)


class Migration(migrations.Migration):
    dependencies = [("projects", "0031_templates_of_plain_prompts")]
    operations = [
        migrations.RunPython(drop(BEFORE), create(BEFORE)),
        migrations.RunPython(create(AFTER), drop(AFTER)),
    ]
