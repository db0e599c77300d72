"""What the stories of work have in common: a stage with its items, and the calls a task screen makes."""

import json
import uuid

from django.test import Client

from projects.anchors import sha256
from projects.models import Project, Response
from workflow.models import Stage
from workflow.planning import plan_items


def marking_stage(project: Project, **fields) -> Stage:
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", **fields)
    plan_items(stage)
    return stage


def add_responses(like: Response, count: int, name: str = "") -> None:
    """`count` more responses of the same prompt, variety and model, in bulk, called by the name and a number."""
    Response.objects.bulk_create(
        Response(
            project=like.project,
            prompt=like.prompt,
            target_model=like.target_model,
            variety=like.variety,
            key=f"{name or like.key}-{number}",
            text=f"Answer {number}",
            text_sha256=sha256(f"Answer {number}"),
        )
        for number in range(count)
    )


def mark(response: Response, quote: str, **changes) -> dict:
    start = response.text.index(quote)
    return {
        "id": f"mark-{start}",
        "anchor": "words",
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "paragraph": None,
        "type": "cultural",
        "criticality": "high",
        "category": "",
        "explanation": "Koshari is no food of the night meal.",
        "correction": "",
        **changes,
    }


def body(*spans: dict, no_errors: bool = False) -> dict:
    return {"no_errors": no_errors, "spans": list(spans)}


def put_draft(client: Client, assignment, version: int, draft: object, tab: str = "tab-1"):
    payload = {"body": draft, "client": tab}
    return client.put(
        f"/tasks/{assignment.uuid}/draft",
        json.dumps(payload),
        content_type="application/json",
        headers={"If-Match": f'"{version}"', "Accept": "application/json"},
    )


def post_json(client: Client, assignment, action: str, **payload):
    return client.post(
        f"/tasks/{assignment.uuid}/{action}",
        json.dumps(payload),
        content_type="application/json",
        headers={"Accept": "application/json"},
    )


def submit(client: Client, assignment, version: int, draft: object, submission: uuid.UUID | None = None, **more):
    key = str(submission or uuid.uuid4())
    return post_json(client, assignment, "submit", submission=key, version=version, body=draft, **more)
