"""Run inside a campaign's installation: make its projects, or ask how its judging run ended. Prints one JSON line.

python -m tests.faults.prepare build NAME...     tables, a project per name, annotators who are signed in
python -m tests.faults.prepare judge NAME        start a judging run over the project's responses
python -m tests.faults.prepare lead NAME...      a lead of the projects who can sign in, and a judge to start runs of
python -m tests.faults.prepare soak N M          a project to mark N responses in, one to judge M, one to import into
python -m tests.faults.prepare judged RUN...     how these runs, and all calls and jobs, have ended
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


def add_lead(names: list[str]) -> dict[str, Any]:
    """A lead of the projects with a session and with a pass phrase, and the name of a judge of each."""
    from judging.judges import add_judge
    from projects.models import Membership, Project, User
    from providers.endpoints import simulated_provider

    email, phrase = f"lead-{names[0]}@example.org", "a long pass phrase for tests"
    user = User.objects.create_user(email, phrase, name="Lead")
    for name in names:
        project = Project.objects.get(slug=name)
        Membership.objects.create(user=user, project=project, role="lead")
        judge = add_judge(project, simulated_provider(), "simulated-1")
    return {"email": email, "phrase": phrase, "headers": signed_in(user), "judge": judge.rater.name}


def start_judging(name: str) -> dict[str, Any]:
    from judging.engine import runs
    from judging.judges import add_judge
    from projects.models import Project
    from providers.endpoints import simulated_provider
    from providers.models import Provider

    project = Project.objects.get(slug=name)
    judge = add_judge(project, simulated_provider(), "simulated-1")
    Provider.objects.update(concurrency=4)
    run = runs.create_run(judge, project.responses.filter(key__in=[f"r{n}" for n in range(60)]))
    return {"started": runs.start(run), "calls": run.calls.count()}


def judged(promised: list[str]) -> dict[str, Any]:
    """How what judges were asked for stands: the states of the runs that were promised, of all calls and jobs, and
    what of the answers is not as the calls say."""
    from django.db.models import Count

    from jobs.models import Job
    from judging.models import Call, Run
    from tests.faults.judge_calls import wrong_answers

    runs = {str(run.uuid): run for run in Run.objects.select_related("judge")}
    return {
        "runs": [runs[each].state if each in runs else "gone" for each in promised],
        "calls": dict(Call.objects.order_by().values_list("state").annotate(n=Count("pk"))),
        "jobs": dict(Job.objects.order_by().values_list("state").annotate(n=Count("pk"))),
        "wrong": [words for run in runs.values() for words in wrong_answers(run)][:5],
    }


def finish(seconds: float = 180) -> dict[str, Any]:
    """What the queue's clock does every half minute, more often; how the runs stand in the end."""
    from django.db.models import Count

    from annotation.models import Marking
    from jobs.sweeping import sweep
    from judging.models import Call, Run, RunState

    ends = time.monotonic() + seconds
    while Run.objects.filter(state=RunState.RUNNING).exists() and time.monotonic() < ends:
        sweep(silence_seconds=5, lost_seconds=2)
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
    elif act == "lead":
        answer = add_lead(names)
    elif act == "soak":
        answer = build(["marked"], int(names[0])) | build(["judged"], int(names[1])) | build(["imported"], 1)
        answer["lead"] = add_lead(["marked", "judged", "imported"])
    elif act == "judged":
        answer = judged(names)
    elif act == "judge":
        answer = start_judging(names[0])
    else:
        answer = finish()
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1:])
