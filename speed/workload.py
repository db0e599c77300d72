"""A project at work for the benches of saving and claiming: annotators who signed in, and a queue of any length.

The items are copies of one response of about 400 words, made inside the database, so that a million take a minute.
The annotators sign in by the product's own form and send what a browser sends with every call.
"""

from __future__ import annotations

import http.client
import re
from http.cookies import SimpleCookie
from urllib.parse import urlencode

from speed.load import CLIENTS

SLUG = "bench"
HOST = "localhost"
VARIETY = "ar-EG"
PASSWORD = "a long pass phrase of the bench"
WORDS = ["الكشري", "أكلة", "مصرية", "شعبية", "مشهورة", "بيتعمل", "من", "الرز", "والعدس", "والمكرونة"]
TEXT = "\n\n".join(" ".join(f"{word}" for word in WORDS * 10) for _paragraph in range(4))

COPY_RESPONSES = """
    INSERT INTO projects_response (uuid, project_id, prompt_id, target_model_id, variety_id, key, text, text_sha256,
                                   metadata, created_at)
    SELECT gen_random_uuid(), project_id, prompt_id, target_model_id, variety_id, key || number, text, text_sha256,
           metadata, created_at
    FROM projects_response, generate_series(%s::int, %s::int) number WHERE id = %s"""
MAKE_ITEMS = """
    INSERT INTO workflow_workitem (stage_id, response_id, variety_id, position, slots, open_slots)
    SELECT stage.id, response.id, variety_id, response.id, overlap, overlap
    FROM projects_response response, workflow_stage stage
    WHERE stage.id = %s AND NOT EXISTS (SELECT 1 FROM workflow_workitem WHERE response_id = response.id)"""


def email(number: int) -> str:
    return f"annotator{number}@example.org"


def build(text: str = TEXT, overlap: int = 2) -> int:
    """The project with its preset's stages, one response and an annotator for each client; returns the id of the
    marking stage. The queue is empty: see `lengthen_queue`."""
    from projects.anchors import sha256
    from projects.creation import create_project
    from projects.models import (
        Laboratory,
        LanguageVariety,
        Membership,
        Project,
        Prompt,
        Rater,
        Response,
        Role,
        TargetModel,
        User,
    )

    project = create_project(Project(slug=SLUG, name="Bench", is_generated=True), None)
    variety = LanguageVariety.objects.get(tag=VARIETY)
    for number in range(CLIENTS):
        user = User.objects.create_user(email(number), PASSWORD, name=f"Annotator {number}")
        Membership.objects.create(user=user, project=project, role=Role.ANNOTATOR)
        Rater.objects.create(project=project, kind="human", name=user.name, user=user).varieties.add(variety)
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    model = TargetModel.objects.create(name="Nile-7B", laboratory=laboratory)
    origin = {"project": project, "variety": variety}
    prompt = Prompt.objects.create(key="p", text="سؤال", text_sha256=sha256("سؤال"), **origin)
    Response.objects.create(key="r", prompt=prompt, target_model=model, text=text, text_sha256=sha256(text), **origin)
    stage = project.stages.get(kind="spans")
    stage.overlap = overlap
    stage.save()
    return stage.pk


def lengthen_queue(stage: int, length: int) -> None:
    """Add items to the stage until it has `length` of them, inside the database."""
    from django.db import connection

    from projects.models import Response

    origin = Response.objects.order_by("id").first()
    assert origin
    with connection.cursor() as cursor:
        # The rows repeat one that was checked when it was stored: checking a million copies would only take time.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(COPY_RESPONSES, [Response.objects.count(), length - 1, origin.pk])
        cursor.execute(MAKE_ITEMS, [stage])
        cursor.execute("SET session_replication_role = DEFAULT")
        # What PostgreSQL's own daemon does within a minute of so many new rows.
        cursor.execute("VACUUM ANALYZE")


# --- Signing in -----------------------------------------------------------------------------------------


def sign_in(address: str, number: int) -> dict[str, str]:
    """Sign an annotator in through the form; returns the headers a browser sends with each call from then on."""
    connection = http.client.HTTPConnection(address, timeout=30)
    cookies: SimpleCookie = SimpleCookie()

    def exchange(method: str, body: str = "") -> tuple[int, str]:
        headers = {"Host": HOST, "Cookie": cookie_header(cookies), "Origin": f"http://{HOST}"}
        if body:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, "/accounts/login/", body or None, headers)
        answer = connection.getresponse()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                cookies.load(value)
        return answer.status, answer.read().decode()

    _status, page = exchange("GET")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token, page[:2000]
    form = {"login": email(number), "password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    status, page = exchange("POST", urlencode(form))
    if status != 302:
        raise RuntimeError(f"{email(number)} could not sign in: {status} {page[:2000]}")
    return {
        "Accept": "application/json",
        "Accept-Encoding": "gzip, deflate, br",
        "Accept-Language": "ar,en;q=0.8",
        "Content-Type": "application/json",
        "Cookie": cookie_header(cookies),
        "Origin": f"http://{HOST}",
        "Referer": f"http://{HOST}/",
        "Sec-Fetch-Site": "same-origin",
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
        "X-CSRFToken": cookies["csrftoken"].value,
    }


def cookie_header(cookies: SimpleCookie) -> str:
    return "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())


def everybody_signed_in(address: str) -> list[dict[str, str]]:
    return [sign_in(address, number) for number in range(CLIENTS)]
