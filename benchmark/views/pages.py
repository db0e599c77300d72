"""The question sets of a project, one version of one, and one question."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from agreement.answers.rules import rules
from benchmark.access import fetch_question, fetch_set, questions_for_viewer, sees_held_back
from benchmark.freezing import freeze
from benchmark.listing import listed, overview_of, questions_in_lines
from benchmark.models import Question, QuestionSet, ShuffledSet
from benchmark.retiring import is_retired, limit_of, next_version, seen_by, with_laboratories
from benchmark.set_jobs import begin_answers_export, begin_export, begin_freezing, is_large
from benchmark.version_jobs import begin_next_version
from projects.access import PERMISSIONS, fetch_project
from projects.among import Among
from projects.problems import Invalid
from projects.requests import SignedInRequest

PAGE = 50
SETS_ON_A_PAGE = 50
# Keys of questions that a message tells; the rest are in the list of changes.
NAMED_AT_MOST = 20
CONFIRMED = "yes"


@require_safe
@login_required
def question_sets(request: SignedInRequest, slug: str) -> HttpResponse:
    """Every version of every set, with how many questions it has."""
    project = fetch_project(request.user, slug)
    context = {
        "project": project,
        "page": Paginator(listed(project), SETS_ON_A_PAGE).get_page(request.GET.get("page")),
        "may_import": bool(project.viewer_roles & PERMISSIONS["data.import"]),
        "has_frozen": project.question_sets.filter(frozen_at__isnull=False).exists(),
    }
    return render(request, "benchmark/question_sets.html", context)


@require_safe
@login_required
def question_set(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """One version: what it holds by skill and format, and its questions in pages."""
    row = fetch_set(request.user, slug, question_set, version)
    is_lead = sees_held_back(row.project)
    questions = questions_in_lines(questions_for_viewer(row))
    page = Paginator(questions, PAGE).get_page(request.GET.get("page"))
    overview = overview_of(row)
    page.object_list = list(page.object_list)
    seen = seen_by(row) if is_lead and overview.held_back else []
    if seen:
        mark_seen(row, page.object_list)
    versions = list(row.project.question_sets.filter(slug=row.slug).order_by("version"))
    context = {
        "project": row.project,
        "question_set": row,
        "overview": overview,
        "versions": versions,
        "is_newest": row == versions[-1],
        "page": page,
        "is_lead": is_lead,
        "seen_by": seen,
        "shuffle": ShuffledSet.objects.filter(question_set=row).select_related("original").first(),
        "shuffles": row.shuffles.select_related("question_set").order_by("seed"),
    }
    return render(request, "benchmark/question_set.html", context)


def mark_seen(row: QuestionSet, questions: Sequence[Any]) -> None:
    """Tell held-back questions of a page how many laboratories have seen each, and whether it has retired."""
    limit = limit_of(row.project)
    held_back = Among(question.pk for question in questions if question.is_held_back)
    seen = {each.pk: each for each in with_laboratories(row.questions.filter(pk__in=held_back))}
    for question in questions:
        if question.pk in seen:
            question.laboratories = seen[question.pk].laboratories
            question.is_retired = is_retired(seen[question.pk], limit)


@require_safe
@login_required
def question(request: SignedInRequest, slug: str, question_set: str, version: int, question: int) -> HttpResponse:
    """One question: its texts, what scores it, and what else the set says of it."""
    row = fetch_set(request.user, slug, question_set, version)
    asked = fetch_question(row, question)
    context = {
        "project": row.project,
        "question_set": row,
        "question": asked,
        "rules": [(rules().get(use.rule), use) for use in asked.rule_uses.all()],
        "twin": visible_twin(asked, sees_held_back(row.project)),
        "is_lead": sees_held_back(row.project),
        "errata": asked.errata.order_by("reported_at"),
    }
    if context["is_lead"]:
        limit = limit_of(row.project)
        context |= {
            "exposures": asked.prompt.exposures.select_related("laboratory"),
            "is_retired": is_retired(with_laboratories(row.questions.all()).get(pk=asked.pk), limit),
            "limit": limit,
        }
    return render(request, "benchmark/question.html", context)


def visible_twin(asked: Question, sees_all: bool) -> Question | None:
    twin = asked.twin_of
    return twin if twin is not None and (sees_all or not twin.is_held_back) else None


@require_POST
@login_required
def freeze_set(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """Freeze a draft, a large one as a job. Its page asks for the confirmation that must come with it."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    if request.POST.get("confirmed") != CONFIRMED:
        messages.error(request, _("Nothing was frozen: confirm that the set can no longer be changed."))
        return redirect("question-set", slug, row.slug, row.version)
    if is_large(row) and not row.is_frozen:
        return redirect("job", slug, begin_freezing(row, request.user).uuid)
    try:
        freeze(row, request.user)
    except Invalid as refused:
        for problem in refused.problems:
            messages.error(request, str(problem))
    else:
        messages.success(request, _("The question set is frozen."))
    return redirect("question-set", slug, row.slug, row.version)


@require_POST
@login_required
def export_set(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """Write a version to a file, which the page of the job holds for a week."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    job = begin_export(row, request.user, with_held_back=request.POST.get("held_back") == CONFIRMED)
    return redirect("job", slug, job.uuid)


@require_POST
@login_required
def export_answers(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """Write the answers to a frozen version to a file, which the page of the job holds for a week."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    try:
        job = begin_answers_export(row, request.user, with_held_back=request.POST.get("held_back") == CONFIRMED)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("question-set", slug, row.slug, row.version)
    return redirect("job", slug, job.uuid)


@require_POST
@login_required
def begin_version(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """Begin the next version of a frozen set, a draft with all of its questions; of a large one as a job."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    if is_large(row):
        return redirect("job", slug, begin_next_version(row, request.user).uuid)
    try:
        draft, retired = next_version(row, request.user)
    except Invalid as refused:
        messages.error(request, refused.problems[0].message)
        return redirect("question-set", slug, row.slug, row.version)
    if retired:
        text = ngettext(
            "%(n)d held-back question has retired and is left out: %(keys)s.",
            "%(n)d held-back questions have retired and are left out: %(keys)s.",
            len(retired),
        )
        messages.info(request, text % {"n": len(retired), "keys": ", ".join(retired[:NAMED_AT_MOST])})
    return redirect("question-set", slug, draft.slug, draft.version)
