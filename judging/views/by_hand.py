"""Pasting the responses of a model without an API, one prompt at a time."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.collecting.by_hand import check_open, paste
from judging.collecting.forms import PasteForm
from judging.collecting.planning import open_prompts
from judging.models import TargetEndpoint
from judging.views.targets import fetch_target
from projects.access import fetch_project
from projects.models import Prompt
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def paste_response(request: SignedInRequest, slug: str, pk: int, prompt: int) -> HttpResponse:
    """The prompt to copy and the field for what came back; afterwards the next prompt that waits."""
    project = fetch_project(request.user, slug, "judges.run")
    target = fetch_target(project, pk)
    asked = get_object_or_404(Prompt.objects.select_related("variety"), project=project, pk=prompt)
    form = PasteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            stored = paste(target, asked, form.cleaned_data["text"], form.cleaned_data["controls"], request.user)
        except Invalid as invalid:
            add_problems(form, invalid)
        else:
            messages.success(request, _("The response is stored as “%(key)s”.") % {"key": stored.key})
            return after(target)
    context = {"project": project, "target": target, "prompt": asked, "form": form, "closed": closed(target, asked)}
    context["left"] = open_prompts(target).count()
    return render(request, "judging/paste.html", context, status=422 if form.errors else 200)


def add_problems(form: PasteForm, invalid: Invalid) -> None:
    unconfirmed = [problem for problem in invalid.problems if problem.code == "not_confirmed"]
    if unconfirmed:
        form.add_error("controls", unconfirmed[0].message)
    for problem in invalid.problems:
        if problem not in unconfirmed:
            form.add_error(problem.field or None, problem.message)


def closed(target: TargetEndpoint, prompt: Prompt) -> str:
    """Why nothing can be pasted here, before anybody has asked a model in vain; empty where it can."""
    try:
        check_open(target, prompt)
    except Invalid as invalid:
        return str(invalid.problems[0].message)
    return ""


def after(target: TargetEndpoint) -> HttpResponse:
    following = open_prompts(target).first()
    if following is None:
        return redirect("target", target.project.slug, target.pk)
    return redirect("target-paste", target.project.slug, target.pk, following.pk)
