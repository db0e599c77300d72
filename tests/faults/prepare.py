"""Run inside a campaign's installation: make its projects, or ask how its judging run ended. Prints one JSON line.

python -m tests.faults.prepare build NAME...     tables, a project per name, annotators who are signed in
python -m tests.faults.prepare judge NAME        start a judging run over the project's responses
python -m tests.faults.prepare finish            hand out again what dead workers held, until the runs are over
"""

import json
import os
import sys
import time
from importlib import import_module
from typing import Any

CLIENTS = 4
CSRF = "c" * 32
TEXT = "الكشري أكلة مصرية number {number}.\n\nIt is eaten in the morning and in the evening."


def build(names: list[str], items: int) -> dict[str, Any]:
    """The tables and the projects; returns per project its stage and one set of request headers per annotator."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    return {name: build_project(name, items) for name in names}


def build_project(name: str, items: int) -> dict[str, Any]:
    from projects.models import Laboratory, LanguageVariety, Membership, Project, Rater, TargetModel, User
    from workflow.models import Stage
    from workflow.planning import plan_items

    project = Project.objects.create(slug=name, name=name)
    variety = LanguageVariety.objects.get(tag="ar-EG")
    laboratory, _ = Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta Lab"})
    model, _ = TargetModel.objects.get_or_create(name="Nile-7B", defaults={"laboratory": laboratory})
    add_responses(project, variety, model, items)
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    plan_items(stage)
    headers = []
    for number in range(CLIENTS):
        user = User.objects.create(email=f"{name}-{number}@example.org", name=f"Person {number}")
        Membership.objects.create(user=user, project=project, role="annotator")
        Rater.objects.create(project=project, kind="human", name=user.name, user=user).varieties.add(variety)
        headers.append(signed_in(user))
    return {"slug": name, "stage": stage.pk, "project": project.pk, "headers": headers}


def add_responses(project: Any, variety: Any, model: Any, count: int) -> None:
    from projects.anchors import sha256
    from projects.models import Prompt, Response

    origin = {"project": project, "variety": variety}
    prompt = Prompt.objects.create(key="p", text="سؤال", text_sha256=sha256("سؤال"), **origin)
    texts = [TEXT.format(number=number) for number in range(count)]
    Response.objects.bulk_create(
        Response(prompt=prompt, target_model=model, key=f"r{n}", text=text, text_sha256=sha256(text), **origin)
        for n, text in enumerate(texts)
    )


def signed_in(user: Any) -> dict[str, str]:
    """What the person's browser sends with each call: a session as signing in leaves it, and the CSRF token."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY], session[HASH_SESSION_KEY] = str(user.pk), user.get_session_auth_hash()
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session.save()
    cookie = f"{settings.SESSION_COOKIE_NAME}={session.session_key}; {settings.CSRF_COOKIE_NAME}={CSRF}"
    return {"Cookie": cookie, "X-CSRFToken": CSRF, "Accept": "application/json", "Content-Type": "application/json"}


def start_judging(name: str) -> dict[str, Any]:
    from judging import runs
    from judging.judges import add_judge
    from judging.models import Provider
    from judging.providers import simulated_provider
    from projects.models import Project

    project = Project.objects.get(slug=name)
    judge = add_judge(project, simulated_provider(), "simulated-1")
    Provider.objects.update(concurrency=4)
    run = runs.create_run(judge, project.responses.filter(key__in=[f"r{n}" for n in range(60)]))
    return {"started": runs.start(run), "calls": run.calls.count()}


def finish(seconds: float = 40) -> dict[str, Any]:
    """What the queue's clock does every half minute, more often; how the runs stand in the end."""
    from django.db.models import Count

    from annotation.models import Marking
    from judging.models import Call, Run, RunState
    from judging.shards import sweep

    ends = time.monotonic() + seconds
    while Run.objects.filter(state=RunState.RUNNING).exists() and time.monotonic() < ends:
        sweep(stale_seconds=5, lost_seconds=2)
        time.sleep(0.5)
    return {
        "runs": sorted(Run.objects.values_list("state", flat=True)),
        "calls": dict(Call.objects.order_by().values_list("state").annotate(n=Count("pk"))),
        "markings": Marking.objects.filter(rater__kind="judge").count(),
    }


def main(arguments: list[str]) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    act, *names = arguments
    if act == "build":
        answer = build(names[1:], int(names[0]))
    elif act == "judge":
        answer = start_judging(names[0])
    else:
        answer = finish()
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
