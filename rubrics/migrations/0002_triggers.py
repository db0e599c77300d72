from django.db import migrations

from projects.triggers import Trigger, create, drop

FROZEN = "a frozen rubric never changes"
IS_FROZEN = "(SELECT frozen_at FROM rubrics_rubric WHERE id = {row}.rubric_id) IS NOT NULL"
CRITERION_OF_FROZEN = "{row}.weight > 0 AND " + IS_FROZEN
# "end" is a word of SQL, so both offsets stand in quotes.
QUOTE_MISPLACED = (
    "NEW.quote <> '' AND substr((SELECT text FROM projects_response WHERE id = NEW.response_id), "
    'NEW."start" + 1, NEW."end" - NEW."start") <> NEW.quote'
)
MISPLACED = "the quote is not at its place in the text"
OTHER_PROMPT = (
    "(SELECT prompt_id FROM projects_response WHERE id = NEW.response_id) <> "
    "(SELECT prompt_id FROM rubrics_rubric WHERE id = NEW.rubric_id)"
)
OTHER_PROJECT = (
    "(SELECT project_id FROM projects_rater WHERE id = NEW.rater_id) <> "
    "(SELECT project_id FROM rubrics_rubric WHERE id = NEW.rubric_id)"
)
NOT_FROZEN_YET = "(SELECT frozen_at FROM rubrics_rubric WHERE id = NEW.rubric_id) IS NULL"
NOT_OF_ITS_GRADE = (
    "NEW.grade_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM rubrics_grade WHERE id = NEW.grade_id "
    "AND rubric_id = NEW.rubric_id AND response_id = NEW.response_id)"
)
# Positive criteria pass or fail, negative ones are present or absent; both belong to what is graded.
VERDICT_MISFITS = (
    "NOT EXISTS (SELECT 1 FROM rubrics_criterion c JOIN rubrics_grade g ON g.id = NEW.grade_id "
    "WHERE c.id = NEW.criterion_id AND c.rubric_id = g.rubric_id "
    "AND (c.response_id IS NULL OR c.response_id = g.response_id) "
    "AND ((c.weight > 0 AND NEW.value IN ('pass', 'fail')) OR (c.weight < 0 AND NEW.value IN ('present', 'absent'))))"
)

TRIGGERS = [
    Trigger("rubric_never_rewritten", "rubrics_rubric", "UPDATE", "OLD.frozen_at IS NOT NULL", FROZEN),
    Trigger("rubric_never_deleted", "rubrics_rubric", "DELETE", "OLD.frozen_at IS NOT NULL", FROZEN),
    Trigger("criterion_not_added", "rubrics_criterion", "INSERT", CRITERION_OF_FROZEN.format(row="NEW"), FROZEN),
    Trigger("criterion_never_rewritten", "rubrics_criterion", "UPDATE", CRITERION_OF_FROZEN.format(row="OLD"), FROZEN),
    Trigger("criterion_never_deleted", "rubrics_criterion", "DELETE", CRITERION_OF_FROZEN.format(row="OLD"), FROZEN),
    Trigger("criterion_quote_insert", "rubrics_criterion", "INSERT", QUOTE_MISPLACED, MISPLACED),
    Trigger(
        "criterion_quote_update", "rubrics_criterion", 'UPDATE OF "start", "end", quote', QUOTE_MISPLACED, MISPLACED
    ),
    Trigger(
        "criterion_with_grade",
        "rubrics_criterion",
        "INSERT",
        NOT_OF_ITS_GRADE,
        "a negative criterion belongs to a grade of its own rubric and response",
    ),
    Trigger(
        "grade_of_frozen", "rubrics_grade", "INSERT", NOT_FROZEN_YET, "a response is graded by a frozen rubric alone"
    ),
    Trigger("grade_of_prompt", "rubrics_grade", "INSERT", OTHER_PROMPT, "a rubric grades responses to its own prompt"),
    Trigger(
        "grade_within_project",
        "rubrics_grade",
        "INSERT",
        OTHER_PROJECT,
        "a rater grades responses of the same project alone",
    ),
    Trigger(
        "verdict_fits_criterion",
        "rubrics_verdict",
        "INSERT",
        VERDICT_MISFITS,
        "a verdict fits a criterion of the graded response",
    ),
]


class Migration(migrations.Migration):
    dependencies = [("rubrics", "0001_initial")]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
