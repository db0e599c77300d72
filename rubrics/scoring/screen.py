"""What the grading screen shows: the response, the criteria to decide about, the choices. Never another's verdict."""

from typing import Any

from django.db.models import TextChoices

from projects.anchors import paragraphs
from rubrics.models import Criterion, Explicitness, FailureType, Objectivity
from rubrics.scoring.asking import Asked
from rubrics.scoring.checking import HEAVIEST
from workflow.models import Assignment


def screen(assignment: Assignment, body: dict, asked: Asked) -> dict:
    """Template context; `task` is what the page's script reads."""
    project = assignment.stage.project
    response = assignment.response
    return {
        "prompt": response.prompt,
        "rubric": asked.rubric,
        "target_model": response.target_model.name if project.show_target_model else "",
        "task": {
            "draft": body,
            "text": response.text,
            "lang": response.variety.tag,
            "dir": response.variety.direction,
            "paragraphs": [list(place) for place in paragraphs(response.text)],
            "criteria": [as_asked(criterion) for criterion in asked.criteria],
            "criteria_lang": response.prompt.variety.tag,
            "failure_types": _choices(FailureType),
            "objectivities": _choices(Objectivity),
            "explicitnesses": _choices(Explicitness),
            "heaviest": HEAVIEST,
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
        "start": criterion.start,
        "end": criterion.end,
        "quote": criterion.quote,
    }


def _choices(choices: type[TextChoices]) -> list[dict]:
    return [{"value": value, "label": str(label)} for value, label in choices.choices]
