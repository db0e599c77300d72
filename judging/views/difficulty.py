"""The model on which authors try their prompts: naming it, and asking it once."""

import select
import socket
import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from judging.collecting.difficulty import NoAnswer, ask_once, name_model
from judging.collecting.forms import DifficultyModelForm
from judging.models import DifficultyModel
from projects.access import fetch_project
from projects.requests import SignedInRequest
from providers.waiting import Busy
from rubrics.access import fetch_own_rubric
from workflow.views.calls import error, json_call, read_json, short_text

MAX_PROMPT = 100_000


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    named = DifficultyModel.objects.filter(project=project).first()
    form = DifficultyModelForm(request.POST or None, instance=named)
    if request.method == "POST" and form.is_valid():
        name_model(project, form.cleaned_data["provider"], form.cleaned_data["model"].strip(), request.user)
        messages.success(request, _("Saved."))
        return redirect("targets", slug)
    context = {"project": project, "form": form}
    return render(request, "judging/difficulty_model.html", context, status=422 if form.errors else 200)


@never_cache
@json_call("POST")
def ask(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """The answer to the author's own prompt, shown once. Nothing on the way back keeps it either."""
    own = fetch_own_rubric(request.user, assignment, to_write=True)
    prompt = short_text(read_json(request), "prompt", MAX_PROMPT)
    try:
        answered = ask_once(own, prompt, lambda: client_is_gone(request))
    except NoAnswer as failed:
        return error(409, failed.code, failed.message)
    except Busy as busy:
        message = _("Too many prompts are being tried at once. Try again in %(seconds)d seconds.")
        refused = error(429, "busy", message % {"seconds": busy.seconds})
        refused["Retry-After"] = str(busy.seconds)
        return refused
    return JsonResponse({"check": answered.check, "answer": answered.answer, "seconds": answered.seconds})


def client_is_gone(request: HttpRequest) -> bool:
    """Whether the other end has closed the connection: the author pressed Cancel or left the page.

    The web server hands its socket over; where there is none to look at, the author counts as there.
    """
    connection = request.META.get("gunicorn.socket")
    if connection is None:
        return False
    try:
        poll = select.poll()
        poll.register(connection, select.POLLIN)
        return bool(poll.poll(0)) and connection.recv(1, socket.MSG_PEEK) == b""
    except ConnectionError:
        return True
    except (OSError, ValueError):  # an encrypted socket cannot be looked into
        return False
