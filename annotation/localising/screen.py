"""What the localising screen shows: the original, and the fields for its translation and local values."""

from projects import placeholders
from projects.localising import MAX_TEXT, MAX_VALUE, draft_of
from projects.models import PromptTemplate, QuestionType
from projects.validation import to_look_at
from workflow.models import Assignment


def screen(assignment: Assignment, body: dict) -> dict:
    """Template context; `task` is what the page's script reads (docs/ratings.md)."""
    template, variety = assignment.item.template, assignment.item.variety
    assert template is not None
    drafted = draft_of(template, variety)
    return {
        "original": list(placeholders.parts(template.text)),
        "question": _question(template),
        "variety": variety,
        "drafted": drafted,
        "came": to_look_at(template.pk, variety.pk),
        "task": {
            "draft": body,
            "drafted": {"text": drafted.text, "values": drafted.values} if drafted else None,
            "original": template.text,
            "names": placeholders.names(template.text),
            "lang": variety.tag,
            "dir": variety.direction,
            "longest_text": MAX_TEXT,
            "longest_value": MAX_VALUE,
        },
    }


def _question(template: PromptTemplate) -> QuestionType | None:
    if template.question_id is None:
        return None
    return QuestionType.objects.select_related("dimension").get(pk=template.question_id)
