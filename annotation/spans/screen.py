"""What the marking screen shows: the response to mark, the choices, and where to send what was marked."""

from annotation.models import Criticality, ErrorCategory, ErrorType
from projects.anchors import paragraphs
from projects.models import Project
from workflow.models import Assignment


def screen(assignment: Assignment, body: dict) -> dict:
    """Template context; `task` is what the page's script reads."""
    project = assignment.stage.project
    response = assignment.response
    return {
        "prompt": response.prompt,
        "target_model": response.target_model.name if project.show_target_model else "",
        "task": {
            "draft": body,
            "text": response.text,
            "lang": response.variety.tag,
            "dir": response.variety.direction,
            "paragraphs": [list(place) for place in paragraphs(response.text)],
            "types": _choices(ErrorType),
            "criticalities": _choices(Criticality),
            "categories": _described(offered_categories(project)),
        },
    }


def _choices(choices: type[ErrorType] | type[Criticality]) -> list[dict]:
    return [{"value": value, "label": str(label)} for value, label in choices.choices]


def offered_categories(project: Project) -> list[ErrorCategory]:
    """What the annotator chooses from; nothing where the project leaves categories to a later step."""
    return list(project.error_categories.all()) if project.ask_category else []


def _described(categories: list[ErrorCategory]) -> list[dict]:
    return [
        {
            "value": category.slug,
            "label": category.label,
            "definition": category.explained,
            "type": category.error_type,
        }
        for category in categories
    ]
