from django.db import migrations

from projects.triggers import Trigger, create, drop

PROMPTS = "judging_judgeprompt"
TRIGGERS = [
    Trigger(
        "judge_prompt_stays",
        PROMPTS,
        "UPDATE OF project_id, kind, language, number, parts",
        "1 = 1",
        "a prompt is never changed: what is edited becomes the next one",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("judging", "0007_engine")]

    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
