"""What the authoring screen is told; docs/rubrics.md names every field."""

from django.urls import reverse

from rubrics.authoring import difficulty, reviewing
from rubrics.authoring.bodies import revised_by
from rubrics.authoring.settings import settings_of
from rubrics.models import DifficultyOutcome, Explicitness, Objectivity, Rubric, Scope
from workflow.models import Assignment
from workflow.screen import choices_of


def screen(assignment: Assignment, body: dict) -> dict:
    """Template context; `task` is what the page's script reads."""
    project, variety = assignment.stage.project, assignment.item.variety
    revised = revised_by(assignment)
    settings = settings_of(project)
    return {
        "revised": revised,
        "task": {
            "draft": body,
            "lang": variety.tag,
            "dir": variety.direction,
            "variety": variety.local_name,
            "scopes": choices_of(Scope),
            "objectivities": choices_of(Objectivity),
            "explicitnesses": choices_of(Explicitness),
            "outcomes": choices_of(DifficultyOutcome),
            "bands": [
                {"slug": band.slug, "label": band.label, "lowest": band.lowest, "highest": band.highest}
                for band in project.weight_bands.all()
            ],
            "settings": {
                "needs_difficulty_check": difficulty.is_needed(assignment),
                "needs_review": settings.needs_review,
            },
            "prompt_is_fixed": revised is not None,
            "rubric_version": revised.version + 1 if revised else 1,
            "difficulty": difficulty.state(assignment, body["prompt"]),
            "checks": [difficulty.as_json(check) for check in assignment.difficulty_checks.order_by("pk")],
            "asker": difficulty.asker_for(assignment),
            "review": reviewing.state(assignment, body),
            "urls": _urls(assignment, revised),
        },
    }


def _urls(assignment: Assignment, revised: Rubric | None) -> dict:
    key, slug = assignment.uuid, assignment.stage.project.slug
    return {
        "lint": reverse("rubric-lint", args=[key]),
        "difficulty_by_hand": reverse("rubric-difficulty-by-hand", args=[key]),
        "difficulty_mark": reverse("rubric-difficulty-mark", args=[key]),
        "ask_review": reverse("rubric-ask-review", args=[key]),
        "rubrics": reverse("rubrics", args=[slug]),
        "versions": reverse("rubric", args=[slug, revised.uuid]) if revised else "",
    }
