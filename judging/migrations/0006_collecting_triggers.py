from django.db import migrations

from projects.triggers import Trigger, create, drop

CALLS = "judging_collectioncall"
NOT_FROZEN_YET = "NOT EXISTS (SELECT 1 FROM rubrics_rubric WHERE prompt_id = NEW.prompt_id AND frozen_at IS NOT NULL)"
OTHER_PROJECT = (
    "(SELECT project_id FROM projects_prompt WHERE id = NEW.prompt_id) <> "
    "(SELECT project_id FROM judging_targetendpoint WHERE id = NEW.endpoint_id)"
)
OTHER_RESPONSE = (
    "NEW.response_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM projects_response r "
    "JOIN judging_targetendpoint e ON e.id = NEW.endpoint_id "
    "WHERE r.id = NEW.response_id AND r.prompt_id = NEW.prompt_id AND r.target_model_id = e.target_model_id)"
)
# An answer that came stays the only one; of what was not taken as the response, a lead may still take it.
ASKED_AGAIN = (
    "OLD.state IN ('collected', 'refused', 'truncated', 'empty', 'unusable') AND NEW.state <> OLD.state "
    "AND NOT (NEW.state = 'collected' AND OLD.state IN ('refused', 'truncated'))"
)
OF_ITS_PROMPT = "a collected response answers its own prompt and is of its own model"

TRIGGERS = [
    Trigger("collection_after_freeze", CALLS, "INSERT", NOT_FROZEN_YET, "no response is collected before the freeze"),
    Trigger("collection_in_project", CALLS, "INSERT", OTHER_PROJECT, "prompt and model belong to one project"),
    Trigger("collection_response_insert", CALLS, "INSERT", OTHER_RESPONSE, OF_ITS_PROMPT),
    Trigger("collection_response_update", CALLS, "UPDATE OF response_id", OTHER_RESPONSE, OF_ITS_PROMPT),
    Trigger("collection_first_answer", CALLS, "UPDATE OF state", ASKED_AGAIN, "what was answered is not asked again"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0005_collecting"),
        ("projects", "0003_areas_and_rubrics_preset"),
        ("rubrics", "0002_triggers"),
    ]

    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
