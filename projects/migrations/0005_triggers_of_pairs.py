from django.db import migrations

from projects.triggers import Trigger, create, drop

OTHER_PROMPT = (
    "EXISTS (SELECT 1 FROM projects_response WHERE id IN (NEW.first_id, NEW.second_id) "
    "AND (prompt_id <> NEW.prompt_id OR project_id <> NEW.project_id))"
)
THE_OTHER_WAY_ROUND = (
    "EXISTS (SELECT 1 FROM projects_responsepair WHERE first_id = NEW.second_id AND second_id = NEW.first_id)"
)


def of_the_same_project(name: str, table: str, column: str, other: str) -> Trigger:
    return Trigger(
        name,
        table,
        "INSERT",
        f"NEW.{column} IS NOT NULL AND (SELECT project_id FROM {other} WHERE id = NEW.{column}) <> NEW.project_id",
        "what belongs together belongs to one project",
    )


TRIGGERS = [
    Trigger("pair_of_one_prompt", "projects_responsepair", "INSERT", OTHER_PROMPT, "a pair answers one prompt"),
    Trigger(
        "pair_never_rewritten",
        "projects_responsepair",
        "UPDATE OF first_id, second_id, prompt_id",
        "NEW.first_id <> OLD.first_id OR NEW.second_id <> OLD.second_id OR NEW.prompt_id <> OLD.prompt_id",
        "a pair never changes",
    ),
    Trigger(
        "pair_one_way_round", "projects_responsepair", "INSERT", THE_OTHER_WAY_ROUND, "these two are a pair already"
    ),
    of_the_same_project("question_of_project", "projects_questiontype", "dimension_id", "projects_dimension"),
    of_the_same_project("template_of_project", "projects_prompttemplate", "question_id", "projects_questiontype"),
    of_the_same_project("prompt_question_of_project", "projects_prompt", "question_id", "projects_questiontype"),
    of_the_same_project("prompt_template_of_project", "projects_prompt", "template_id", "projects_prompttemplate"),
]


class Migration(migrations.Migration):
    dependencies = [("projects", "0004_ratings_and_templates")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
