from django.db import migrations

from projects.triggers import Trigger, create, drop

FROZEN = "a frozen question set never changes"
SET_IS_FROZEN = "(SELECT frozen_at FROM benchmark_questionset WHERE id = {row}.question_set_id) IS NOT NULL"
SET_OF_QUESTION_IS_FROZEN = (
    "(SELECT s.frozen_at FROM benchmark_question q JOIN benchmark_questionset s ON s.id = q.question_set_id "
    "WHERE q.id = {row}.question_id) IS NOT NULL"
)
OF_A_SET = (("skill", "benchmark_skill"), ("source", "benchmark_source"), ("question", "benchmark_question"))
OTHER_SET = "the parts of a question belong to its own set"
OTHER_SKILL = "(SELECT question_set_id FROM benchmark_skill WHERE id = NEW.skill_id) <> NEW.question_set_id"
OTHER_SOURCE = "(SELECT question_set_id FROM benchmark_source WHERE id = NEW.source_id) <> NEW.question_set_id"
OTHER_TWIN = "(SELECT question_set_id FROM benchmark_question WHERE id = NEW.twin_of_id) <> NEW.question_set_id"
OTHER_PROMPT = (
    "(SELECT project_id FROM projects_prompt WHERE id = NEW.prompt_id) <> "
    "(SELECT project_id FROM benchmark_questionset WHERE id = NEW.question_set_id)"
)
MISFITS = f"{OTHER_SKILL} OR {OTHER_SOURCE} OR {OTHER_TWIN} OR {OTHER_PROMPT}"
FOLLOWS_NONE = (
    "NEW.supersedes_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM benchmark_questionset WHERE id = NEW.supersedes_id "
    "AND project_id = NEW.project_id AND slug = NEW.slug AND version < NEW.version AND frozen_at IS NOT NULL)"
)
FOLLOWS = "a version takes the place of an earlier, frozen one of the same set"

OTHER_PROJECT = (
    "(SELECT project_id FROM projects_prompt WHERE id = NEW.prompt_id) <> "
    "(SELECT project_id FROM benchmark_configuration WHERE id = NEW.configuration_id) "
    "OR EXISTS (SELECT 1 FROM projects_response WHERE id = NEW.response_id AND prompt_id <> NEW.prompt_id)"
)
OF_ITS_PROJECT = "an answer, its prompt and its response belong together"


def never_changed(name: str, table: str, is_frozen: str) -> list[Trigger]:
    old, new = is_frozen.format(row="OLD"), is_frozen.format(row="NEW")
    return [
        Trigger(f"{name}_of_frozen_not_added", table, "INSERT", new, FROZEN),
        Trigger(f"{name}_of_frozen_not_rewritten", table, "UPDATE", f"{old} OR {new}", FROZEN),
        Trigger(f"{name}_of_frozen_not_deleted", table, "DELETE", old, FROZEN),
    ]


TRIGGERS = [
    Trigger("question_set_never_rewritten", "benchmark_questionset", "UPDATE", "OLD.frozen_at IS NOT NULL", FROZEN),
    Trigger("question_set_never_deleted", "benchmark_questionset", "DELETE", "OLD.frozen_at IS NOT NULL", FROZEN),
    Trigger("question_set_follows_insert", "benchmark_questionset", "INSERT", FOLLOWS_NONE, FOLLOWS),
    Trigger("question_set_follows_update", "benchmark_questionset", "UPDATE", FOLLOWS_NONE, FOLLOWS),
    Trigger(
        "question_set_keeps_its_project",
        "benchmark_questionset",
        "UPDATE OF project_id",
        "NEW.project_id <> OLD.project_id",
        "a question set stays in its project",
    ),
    *(trigger for name, table in OF_A_SET for trigger in never_changed(name, table, SET_IS_FROZEN)),
    *never_changed("rule_use", "benchmark_ruleuse", SET_OF_QUESTION_IS_FROZEN),
    Trigger("answer_of_its_project_insert", "benchmark_answer", "INSERT", OTHER_PROJECT, OF_ITS_PROJECT),
    Trigger("answer_of_its_project_update", "benchmark_answer", "UPDATE", OTHER_PROJECT, OF_ITS_PROJECT),
    Trigger(
        "answer_never_rewritten",
        "benchmark_answer",
        "UPDATE OF text, reasoning, is_cut, is_refusal, response_id",
        "NEW.text <> OLD.text OR NEW.reasoning <> OLD.reasoning OR NEW.is_cut <> OLD.is_cut "
        "OR NEW.is_refusal <> OLD.is_refusal OR COALESCE(NEW.response_id, 0) <> COALESCE(OLD.response_id, 0)",
        "what a model answered never changes",
    ),
    *(
        Trigger(
            f"{name}_keeps_its_set",
            table,
            "UPDATE OF question_set_id",
            "NEW.question_set_id <> OLD.question_set_id",
            "what belongs to a question set stays in it",
        )
        for name, table in OF_A_SET
    ),
    Trigger("question_fits_insert", "benchmark_question", "INSERT", MISFITS, OTHER_SET),
    Trigger("question_fits_update", "benchmark_question", "UPDATE", MISFITS, OTHER_SET),
]


class Migration(migrations.Migration):
    dependencies = [("benchmark", "0001_initial")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
