from django.db import migrations

from projects.triggers import Trigger, create, drop

TRIGGERS = [
    Trigger(
        "first_answer_never_rewritten",
        "workflow_firstanswer",
        "UPDATE",
        "1 = 1",
        "an answer stays as it was first handed in",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("workflow", "0026_first_answers")]

    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
