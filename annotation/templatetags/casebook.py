"""Whether a page leads to the case book."""

from django import template

from annotation.casebook.filters import Offered, filters_of, offered
from annotation.casebook.finding import Reader
from annotation.casebook.kinds import case_kinds
from projects.models import Project
from workflow.models import Assignment, CaseBook, feedback_rules

register = template.Library()


@register.filter
def keeps_a_case_book(project: Project) -> bool:
    """That people may search settled cases of this project."""
    return bool(case_kinds(project)) and feedback_rules(project).case_book != CaseBook.CLOSED


@register.simple_tag
def case_filters(assignment: Assignment, project: Project) -> list[Offered]:
    """By what whoever gave this answer can narrow the cases beside it."""
    return offered(filters_of(Reader(project, assignment.rater, is_lead=False)), {})
