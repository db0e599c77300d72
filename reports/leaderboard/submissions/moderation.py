"""The lead's side: the queue, accepting, refusing, banning, and what the month has cost."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from benchmark.models import Ban, Board, Submission
from benchmark.submissions import banning, spending
from benchmark.submissions.ending import GOING, MAX_REASON, QUEUED, fail, refuse
from benchmark.submissions.listing import listed, queue, with_position
from benchmark.submissions.months import month_of
from benchmark.submissions.values import How
from judging.collecting.submitted import Terms, accept, key_name
from judging.forms.sets import LimitsForm
from judging.forms.sets import show as show_limits
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest
from reports.leaderboard.submissions.wording import card_lines

PAGE = 50
ACCEPT, REFUSE, FAIL, BAN = "accept", "refuse", "fail", "ban"


class TermsForm(LimitsForm):
    """What a submission may cost at most, and what its tokens cost."""

    input_price = forms.DecimalField(
        label=gettext_lazy("Price of a million tokens in"),
        min_value=0,
        max_digits=12,
        decimal_places=6,
        required=False,
        help_text=gettext_lazy("In US dollars. 0 where whoever submitted pays; needed where money is limited."),
    )
    output_price = forms.DecimalField(
        label=gettext_lazy("Price of a million tokens out"),
        min_value=0,
        max_digits=12,
        decimal_places=6,
        required=False,
    )

    @property
    def terms(self) -> Terms:
        said, limits = self.cleaned_data, self.limits
        return Terms(limits["money_limit"], limits["token_limit"], said["input_price"], said["output_price"])


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )


def fetch_board(request: SignedInRequest, slug: str) -> tuple[Project, Board | None]:
    """The project where the person leads it, with its board; None where its settings were never saved."""
    project = fetch_project(request.user, slug, "project.edit")
    board = Board.objects.filter(project=project).first()
    if board is not None:
        board.project = project
    return project, board


def fetch_submission(request: SignedInRequest, slug: str, uuid: UUID) -> Submission:
    _project, board = fetch_board(request, slug)
    if board is None:
        raise Http404
    rows = with_position(board.submissions.select_related("laboratory", "account", "decided_by", "configuration"))
    row = get_object_or_404(rows, uuid=uuid)
    row.board = board
    return row


@require_safe
@login_required
def moderation(request: SignedInRequest, slug: str) -> HttpResponse:
    """The queue, all that was submitted, this month's costs, and who is banned."""
    project, board = fetch_board(request, slug)
    context: dict = {"project": project, "board": board}
    if board is not None:
        month = month_of(timezone.now())
        context |= {
            "month": month,
            "spending": spending.spending_of(board, month),
            "is_used_up": spending.is_used_up(board, month),
            "queue": Paginator(queue(board), PAGE).get_page(1),
            "page": Paginator(listed(board), PAGE).get_page(request.GET.get("page")),
            "bans": board.bans.filter(lifted_at=None).select_related("user").order_by("-banned_at")[:PAGE],
        }
    return render(request, "reports/leaderboard/submissions/moderation.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def moderate(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """One submission with all that was said of it, and the decision."""
    row = fetch_submission(request, slug, uuid)
    act = request.POST.get("act", "")
    accepting = TermsForm(request.POST if act == ACCEPT else None)
    reasoning = ReasonForm(request.POST if act in (REFUSE, FAIL, BAN) else None)
    form: forms.Form = accepting if act == ACCEPT else reasoning
    if form.is_valid():
        try:
            told = decide(row, request, act, form)
        except Invalid as invalid:
            show_limits(invalid, form)
        else:
            messages.success(request, told)
            return redirect("board-submissions", slug)
    elif request.method == "POST" and not form.is_bound:
        messages.error(request, _("Nothing was decided: choose what is to become of it."))
    row = fetch_submission(request, slug, uuid)
    context = {
        "project": row.board.project,
        "submission": row,
        "lines": card_lines(row),
        "link": row.card.get("link", ""),
        "accepting": accepting,
        "reasoning": reasoning,
        "act": act,
        "is_queued": row.state == QUEUED,
        "is_going": row.state in GOING,
        "is_asked": row.run.get("how") == How.ENDPOINT,
        "key_name": key_name(row),
        "ban": Ban.objects.filter(board=row.board, user=row.account, lifted_at=None).first(),
        "left": spending.left(row.board, row.month),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "reports/leaderboard/submissions/moderate.html", context, status=status)


def decide(row: Submission, request: SignedInRequest, act: str, form: forms.Form) -> str:
    """What is told when it is done. Raises Invalid."""
    if act == ACCEPT and isinstance(form, TermsForm):
        accepted = accept(row, request.user, form.terms)
        if accepted.run.get("how") == How.ENDPOINT:
            return _("Accepted: it is asked all questions of the board now.")
        return _("Accepted. Bring its answers in: add a target model of the same name, or import a file of answers.")
    reason = form.cleaned_data["reason"]
    if act == BAN:
        banning.ban(row.board, row.account, request.user, reason)
        return _("The account may not submit to this board any more.")
    if act == FAIL:
        fail(row, request.user, reason)
        return _("Ended, and written down.")
    refuse(row, request.user, reason)
    return _("Refused. Everybody reads the reason in the list.")


@require_POST
@login_required
def lift_ban(request: SignedInRequest, slug: str, ban: int) -> HttpResponse:
    _project, board = fetch_board(request, slug)
    row = get_object_or_404(Ban.objects.select_related("user", "board__project"), pk=ban, board=board)
    try:
        banning.lift(row, request.user)
    except Invalid as invalid:
        messages.warning(request, invalid.problems[0].message)
    else:
        messages.success(request, _("The account may submit again."))
    return redirect("board-submissions", slug)
