"""What comes back to a person: what became of their marks, how their answers have stood, checks that are over."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.casebook.indexing_jobs import begin_indexing
from annotation.casebook.kinds import case_kinds
from projects.access import fetch_project, fetch_rater
from projects.audit import record
from projects.requests import SignedInRequest
from reports.feedback.marks import CORRECTED, FATES, LATEST_ITEMS, add_responses, add_words, settled_marks
from reports.feedback.standing import FEW, standings
from screening.checks.explaining import explained, over
from workflow.forms import FeedbackRulesForm
from workflow.models import CaseBook, feedback_rules

MARKS_ON_A_PAGE = 20
LATEST_CHECKS = 20
FATE_NAMES = {
    "kept": gettext_lazy("Kept"),
    CORRECTED: gettext_lazy("Kept and corrected"),
    "rejected": gettext_lazy("Rejected"),
}


@require_safe
@never_cache
@login_required
def feedback(request: SignedInRequest, slug: str) -> HttpResponse:
    """As far as the project tells it; `?fate=` narrows the marks to those that fared so."""
    project = fetch_project(request.user, slug, "work.claim")
    rater, rules = fetch_rater(request.user, project), feedback_rules(project)
    marks = settled_marks(rater) if rules.shows_outcomes else []
    wanted = request.GET.get("fate", "")
    wanted = wanted if wanted in FATES else ""
    page = Paginator([mark for mark in marks if wanted in ("", mark.fate)], MARKS_ON_A_PAGE).get_page(
        request.GET.get("page")
    )
    shown = list(page)
    add_responses(shown)
    if rules.shows_words:
        add_words(project, shown)
    context = {
        "project": project,
        "rules": rules,
        "page": page,
        "fate": wanted,
        "fates": [(name, FATE_NAMES[name], sum(mark.fate == name for mark in marks)) for name in FATES],
        "has_marks": bool(marks),
        "standings": standings(rater, marks),
        "checks": explained(list(over(rater, project)[:LATEST_CHECKS])) if rules.explains_checks else [],
        "few": FEW,
        "latest_items": LATEST_ITEMS,
    }
    return render(request, "reports/feedback/mine.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def rules(request: SignedInRequest, slug: str) -> HttpResponse:
    """What people are told: the lead's page."""
    project = fetch_project(request.user, slug, "project.edit")
    said = request.POST if request.method == "POST" else None
    form = FeedbackRulesForm(said, instance=feedback_rules(project), has_cases=bool(case_kinds(project)))
    if form.is_valid():
        with transaction.atomic():
            if form.save().case_book != CaseBook.CLOSED:
                begin_indexing(project)
        record("feedback.rules_changed", actor=request.user, project=project, subject=slug, fields=form.changed_data)
        messages.success(request, _("Saved."))
        return redirect("feedback-rules", slug)
    return render(request, "reports/feedback/rules.html", {"project": project, "form": form})
