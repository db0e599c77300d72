"""The rows that figures are made of: what of them counts, and where in a project it counts.

Each entry becomes triggers (triggers.py beside this) by which every write moves the revision of its part. What is read
with figures and stands in no entry is told by its value in every key (the fingerprints of each kind of project) or
never changes; tests/reports/test_revisions.py goes through all of it.
"""

from reports.dashboard.freshness.boards import BOARDS, IN_CONFIGURATION, OF_CONFIGURATION
from reports.dashboard.freshness.entries import ALL, DELETE, INSERT, UPDATE, Measured, part

OF_RATER = "CASE WHEN rater.kind = 'judge' THEN '{name} of judges' ELSE '{name} of people' END"
RESPONSE = "JOIN projects_response response ON response.id = r.response_id"
RATER = "JOIN projects_rater rater ON rater.id = r.rater_id"
SPAN = (
    "JOIN annotation_span span ON span.id = r.span_id JOIN projects_response response ON response.id = span.response_id"
)
IN_RESPONSE = ("response.project_id", "response.variety_id")
IN_ROW = ("r.project_id", "r.variety_id")
PLACE = ("start", "end", "anchor", "category_id", "criticality")
# One that is to be asked again has cost what it cost.
ASKED = "(r.state NOT IN ('planned', 'cancelled') OR r.attempts > 0)"
# What a grade of a response or of two rests on: one of both is there.
SUBJECT = (
    "LEFT JOIN projects_response response ON response.id = r.response_id "
    "LEFT JOIN projects_responsepair pair ON pair.id = r.pair_id "
)
ENDED_UNREAD = "CASE WHEN r.state IN ('refused', 'malformed', 'truncated') THEN r.state ELSE '' END"

TEXTS = (
    Measured(
        "projects_response",
        part("responses"),
        ("project_id", "variety_id", "prompt_id", "target_model_id", "key", "text_sha256"),
        "",
        *IN_ROW,
    ),
    Measured(
        "projects_responsepair",
        part("pairs"),
        ("project_id", "variety_id", "prompt_id", "first_id", "second_id"),
        "",
        *IN_ROW,
    ),
    # Which responses were collected, and what was made of them by which step.
    Measured(
        "projects_derivation",
        part("responses"),
        ("step_id", "source_id", "original_id", "response_id"),
        "JOIN projects_response response ON response.id = r.original_id",
        *IN_RESPONSE,
    ),
    Measured(
        "projects_derivationstep",
        part("responses"),
        ("project_id", "name", "change", "limit", "is_taken"),
        "",
        "r.project_id",
        events=(UPDATE,),
    ),
    # A prompt has no responses yet when it is stored, and none any more when it is deleted.
    Measured(
        "projects_prompt",
        part("prompts"),
        ("template_id", "question_id", "text_sha256", "task", "domain"),
        "JOIN projects_response response ON response.prompt_id = r.id",
        *IN_RESPONSE,
        events=(UPDATE,),
    ),
    Measured(
        "projects_prompttemplate",
        part("prompts"),
        ("split", "key"),
        "JOIN projects_prompt prompt ON prompt.template_id = r.id "
        "JOIN projects_response response ON response.prompt_id = prompt.id",
        *IN_RESPONSE,
        events=(UPDATE,),
    ),
)

ANSWERS = (
    Measured(
        "annotation_marking",
        part("markings"),
        ("response_id", "rater_id", "round", "is_complete", "metadata", "is_evaluation"),
        RESPONSE,
        *IN_RESPONSE,
    ),
    Measured(
        "annotation_span",
        part("spans"),
        ("response_id", "marking_id", "rater_id", "error_type", "group_id", "penalty", *PLACE),
        RESPONSE,
        *IN_RESPONSE,
    ),
    Measured("annotation_spanpart", part("spans"), ("span_id", "start", "end"), SPAN, *IN_RESPONSE),
    # Which error of the gold a span became is written after its answer, whenever gold is derived anew.
    Measured(
        "annotation_span", part("gold"), ("response_id", "gold_error_id"), RESPONSE, *IN_RESPONSE, events=(UPDATE,)
    ),
    Measured("annotation_review", part("reviews"), ("span_id", "rater_id", "round", "verdict"), SPAN, *IN_RESPONSE),
    Measured("annotation_adjudication", part("reviews"), ("span_id", "is_kept"), SPAN, *IN_RESPONSE),
    Measured(
        "annotation_golderror",
        part("gold"),
        ("response_id", "found_by_human", "found_by_judge", *PLACE),
        RESPONSE,
        *IN_RESPONSE,
    ),
    Measured(
        "annotation_goldanswer",
        part("gold"),
        ("kept", "rejected", "open", "pending", "is_imported"),
        RESPONSE,
        *IN_RESPONSE,
        key="response_id",
    ),
    Measured(
        "annotation_classification",
        part("codings"),
        ("span_id", "rater_id", "category_id", "after_proposal"),
        SPAN,
        *IN_RESPONSE,
    ),
    Measured(
        "annotation_rating",
        OF_RATER.format(name="ratings"),
        (
            *("question_id", "pair_id", "response_id", "rater_id", "round", "is_swapped"),
            *("first_grade", "second_grade", "preference", "is_unparseable", "probabilities"),
        ),
        SUBJECT + RATER,
        "COALESCE(pair.project_id, response.project_id)",
        "COALESCE(pair.variety_id, response.variety_id)",
        where="NOT r.is_check",
    ),
    Measured(
        "annotation_questionnaireanswer",
        part("questionnaires"),
        ("stage_id", "response_id", "pair_id", "prompt_id", "rater_id", "round", "answers"),
        f"{SUBJECT} LEFT JOIN projects_prompt prompt ON prompt.id = r.prompt_id",
        "COALESCE(pair.project_id, response.project_id, prompt.project_id)",
        "COALESCE(pair.variety_id, response.variety_id, prompt.variety_id)",
        where="NOT r.is_check",
    ),
    Measured(
        "rubrics_grade",
        OF_RATER.format(name="grades"),
        ("response_id", "rubric_id", "rater_id", "round", "role", "raw", "maximum", "is_complete"),
        f"{RESPONSE} {RATER}",
        *IN_RESPONSE,
    ),
    # Positive criteria never change once their rubric is frozen; before, nothing counts under them.
    Measured(
        "rubrics_criterion",
        part("errors"),
        ("response_id", "rubric_id", "grade_id", "weight", "objectivity", "explicitness", "failure_type"),
        RESPONSE,
        *IN_RESPONSE,
        where="r.response_id IS NOT NULL",
    ),
    Measured(
        "rubrics_verdict",
        OF_RATER.format(name="verdicts"),
        ("grade_id", "criterion_id", "value"),
        "JOIN rubrics_grade grade ON grade.id = r.grade_id JOIN projects_rater rater ON rater.id = grade.rater_id "
        "JOIN projects_response response ON response.id = grade.response_id",
        *IN_RESPONSE,
    ),
)

SPENT = ("cost", "tokens", "calls", "unpriced_calls", "bound_calls")

OF_JUDGE = f"JOIN judging_judge judge ON judge.id = r.judge_id {RESPONSE}"
CALLS = (
    # How many were asked: a call that is answered changes nothing of it.
    Measured(
        "judging_call",
        "'calls ' || judge.kind",
        ("judge_id", "response_id", "run_id", "r.state = 'cancelled'", ENDED_UNREAD),
        OF_JUDGE,
        *IN_RESPONSE,
    ),
    Measured(
        "judging_call",
        part("costs"),
        (
            *("judge_id", "response_id", "run_id", "state", "prompt_tokens", "completion_tokens", "cost"),
            *("cost_is_bound", "latency_ms", "words", "reused_id", "attempts", "parser"),
        ),
        RESPONSE,
        *IN_RESPONSE,
        where=ASKED,
    ),
    Measured(
        "judging_collectioncall",
        part("costs"),
        (
            *("endpoint_id", "prompt_id", "run_id", "state", "attempts", "prompt_tokens", "completion_tokens"),
            *("cost", "cost_is_bound", "reused_id"),
        ),
        "JOIN judging_targetendpoint endpoint ON endpoint.id = r.endpoint_id "
        "JOIN projects_prompt prompt ON prompt.id = r.prompt_id",
        "endpoint.project_id",
        "prompt.variety_id",
        where=f"{ASKED} AND r.run_id IS NOT NULL",
    ),
    # Its questions may be of several varieties.
    *(
        Measured(table, part("costs"), ("configuration_id", *SPENT), OF_CONFIGURATION, IN_CONFIGURATION)
        for table in ("benchmark_probe", "benchmark_speedspending")
    ),
    Measured("judging_reward", part("costs"), SPENT, "", "r.project_id"),
)

RULES = (
    # Who has answered nothing changes nothing, and who has answered something stays.
    Measured(
        "projects_rater",
        part("raters"),
        ("project_id", "kind", "model", "laboratory_id", "name", "pseudonym"),
        "",
        "r.project_id",
        events=(UPDATE,),
    ),
    Measured("projects_rater", part("experts"), ("project_id", "is_expert"), "", "r.project_id", events=(UPDATE,)),
    Measured(
        "projects_rater_varieties",
        part("speakers"),
        ("rater_id", "languagevariety_id"),
        RATER,
        "rater.project_id",
        where="",
    ),
    Measured(
        "rubrics_rubric",
        part("rubrics"),
        ("project_id", "prompt_id", "scope", "supersedes_id"),
        "",
        "r.project_id",
        where="r.frozen_at IS NOT NULL",
    ),
    Measured("judging_judge", part("raters"), ("project_id", "rater_id", "kind"), "", "r.project_id", events=(UPDATE,)),
    # A new panel has answered nothing yet.
    Measured(
        "judging_panel",
        part("raters"),
        ("project_id", "rater_id", "rule", "seed"),
        "",
        "r.project_id",
        events=(UPDATE, DELETE),
    ),
    # Shared by all projects, and hardly ever changed.
    Measured("projects_targetmodel", part("names"), ("name", "laboratory_id"), "", ALL, events=(UPDATE,)),
    Measured("projects_laboratory", part("names"), ("name",), "", ALL, events=(UPDATE,)),
    # Whose models responses are.
    Measured("projects_targetmodel", part("laboratories"), ("laboratory_id",), "", ALL, events=(UPDATE,)),
    Measured(
        "projects_modellaboratory",
        part("laboratories"),
        ("project_id", "target_model_id", "laboratory_id"),
        "",
        "r.project_id",
    ),
    Measured(
        "projects_panellaboratory",
        part("laboratories"),
        ("rater_id", "target_model_id", "laboratory_id"),
        RATER,
        "rater.project_id",
    ),
    Measured(
        "projects_languagevariety",
        part("names"),
        ("tag", "name", "script", "segmentation"),
        "",
        ALL,
        events=(UPDATE,),
    ),
    Measured("projects_projectvariety", part("names"), ("project_id", "variety_id", "short_name"), "", "r.project_id"),
)

TURNS = (
    Measured(
        "workflow_assignment",
        part("turns"),
        ("stage_id", "item_id", "rater_id", "active_seconds", "submitted_at"),
        "JOIN workflow_stage stage ON stage.id = r.stage_id",
        "stage.project_id",
        where="r.status = 'submitted'",
    ),
    # Of the kind of stage: "first answers to spans". One never changes; it comes and goes with its turn.
    Measured(
        "workflow_firstanswer",
        "'first answers to ' || stage.kind",
        ("assignment_id",),
        "JOIN workflow_assignment assignment ON assignment.id = r.assignment_id "
        "JOIN workflow_stage stage ON stage.id = assignment.stage_id "
        "JOIN workflow_workitem item ON item.id = assignment.item_id",
        "stage.project_id",
        "item.variety_id",
        events=(INSERT, DELETE),
    ),
)

MEASURED = (*TEXTS, *ANSWERS, *CALLS, *RULES, *TURNS, *BOARDS)
