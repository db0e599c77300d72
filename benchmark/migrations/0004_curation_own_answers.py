from django.db import migrations

from projects.triggers import Trigger, create, drop

TRIGGERS = [
    Trigger(
        "own_answer_never_rewritten",
        "benchmark_ownanswer",
        "UPDATE OF text",
        "NEW.text <> OLD.text",
        "what a checker answered before the reference was shown never changes",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("benchmark", "0003_curation_of_drafts")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
