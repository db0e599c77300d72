"""What the grading screen shows: the response, the criteria to decide about, the choices. Never another's verdict."""

from typing import Any

from formats.limits import MAX_WEIGHT
from projects.models import Vocabulary
from projects.vocabularies import words
from rubrics.models import Criterion, Explicitness, Objectivity
from rubrics.scoring.asking import Asked
from workflow.answer_rules import rules_of
from workflow.broken_rules import message_of
from workflow.models import Assignment
from workflow.screen import choices_of, shown_text


def screen(assignment: Assignment, body: dict, asked: Asked) -> dict:
    """Template context; `task` is what the page's script reads."""
    project = assignment.stage.project
    response = assignment.response
    types = words(project, Vocabulary.FAILURE_TYPE)
    return {
        "prompt": response.prompt,
        "rubric": asked.rubric,
        "target_model": response.target_model.name if project.show_target_model else "",
        "task": {
            "draft": body,
            **shown_text(response),
            "criteria": [as_asked(criterion) for criterion in asked.criteria],
            "criteria_lang": response.prompt.variety.tag,
            "failure_types": [
                {"value": label.slug, "label": label.label, "missing": label.is_missing} for label in types.offered
            ],
            "objectivities": choices_of(Objectivity),
            "explicitnesses": choices_of(Explicitness),
            "heaviest": -MAX_WEIGHT,
            "rules": [{**rule, "message": message_of(rule)} for rule in rules_of(assignment.stage)],
        },
    }


def as_asked(criterion: Criterion) -> dict[str, Any]:
    """A criterion as its grader reads it. An error's failure type is part of what the first grader decided."""
    return {
        "key": criterion.key,
        "positive": criterion.is_positive,
        "text": criterion.text,
        "weight": criterion.weight,
        "band": criterion.band.label if criterion.band else "",
        "objectivity": criterion.get_objectivity_display(),
        "explicitness": criterion.get_explicitness_display(),
        "tags": criterion.tags,
        "start": criterion.start,
        "end": criterion.end,
        "quote": criterion.quote,
    }
