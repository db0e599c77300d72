"""Errata: reported at a question, listed and decided by the lead, put into the next version."""

import uuid

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchmark.access import fetch_question, fetch_set
from benchmark.errata import REJECT, accept, apply_errata, reject, report, rescore, to_apply
from benchmark.models import Answer, Decision, Erratum, ErratumState, Fault, Question, QuestionSet
from benchmark.set_jobs import is_large
from benchmark.version_jobs import begin_next_version
from benchmark.wording import WordingForm, long_text
from formats.limits import MAX_COMMENT
from projects.access import PERMISSIONS, fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

PAGE = 50
CONFIRMED = "yes"


class ReportForm(forms.Form):
    fault = forms.ChoiceField(label=gettext_lazy("Fault"), choices=Fault.choices, widget=forms.RadioSelect)
    words = forms.CharField(
        label=gettext_lazy("What is wrong"),
        max_length=MAX_COMMENT,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )


class DecisionForm(WordingForm):
    """The decision, with the corrected wording where there is one; a part that is empty stays as it is."""

    decision = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[
            (Decision.REPAIR.value, gettext_lazy("Accept, with the corrected wording")),
            (Decision.DROP.value, gettext_lazy("Accept, and drop the question")),
            (REJECT, gettext_lazy("Reject")),
        ],
        widget=forms.RadioSelect,
    )
    reason = long_text(gettext_lazy("Reason"), max_length=MAX_COMMENT)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report_erratum(request: SignedInRequest, slug: str, question_set: str, version: int, question: int) -> HttpResponse:
    """Say what is wrong with a question of a frozen version."""
    row = fetch_set(request.user, slug, question_set, version)
    asked = fetch_question(row, question)
    asked.question_set = row
    form, answer = ReportForm(request.POST or None), answer_that_was_read(request, row.project, asked)
    if form.is_valid():
        try:
            report(asked, request.user, **form.cleaned_data, answer=answer)
        except Invalid as refused:
            for problem in refused.problems:
                form.add_error(problem.field if problem.field in form.fields else None, problem.message)
        else:
            messages.success(request, _("Thank you: whoever leads the project decides about it."))
            return redirect("benchmark-question", slug, row.slug, row.version, asked.pk)
    context = {"project": row.project, "question_set": row, "question": asked, "form": form, "answer": answer}
    status = 422 if request.method == "POST" else 200
    return render(request, "benchmark/errata/report.html", context, status=status)


def answer_that_was_read(request: SignedInRequest, project: Project, question: Question) -> Answer | None:
    """The answer to the question that the address names, for those alone who may read answers; None else."""
    named = request.GET.get("answer", "")
    if not named.isdecimal() or not project.viewer_roles & PERMISSIONS["answers.read"]:
        return None
    rows = Answer.objects.filter(configuration__project=project, prompt=question.prompt_id)
    return rows.select_related("response", "configuration").filter(pk=int(named[:18])).first()


@require_safe
@login_required
def errata(request: SignedInRequest, slug: str) -> HttpResponse:
    """All that was reported, the open ones first; and what waits for a new version."""
    project = fetch_project(request.user, slug, "project.edit")
    rows = project.errata.select_related("question__question_set", "reported_by", "mended_in")
    state = request.GET.get("state", "")
    if state in ErratumState.values:
        rows = rows.filter(state=state)
    context = {
        "project": project,
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "states": ErratumState.choices,
        "state": state,
        "waiting": waiting(project),
    }
    return render(request, "benchmark/errata/errata.html", context)


def waiting(project: Project) -> list[tuple[QuestionSet, int]]:
    """The newest version of each set for which accepted errata wait, with their number."""
    newest: dict[str, QuestionSet] = {}
    of_sets = project.errata.filter(state=ErratumState.ACCEPTED, mended_in=None).values("question__question_set__slug")
    for row in project.question_sets.filter(slug__in=of_sets).order_by("version"):
        newest[row.slug] = row
    return [(row, n) for row in newest.values() if (n := to_apply(row).count())]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def erratum(request: SignedInRequest, slug: str, erratum: uuid.UUID) -> HttpResponse:
    """One report: the question as it stands beside its corrected wording, and the decision."""
    project = fetch_project(request.user, slug, "project.edit")
    rows = project.errata.select_related(
        "question__question_set",
        "question__prompt__variety",
        "reported_by",
        "decided_by",
        "answer__response",
        "answer__configuration",
    )
    row = get_object_or_404(rows, uuid=erratum)
    form = DecisionForm(request.POST or None, initial=DecisionForm.initial_of(row.question))
    if form.is_valid():
        try:
            decide(row, request, form.cleaned_data)
        except Invalid as refused:
            form.add_problems(refused)
        else:
            messages.success(request, _("Decided, and written down."))
            return redirect("errata", slug)
    context = {"project": project, "erratum": row, "question": row.question, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "benchmark/errata/erratum.html", context, status=status)


def decide(row: Erratum, request: SignedInRequest, decided: dict[str, str]) -> None:
    if decided["decision"] == REJECT:
        reject(row, request.user, decided["reason"])
        return
    wording = {part: decided[field] for part, field in WordingForm.parts()}
    accept(row, request.user, decision=decided["decision"], wording=wording, reason=decided["reason"])


@require_POST
@login_required
def apply_to_version(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """Begin the next version with what was accepted; frozen and scored anew where that was asked for.
    Of a large set all of it is a job."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    is_to_be_frozen = request.POST.get("freeze") == CONFIRMED
    if is_large(row):
        job = begin_next_version(row, request.user, with_errata=True, is_frozen=is_to_be_frozen)
        return redirect("job", slug, job.uuid)
    try:
        applied = apply_errata(row, request.user, is_frozen_at_once=is_to_be_frozen)
    except Invalid as refused:
        for problem in refused.problems:
            messages.error(request, str(problem))
        return redirect("errata", slug)
    n = applied.changed
    told = ngettext("%(n)d question is corrected in %(set)s.", "%(n)d questions are corrected in %(set)s.", n)
    messages.success(request, told % {"n": n, "set": applied.question_set})
    if is_to_be_frozen:
        rescore(applied.question_set, request.user)
        if row.is_frozen:
            return redirect("question-versions", slug, row.slug, row.version, applied.question_set.version)
    return redirect("question-set", slug, applied.question_set.slug, applied.question_set.version)
