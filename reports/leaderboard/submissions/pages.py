"""Submissions of an open board: the list for everybody, and one's own: submit, look at, withdraw.

Whoever submits is no member of the board's project: nothing of the project is on these pages, and nobody's address or
name is on the list.
"""

from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchmark.models import Board, Submission
from benchmark.submissions.ending import WITHDRAWABLE, withdraw
from benchmark.submissions.listing import listed, with_position
from benchmark.submissions.months import month_after, month_of
from benchmark.submissions.submitting import laboratory_that_may_submit, submit
from benchmark.submissions.values import SubmissionForm
from projects.models import User
from projects.problems import Invalid
from projects.requests import SignedInRequest
from reports.leaderboard.open_views import fetch_open
from reports.leaderboard.submissions.wording import card_lines

PAGE = 50


def fetch_with_submissions(board: str) -> Board:
    """An open board that takes submissions, or has taken some; Http404 otherwise."""
    opened = fetch_open(board)
    if not opened.takes_submissions and not opened.submissions.exists():
        raise Http404
    return opened


def fetch_own_submission(account: User, board: str, uuid: UUID) -> Submission:
    """Of an open board, what the account has submitted; Http404 for all else, as if it did not exist."""
    rows = with_position(Submission.objects.select_related("laboratory", "board__project", "configuration"))
    return get_object_or_404(rows, board=fetch_with_submissions(board), uuid=uuid, account=account)


@require_safe
def submissions(request: HttpRequest, board: str) -> HttpResponse:
    opened = fetch_with_submissions(board)
    page = Paginator(listed(opened), PAGE).get_page(request.GET.get("page"))
    return render(request, "reports/leaderboard/submissions/list.html", {"opened": opened, "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def submit_model(request: SignedInRequest, board: str) -> HttpResponse:
    """The rules, and the form where the account may submit now; sent twice, it is one submission."""
    opened = fetch_with_submissions(board)
    month = month_of(timezone.now())
    context = {"opened": opened, "month": month, "next_month": month_after(month).isoformat(), "id": uuid4()}
    if request.method == "POST":
        form = SubmissionForm(request.POST)
        form.is_valid()
        try:
            row = submit(opened, request.user, request.POST, uuid=sent_id(request))
        except Invalid as invalid:
            show(invalid, form)
            context |= {"form": form, "id": sent_id(request)}
            return render(request, "reports/leaderboard/submissions/submit.html", context, status=422)
        messages.success(request, _("Submitted. A moderator looks at it; its state stands here."))
        return redirect("open-board-submission", opened.slug, row.uuid)
    try:
        context["laboratory"] = laboratory_that_may_submit(opened, request.user, timezone.now())
        context["form"] = SubmissionForm()
    except Invalid as invalid:
        context["problems"] = invalid.problems
    return render(request, "reports/leaderboard/submissions/submit.html", context)


def sent_id(request: SignedInRequest) -> UUID:
    """What the form was given when it was shown; a new one where somebody sent something else."""
    try:
        return UUID(request.POST.get("id", ""))
    except ValueError:
        return uuid4()


def show(invalid: Invalid, form: SubmissionForm) -> None:
    """What is wrong beside the fields that it is about; what the form has found itself stands there already."""
    for problem in invalid.problems:
        field = problem.field if problem.field in form.fields else None
        if field is None or field not in form.errors:
            form.add_error(field, problem.message)


@require_safe
@login_required
def submission(request: SignedInRequest, board: str, uuid: UUID) -> HttpResponse:
    row = fetch_own_submission(request.user, board, uuid)
    context = {
        "opened": row.board,
        "submission": row,
        "lines": card_lines(row),
        "may_withdraw": row.state in WITHDRAWABLE,
        "next_month": month_after(row.month).isoformat(),
    }
    return render(request, "reports/leaderboard/submissions/submission.html", context)


@require_POST
@login_required
def withdraw_submission(request: SignedInRequest, board: str, uuid: UUID) -> HttpResponse:
    row = fetch_own_submission(request.user, board, uuid)
    try:
        withdraw(row, request.user)
    except Invalid as invalid:
        messages.warning(request, invalid.problems[0].message)
    else:
        messages.success(request, _("Withdrawn. It stays listed, and it counts for its month."))
    return redirect("open-board-submission", board, uuid)
