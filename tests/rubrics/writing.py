"""What the stories of authoring have in common: a stage, a complete draft, and the calls the screen makes."""

import json
import uuid
from typing import Any

from django.test import Client

from projects.models import LanguageVariety, Project, User
from rubrics.authoring import difficulty
from tests.rubrics.rubrics import make_rubrics_project
from tests.workflow.working import post_json, submit
from workflow.beginning import begin_own
from workflow.models import Assignment, Stage

PROMPT = "إيه هي أكلة الكشري وبتتاكل إمتى؟"


def authoring_stage(project: Project, **fields: Any) -> Stage:
    make_rubrics_project(project)
    return Stage.objects.create(
        project=project, kind="authoring", name="Authoring", overlap=1, lease_minutes=600, **fields
    )


def begun_by(user: User, stage: Stage, tag: str = "ar-EG") -> Assignment:
    """A rubric of the person's own, as the page of beginning would have made it."""
    return begin_own(user.raters.get(), stage, LanguageVariety.objects.get(tag=tag), uuid.uuid4())


def criterion(number: int, **changes: Any) -> dict:
    return {
        "key": f"00000000-0000-4000-8000-{number:012d}",
        "text": f"بيقول إن الحاجة رقم {number} موجودة.",
        "weight": 5,
        "band": "",
        "objectivity": "objective",
        "explicitness": "explicit",
        "tags": [],
        **changes,
    }


def draft(**changes: Any) -> dict:
    """A draft that lacks nothing but its difficulty check."""
    return {
        "scope": "cultural",
        "prompt": PROMPT,
        "gold_answer": "الكشري أكلة مصرية من الرز والعدس والمكرونة.",
        "criteria": [criterion(1, text="بيذكر الرز."), criterion(2, text="بيذكر العدس والمكرونة.")],
        "accepted": [],
        **changes,
    }


def tried(assignment: Assignment, outcome: str = "partial", prompt: str = PROMPT) -> None:
    difficulty.tried_by_hand(assignment, prompt, "Nile-7B", outcome)


def freeze(client: Client, assignment: Assignment, body: dict, **more: Any):
    return submit(client, assignment, 0, body, **more)


def frozen_by(client: Client, assignment: Assignment, body: dict | None = None):
    """The rubric, after a difficulty check that the prompt withstood."""
    tried(assignment, prompt=(body or draft())["prompt"])
    answer = freeze(client, assignment, body or draft())
    assert answer.status_code == 200, answer.content
    return Assignment.objects.get(pk=assignment.pk).rubric


def problems(answer) -> set[tuple[str, str]]:
    """The refused fields with their codes."""
    assert answer.status_code == 422, answer.content
    return {(problem["field"], problem["code"]) for problem in answer.json()["error"]["problems"]}


def call(client: Client, assignment: Assignment, action: str, **payload: Any):
    return post_json(client, assignment, action, **payload)


def task_of(client: Client, assignment: Assignment) -> dict:
    """What the screen is told."""
    page = client.get(f"/tasks/{assignment.uuid}/").content.decode()
    return json.loads(page.split('id="authoring-task" type="application/json">')[1].split("</script>")[0])
