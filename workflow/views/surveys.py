"""The survey of a stage: answered by raters after a batch, set up and read by leads."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from projects.access import fetch_project
from projects.audit import record
from projects.problems import Invalid
from projects.requests import SignedInRequest
from workflow import surveys
from workflow.access import fetch_at_work, fetch_stage
from workflow.forms import SurveyForm, survey_questions
from workflow.models import Survey


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def take(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """The questions after a batch. Each may be left out, and all of them passed over."""
    rater, chosen = fetch_at_work(request.user, slug, stage)
    batch = surveys.due(rater, chosen)
    if batch is None:
        return redirect("work", slug)
    survey = chosen.survey
    problems: dict[str, str] = {}
    if request.method == "POST":
        given = {} if request.POST.get("pass") else request.POST.dict()
        try:
            surveys.answer(survey, rater, batch, surveys.check(survey.questions, given))
            messages.success(request, _("Thank you."))
            return redirect("work", slug)
        except Invalid as invalid:
            problems = {problem.field: problem.message for problem in invalid.problems}
    rows = [
        {**question, "value": request.POST.get(question["key"], ""), "problem": problems.get(question["key"], "")}
        for question in survey.questions
    ]
    context = {"project": chosen.project, "stage": chosen, "rows": rows, "scale": surveys.SCALE, "survey": survey}
    return render(request, "workflow/survey/take.html", context, status=422 if problems else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def edit(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    chosen = fetch_stage(project, stage)
    survey = Survey.objects.filter(stage=chosen).first() or Survey(stage=chosen)
    sent = request.POST if request.method == "POST" else None
    asked = survey.questions if survey.pk else [{**row, "text": _(row["text"])} for row in surveys.PRESET]
    form = SurveyForm(sent, instance=survey)
    questions = survey_questions(sent, asked)
    if sent is not None and form.is_valid() and questions.is_valid():
        survey.questions = questions.as_questions()
        form.save()
        record("survey.changed", actor=request.user, project=project, subject=chosen.name)
        messages.success(request, _("Saved."))
        return redirect("survey-edit", slug, stage)
    context = {"project": project, "stage": chosen, "form": form, "questions": questions, "survey": survey}
    return render(request, "workflow/survey/edit.html", context, status=200 if sent is None else 422)


@require_safe
@login_required
def results(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "dashboard.read")
    chosen = fetch_stage(project, stage)
    survey = get_object_or_404(Survey, stage=chosen)
    answered, passed = surveys.results(survey)
    context = {"project": project, "stage": chosen, "answered": answered, "passed": passed}
    context["count"] = survey.answers.count()
    return render(request, "workflow/survey/results.html", context)
