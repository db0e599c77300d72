from django.db import migrations

from projects.triggers import Trigger, create, drop

NEVER = "the audit log is only added to"


def immutable_text(table: str, subject: str) -> Trigger:
    return Trigger(
        f"{subject}_text_immutable",
        table,
        "UPDATE OF text, text_sha256",
        "(NEW.text <> OLD.text OR NEW.text_sha256 <> OLD.text_sha256)",
        f"a {subject} text never changes",
    )


TRIGGERS = [
    immutable_text("projects_prompt", "prompt"),
    immutable_text("projects_response", "response"),
    Trigger(
        "response_within_project",
        "projects_response",
        "INSERT",
        "(SELECT project_id FROM projects_prompt WHERE id = NEW.prompt_id) <> NEW.project_id",
        "a response belongs to the project of its prompt",
    ),
    Trigger("audit_never_rewritten", "projects_auditevent", "UPDATE", "1 = 1", NEVER),
    Trigger("audit_never_deleted", "projects_auditevent", "DELETE", "1 = 1", NEVER),
]


class Migration(migrations.Migration):
    dependencies = [("projects", "0001_initial")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
