"""What the marking screen shows: the response to mark, the choices, and where to send what was marked."""

from annotation.models import Criticality, ErrorCategory, ErrorType
from projects.models import Project
from workflow.models import Assignment
from workflow.screen import choices_of, shown_text


def screen(assignment: Assignment, body: dict) -> dict:
    """Template context; `task` is what the page's script reads."""
    project = assignment.stage.project
    response = assignment.response
    return {
        "prompt": response.prompt,
        "target_model": response.target_model.name if project.show_target_model else "",
        "task": {
            "draft": body,
            **shown_text(response),
            "types": choices_of(ErrorType),
            "criticalities": choices_of(Criticality),
            "categories": _described(offered_categories(project)),
        },
    }


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
