"""A stage of rating, and what raters hand in there."""

from projects.models import Project, User
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.planning import plan_items


def rating_stage(project: Project, kind: str = "pairs", **fields) -> Stage:
    values = {"name": kind.title(), "overlap": 3, "seed": 7, **fields}
    stage = Stage.objects.create(project=project, kind=kind, **values)
    plan_items(stage)
    return stage


def turn_of(person: User, stage: Stage) -> Assignment:
    """The person's next item of the stage."""
    turn = claim_next(person.raters.get(project=stage.project), stage)
    assert turn is not None
    return turn


def rating(question: str = "formality", first: int | None = 4, second: int | None = 2, **more) -> dict:
    return {"question": question, "first": first, "second": second, "preference": "", "comment": "", **more}


def body(*ratings: dict) -> dict:
    return {"ratings": list(ratings or [rating()])}
