"""The rows that the figures of boards are made of."""

from reports.dashboard.freshness.entries import Measured, part

OF_CONFIGURATION = "JOIN benchmark_configuration configuration ON configuration.id = r.configuration_id"
IN_CONFIGURATION = "configuration.project_id"
OF_ANSWER = (
    "JOIN benchmark_answer answer ON answer.id = r.answer_id "
    "JOIN benchmark_configuration configuration ON configuration.id = answer.configuration_id"
)
OF_SET = "JOIN benchmark_questionset question_set ON question_set.id = r.question_set_id"
# A frozen version never changes: of it counts that it is there. Boards know no varieties.
BOARDS = tuple(
    Measured(table, part("leaderboard"), watched, joins, project, key=key, where=where)
    for table, key, watched, joins, project, where in (
        (
            "benchmark_answer",
            "id",
            ("configuration_id", "prompt_id", "response_id"),
            OF_CONFIGURATION,
            IN_CONFIGURATION,
            "",
        ),
        ("benchmark_ruling", "id", ("answer_id", "target_sha256", "decided", "limit"), OF_ANSWER, IN_CONFIGURATION, ""),
        (
            "benchmark_rulescore",
            "id",
            ("answer_id", "target_sha256", "rater_id", "round", "is_as_published", "value"),
            OF_ANSWER,
            IN_CONFIGURATION,
            "",
        ),
        (
            "benchmark_configuration",
            "id",
            ("project_id", "kind", "card_id", "target_model_id", "slug", "name", "standing"),
            "",
            "r.project_id",
            "",
        ),
        (
            "benchmark_modelcard",
            "id",
            ("project_id", "name", "laboratory_id", "access", "parameters_total", "declared_overlap"),
            "",
            "r.project_id",
            "",
        ),
        (
            "projects_modellaboratory",
            "id",
            ("project_id", "target_model_id", "laboratory_id"),
            "",
            "r.project_id",
            "",
        ),
        (
            "benchmark_flag",
            "id",
            ("configuration_id", "question_set_id", "kind", "is_note", "is_cleared"),
            OF_CONFIGURATION,
            IN_CONFIGURATION,
            "",
        ),
        (
            "benchmark_board",
            "project_id",
            ("question_set_id", "published_judge_id", "drift_limit"),
            "",
            "r.project_id",
            "",
        ),
        ("benchmark_shuffledset", "question_set_id", ("original_id",), OF_SET, "question_set.project_id", ""),
        ("benchmark_accepteddrift", "id", ("project_id", "rater_id", "anchor_pass"), "", "r.project_id", ""),
        ("benchmark_board_judges", "id", ("board_id", "rater_id"), "", "r.board_id", ""),
        (
            "benchmark_questionset",
            "id",
            ("project_id", "frozen_at", "name"),
            "",
            "r.project_id",
            "r.frozen_at IS NOT NULL",
        ),
        ("benchmark_frozencontrol", "question_set_id", ("control",), OF_SET, "question_set.project_id", ""),
        (
            "benchmark_speedmeasurement",
            "id",
            ("configuration_id", "is_local", "hardware", "batch_size", "began_at", "ended_at"),
            OF_CONFIGURATION,
            IN_CONFIGURATION,
            "",
        ),
        (
            "benchmark_speedsample",
            "id",
            ("measurement_id", "words", "characters", "seconds", "first_token_seconds"),
            "JOIN benchmark_speedmeasurement measurement ON measurement.id = r.measurement_id "
            "JOIN benchmark_configuration configuration ON configuration.id = measurement.configuration_id",
            IN_CONFIGURATION,
            "",
        ),
    )
)
