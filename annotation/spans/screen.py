"""What the marking screen shows: the response to mark, the choices, and where to send what was marked."""

from django.db.models import prefetch_related_objects

from annotation.models import ErrorCategory
from annotation.pairs.screen import as_asked
from annotation.questionnaires.screen import as_asked as as_part
from annotation.questionnaires.screen import blocks
from annotation.questionnaires.shown import item_of
from annotation.spans.scoring import score_question
from formats.layout import Shown, marks_of
from projects.models import Project
from projects.vocabularies import Words, vocabularies
from workflow.answer_rules import rules_of
from workflow.broken_rules import message_of
from workflow.layouts import parts_of
from workflow.models import Assignment, Layout
from workflow.screen import shown_text


def screen(assignment: Assignment, body: dict) -> dict:
    """Template context; `task` is what the page's script reads."""
    stage = assignment.stage
    project, parts = stage.project, parts_of(stage)
    response = assignment.response
    question = score_question(stage)
    if question is not None:
        prefetch_related_objects([question], "dimension", "levels")
    return {
        "prompt": response.prompt,
        "scored_on": question,
        "parts": parts,
        "marks": marks_of(stage.ask),
        "blocks": blocks(stage.show, item_of(assignment)) if stage.show else None,
        "title": Shown.TARGET.label if Shown.TARGET in stage.show else Shown.RESPONSE.label,
        "is_beside": stage.layout == Layout.BESIDE or Shown.SOURCE in stage.show,
        "target_model": response.target_model.name if project.show_target_model else "",
        "task": {
            "draft": body,
            **shown_text(response),
            **words_to_mark_with(project),
            "rules": [{**rule, "message": message_of(rule)} for rule in rules_of(stage)],
            "score": as_asked(question) if question else None,
            "questions": [as_part(part, 1) for part in parts],
            "repeats": not project.forbid_repeats,
        },
    }


def words_to_mark_with(project: Project) -> dict:
    """What the project has to say of a mark: types, criticalities and categories to choose from, and retired words."""
    words = vocabularies(project)
    return {
        "types": offered(words.error_types),
        "criticalities": offered(words.criticality),
        "retired": retired(words.error_types, words.criticality),
        "categories": _described(offered_categories(project)),
    }


def offered(words: Words) -> list[dict]:
    """The words to choose from, in the project's order; `covers` those that one stands for. None: it is not asked."""
    return [
        {
            "value": label.slug,
            "label": label.label,
            "definition": label.explained,
            "covers": label.covers,
            "look": words.look(label.slug),
        }
        for label in words.offered
    ]


def retired(*vocabularies: Words) -> list[dict]:
    """Words that nobody is offered any more, for what was answered with them."""
    return [
        {"value": label.slug, "label": label.label, "look": words.look(label.slug)}
        for words in vocabularies
        for label in words.labels
        if label.is_retired
    ]


def offered_categories(project: Project) -> list[ErrorCategory]:
    """What the annotator chooses from; nothing where the project leaves categories to a later step."""
    return list(project.error_categories.offered()) if project.ask_category else []


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
