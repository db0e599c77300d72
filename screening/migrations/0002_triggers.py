from django.db import migrations

from projects.triggers import Trigger, create, drop

GRADED = "what was graded never changes"
PROJECT_OF_QUIZ = (
    "(SELECT s.project_id FROM screening_quiz q JOIN workflow_stage s ON s.id = q.stage_id WHERE q.id = NEW.quiz_id)"
)
# A comparison with what is not there is NULL, which refuses nothing: a question without samples has no other project.
OTHER_PROJECT = (
    f"(SELECT project_id FROM projects_response WHERE id = NEW.response_id) <> {PROJECT_OF_QUIZ} "
    f"OR (SELECT project_id FROM projects_responsepair WHERE id = NEW.pair_id) <> {PROJECT_OF_QUIZ} "
    f"OR (SELECT project_id FROM projects_questiontype WHERE id = NEW.question_type_id) <> {PROJECT_OF_QUIZ}"
)
NO_QUESTION = "NEW.is_open AND NOT EXISTS (SELECT 1 FROM screening_quizquestion WHERE quiz_id = NEW.id)"
ATTEMPT_OF_STRANGER = f"(SELECT project_id FROM projects_rater WHERE id = NEW.rater_id) <> {PROJECT_OF_QUIZ}"
TOO_MANY = "NEW.number > (SELECT attempts_allowed FROM screening_quiz WHERE id = NEW.quiz_id)"
PASSED_ALREADY = (
    "EXISTS (SELECT 1 FROM screening_attempt a WHERE a.quiz_id = NEW.quiz_id AND a.rater_id = NEW.rater_id "
    "AND a.is_passed)"
)
IS_GRADED = "(SELECT submitted_at FROM screening_attempt WHERE id = {row}.attempt_id) IS NOT NULL"
UNMARKED = (
    "NEW.submitted_at IS NOT NULL AND (NEW.total <> (SELECT COUNT(*) FROM screening_attemptquestion q "
    'WHERE q.attempt_id = NEW.id AND q.is_right IS NOT NULL) OR NEW."right" <> (SELECT COUNT(*) FROM '
    "screening_attemptquestion q WHERE q.attempt_id = NEW.id AND q.is_right))"
)
NO_CHECK = (
    "NOT EXISTS (SELECT 1 FROM workflow_workitem i WHERE i.id = NEW.item_id AND i.is_check "
    "AND i.stage_id = NEW.stage_id)"
)
OTHER_TURN = (
    "NOT EXISTS (SELECT 1 FROM workflow_assignment a JOIN screening_goldcheck c ON c.item_id = a.item_id "
    "WHERE a.id = NEW.assignment_id AND c.id = NEW.check_item_id AND a.rater_id = NEW.rater_id "
    "AND c.stage_id = NEW.stage_id)"
)
PAUSE_OF_STRANGER = (
    "(SELECT project_id FROM projects_rater WHERE id = NEW.rater_id) <> "
    "(SELECT project_id FROM workflow_stage WHERE id = NEW.stage_id)"
)

TRIGGERS = [
    Trigger("quiz_asks_something", "screening_quiz", "UPDATE OF is_open", NO_QUESTION, "an open quiz has questions"),
    Trigger(
        "quiz_question_within_project",
        "screening_quizquestion",
        "INSERT",
        OTHER_PROJECT,
        "a sample is of the project of its quiz",
    ),
    Trigger(
        "quiz_question_stays_within",
        "screening_quizquestion",
        "UPDATE OF response_id, pair_id, question_type_id",
        OTHER_PROJECT,
        "a sample is of the project of its quiz",
    ),
    Trigger(
        "attempt_within_project",
        "screening_attempt",
        "INSERT",
        ATTEMPT_OF_STRANGER,
        "an attempt is of a rater of the project",
    ),
    Trigger("attempt_within_limit", "screening_attempt", "INSERT", TOO_MANY, "no attempt is left"),
    Trigger("attempt_after_passing", "screening_attempt", "INSERT", PASSED_ALREADY, "the quiz is passed already"),
    Trigger("attempt_graded_once", "screening_attempt", "UPDATE", "OLD.submitted_at IS NOT NULL", GRADED),
    Trigger("attempt_adds_up", "screening_attempt", "UPDATE", UNMARKED, "the marks of the questions add up"),
    Trigger("attempt_question_not_added", "screening_attemptquestion", "INSERT", IS_GRADED.format(row="NEW"), GRADED),
    Trigger(
        "attempt_question_graded_once",
        "screening_attemptquestion",
        'UPDATE OF answer, saves, is_right, score, parts, "order", position',
        IS_GRADED.format(row="OLD"),
        GRADED,
    ),
    Trigger(
        "attempt_question_is_a_copy",
        "screening_attemptquestion",
        "UPDATE OF kind, text, content, explanation, pair_id, response_id, question_type_id",
        "OLD.id = NEW.id",
        "what was asked never changes",
    ),
    Trigger(
        "gold_check_is_a_check", "screening_goldcheck", "INSERT", NO_CHECK, "the item of a check is one of its stage"
    ),
    Trigger(
        "check_result_of_its_turn",
        "screening_checkresult",
        "INSERT",
        OTHER_TURN,
        "a result is of the turn that answered the check",
    ),
    Trigger("check_marked_once", "screening_checkresult", "UPDATE", "OLD.id = NEW.id", "a check is marked once"),
    Trigger("pause_within_project", "screening_pause", "INSERT", PAUSE_OF_STRANGER, "a pause is of a rater of it"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("screening", "0001_initial"),
        ("projects", "0005_triggers_of_pairs"),
        ("workflow", "0006_screened_stages"),
    ]
    operations = [migrations.RunPython(create(*TRIGGERS), drop(*TRIGGERS))]
