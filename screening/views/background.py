"""A person says what they want to say of themselves, and takes it back; a lead sees how many said what."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project, fetch_rater
from projects.requests import SignedInRequest
from projects.spreadsheets import BYTE_ORDER_MARK, as_csv, inert
from screening.background import answering
from screening.background.counting import counted, rows_of
from screening.background.form import BackgroundForm


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def about_me(request: SignedInRequest, slug: str) -> HttpResponse:
    """One's own answers, to be given, changed, and left open again one by one."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    questions, answers = answering.questions_of(project), answering.own_answers(rater)
    form = BackgroundForm(request.POST if request.method == "POST" else None, questions=questions, answers=answers)
    if form.is_valid():
        answering.keep(rater, form.values)
        messages.success(request, _("Saved."))
        return redirect("about-me", slug)
    context = {"project": project, "form": form, "questions": questions, "has_answers": bool(answers)}
    return render(request, "screening/background/about_me.html", context, status=422 if form.errors else 200)


@require_POST
@login_required
def take_back(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "work.claim")
    answering.take_back(fetch_rater(request.user, project))
    messages.success(request, _("Your answers about yourself are deleted."))
    return redirect("about-me", slug)


@require_safe
@login_required
def background(request: SignedInRequest, slug: str) -> HttpResponse:
    """How many people gave each answer, in cells of five or more; never who."""
    project = fetch_project(request.user, slug, "people.read")
    return render(request, "screening/background/counts.html", {"project": project, "counted": counted(project)})


@require_safe
@login_required
def background_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "people.read")
    header = ("question", "text", "answer", "people", "kept_back")
    rows = (
        (row["question"], inert(row["text"]), inert(row["answer"]), row["people"], "yes" if row["kept_back"] else "no")
        for row in rows_of(counted(project))
    )
    response = HttpResponse(BYTE_ORDER_MARK + as_csv([header, *rows]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-background.csv"'
    return response
