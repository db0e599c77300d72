"""Whether a page leads to the case book."""

from django import template

from annotation.casebook.kinds import case_kinds
from projects.models import Project
from workflow.models import CaseBook, feedback_rules

register = template.Library()


@register.filter
def keeps_a_case_book(project: Project) -> bool:
    """That people may search settled cases of this project."""
    return bool(case_kinds(project)) and feedback_rules(project).case_book != CaseBook.CLOSED
