"""Stages whose parts a lead has named, and what people answer there."""

from typing import Any

from projects.anchors import sha256
from projects.models import Project, Prompt, Response, User
from tests.people import add_response
from workflow.claims import claim_next
from workflow.layouts import change_layout
from workflow.models import Assignment, Stage
from workflow.planning import plan_items

RIGHT: dict[str, Any] = {"choice": "Is it right?", "key": "right", "of": ["Yes", "Partly", "No"], "ordered": True}
WRONG: dict[str, Any] = {"text": "What is wrong?", "key": "wrong", "optional": True}
RANK = {"ranking": "From the best to the worst", "key": "rank"}
MODELS = ("Nile-7B", "Delta-9B", "Atlas-3B", "Siwa-70B", "Sinai-1B")


def make_questionnaires_project(project: Project) -> Project:
    """The project as one of questionnaires, without stages yet."""
    Project.objects.filter(pk=project.pk).update(preset="questionnaires", areas=["questionnaires"])
    project.refresh_from_db()
    return project


def questionnaire(project: Project, *ask: dict, show: tuple[str, ...] = ("prompt", "response"), **fields: Any) -> Stage:
    """A stage that shows and asks this, its items planned."""
    values = {"name": "Answering", "overlap": 2, "seed": 7, **fields}
    stage = Stage.objects.create(project=project, kind="questionnaire", **values)
    change_layout(stage, show, ask, None)
    stage.refresh_from_db()
    plan_items(stage)
    return stage


def responses_of(project: Project, key: str, count: int, tag: str = "ar-EG") -> list[Response]:
    """So many responses to one prompt, each of another target model, their keys `key-0` and so on."""
    made = [add_response(project, f"{key}-{at}", f"جواب {at} عن {key}", tag, MODELS[at]) for at in range(count)]
    Response.objects.filter(pk__in=[one.pk for one in made]).update(prompt=made[0].prompt)
    Prompt.objects.filter(project=project, responses=None, key__startswith=f"p-{key}-").delete()
    return list(Response.objects.filter(pk__in=[one.pk for one in made]).order_by("pk"))


def prompt_of(project: Project, key: str, text: str, **fields: Any) -> Prompt:
    like = add_response(project, key, "x", "ar-EG").prompt
    Response.objects.filter(prompt=like).delete()
    Prompt.objects.filter(pk=like.pk).delete()
    return Prompt.objects.create(
        project=project, key=key, text=text, text_sha256=sha256(text), variety=like.variety, **fields
    )


def turn_of(person: User, stage: Stage) -> Assignment:
    """The person's next item of the stage."""
    turn = claim_next(person.raters.get(project=stage.project), stage)
    assert turn is not None
    return turn


def said(**answers: Any) -> dict:
    return {"answers": answers}
