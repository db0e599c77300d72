"""What target models of a project are told before each prompt, by language variety."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from judging.collecting import system_prompts
from judging.collecting.forms import OTHERS_FIELD, SystemPromptsForm
from judging.collecting.system_prompts import OTHERS
from projects.access import fetch_project
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    told = {tag or OTHERS_FIELD: text for tag, text in system_prompts.of_project(project).items()}
    form = SystemPromptsForm(system_prompts.varieties_of(project), request.POST or None, initial=told)
    if request.method == "POST" and form.is_valid():
        try:
            system_prompts.set_texts(project, form.texts, by=request.user)
        except Invalid as invalid:
            for problem in invalid.problems:
                form.add_error(OTHERS_FIELD if problem.field == OTHERS else problem.field, problem.message)
        else:
            messages.success(request, _("Saved. What is being asked goes on with the texts that it began with."))
            return redirect("targets", slug)
    context = {"project": project, "form": form}
    return render(request, "judging/system_prompts.html", context, status=422 if form.errors else 200)
