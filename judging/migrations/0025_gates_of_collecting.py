from django.db import migrations

from projects.triggers import Trigger, create, drop

CALLS = "judging_collectioncall"
MESSAGE = "no response is collected before the freeze"
NO_RUBRIC = "NOT EXISTS (SELECT 1 FROM rubrics_rubric WHERE prompt_id = NEW.prompt_id AND frozen_at IS NOT NULL)"
NO_SET = (
    "NOT EXISTS (SELECT 1 FROM benchmark_question q JOIN benchmark_questionset s ON s.id = q.question_set_id "
    "WHERE q.prompt_id = NEW.prompt_id AND s.frozen_at IS NOT NULL)"
)
# What a project shows can be changed by its file; its rubrics and question sets stay, and so does the rule.
HAS_A_GATE = (
    "EXISTS (SELECT 1 FROM projects_project p JOIN projects_prompt t ON t.project_id = p.id "
    "WHERE t.id = NEW.prompt_id AND (CAST(p.areas AS TEXT) LIKE '%\"rubrics\"%' "
    "OR CAST(p.areas AS TEXT) LIKE '%\"leaderboard\"%' "
    "OR EXISTS (SELECT 1 FROM rubrics_rubric r WHERE r.project_id = p.id) "
    "OR EXISTS (SELECT 1 FROM benchmark_questionset b WHERE b.project_id = p.id)))"
)
BEFORE = Trigger("collection_after_freeze", CALLS, "INSERT", f"{NO_RUBRIC} AND {NO_SET}", MESSAGE)
AFTER = Trigger("collection_after_freeze", CALLS, "INSERT", f"{NO_RUBRIC} AND {NO_SET} AND {HAS_A_GATE}", MESSAGE)


class Migration(migrations.Migration):
    """Only projects of rubrics and of question sets wait for a freeze; error spans and ratings have nothing to freeze."""

    dependencies = [
        ("judging", "0024_rewards_of_models_in_training"),
        ("projects", "0016_licence_and_citation"),
        ("rubrics", "0005_open_area_of_grades"),
        ("benchmark", "0014_version_of_a_submission"),
    ]

    operations = [
        migrations.RunPython(drop(BEFORE), create(BEFORE)),
        migrations.RunPython(create(AFTER), drop(AFTER)),
    ]
