from django.db import migrations

from projects.triggers import Trigger, create, drop

# Of calls that are still to be asked: an archive brings ended ones, from before the project chose this.
# Localisations that nobody's name stands for; what metadata say of drafts is looked at where calls are planned and sent.
NOT_VALIDATED = Trigger(
    "collection_of_validated_prompts",
    "judging_collectioncall",
    "INSERT",
    "NEW.state = 'planned' AND EXISTS (SELECT 1 FROM projects_localisation l JOIN projects_prompt t ON t.id = l.prompt_id "
    "JOIN projects_project p ON p.id = t.project_id "
    "WHERE l.prompt_id = NEW.prompt_id AND l.rater_id IS NULL AND p.only_validated_prompts)",
    "no response to a prompt that no native speaker has looked at is collected",
)


class Migration(migrations.Migration):
    """A project may keep prompts from models until a native speaker has looked at them."""

    dependencies = [
        ("judging", "0028_submission_holds_that_wait"),
        ("projects", "0029_validated_prompts_alone"),
    ]

    operations = [migrations.RunPython(create(NOT_VALIDATED), drop(NOT_VALIDATED))]
