"""Where a draft begins, and what a frozen rubric looks like as one."""

from rubrics.models import Revision, Rubric
from workflow.models import Assignment


def first_body(assignment: Assignment) -> dict:
    """Empty; with the prompt's text where one was taken up; as the frozen version where that is revised."""
    revised = revised_by(assignment)
    if revised is not None:
        return body_of(revised)
    prompt = assignment.item.prompt
    return {
        "scope": "",
        "prompt": prompt.text if prompt else "",
        "gold_answer": "",
        "criteria": [],
        "accepted": [],
    }


def revised_by(assignment: Assignment) -> Rubric | None:
    """The frozen version of which a new one is written in this assignment, with its prompt."""
    revision = Revision.objects.filter(assignment=assignment).select_related("rubric__prompt").first()
    return revision.rubric if revision else None


def body_of(rubric: Rubric) -> dict:
    """The draft it was frozen from. The criteria keep their keys from version to version."""
    criteria = rubric.criteria.filter(grade=None).select_related("band").order_by("position", "id")
    return {
        "scope": rubric.scope,
        "prompt": rubric.prompt.text,
        "gold_answer": rubric.gold_answer,
        "criteria": [
            {
                "key": criterion.key,
                "text": criterion.text,
                "weight": criterion.weight,
                "band": criterion.band.slug if criterion.band else "",
                "objectivity": criterion.objectivity,
                "explicitness": criterion.explicitness,
                "tags": list(criterion.tags),
            }
            for criterion in criteria
        ],
        "accepted": [dict(finding) for finding in rubric.accepted_findings],
    }
