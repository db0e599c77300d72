"""The checks of a question set: what checkers said side by side, how far they agree, what became of the questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from benchmark.access import fetch_set
from benchmark.models import Decision, Fault, Question, QuestionCheck, QuestionRevision, QuestionSet
from benchmark.question_check.agreement import agreement_of, rounds_of, said_of_set
from benchmark.question_check.deciding import kept_by_all, of_last_round, with_checks
from projects.requests import SignedInRequest

PAGE = 20
CHANGES_ON_A_PAGE = 50
OPEN, DIFFER, DECIDED = "open", "differ", "decided"


class CheckFilterForm(forms.Form):
    """Only what stands here can be filtered by."""

    def __init__(self, data: Any) -> None:
        super().__init__(data, auto_id="filter_%s")
        anything = ("", _("Any"))
        states = [anything, (OPEN, _("Undecided")), (DIFFER, _("Checkers differ")), (DECIDED, _("Decided"))]
        self.fields["state"] = forms.ChoiceField(choices=states, required=False, label=_("State"))
        choices = (("decision", Decision, _("Decision")), ("fault", Fault, _("Fault")))
        for name, offered, label in choices:
            self.fields[name] = forms.ChoiceField(choices=[anything, *offered.choices], required=False, label=label)
        for field in self.fields.values():
            field.widget.attrs["class"] = "form-select form-select-sm"

    @property
    def chosen(self) -> dict[str, str]:
        self.full_clean()
        return {name: value for name, value in self.cleaned_data.items() if value}


@dataclass(frozen=True, slots=True)
class Line:
    """A question with the checks of its latest round, and the lead's last word on it."""

    question: Question
    checks: Sequence[QuestionCheck]
    revision: QuestionRevision | None


def narrowed(question_set: QuestionSet, chosen: dict[str, str]) -> QuerySet[Any]:
    rows = with_checks(question_set)
    latest = of_last_round()
    if state := chosen.get("state"):
        rows = rows.filter(is_decided=state == DECIDED) if state != DIFFER else rows.filter(differing(latest))
    for name in ("decision", "fault"):
        if name in chosen:
            rows = rows.filter(Exists(latest.filter(**{name: chosen[name]})))
    return rows.select_related("prompt__variety").order_by("is_decided", "position", "pk")


def differing(latest: QuerySet[QuestionCheck]) -> Exists:
    """That two of these checks of a question decide differently."""
    other = QuestionCheck.objects.filter(question=OuterRef("question"), round=OuterRef("round"))
    return Exists(latest.filter(Exists(other.exclude(decision=OuterRef("decision")))))


def lines_of(question_set: QuestionSet, questions: Sequence[Question]) -> list[Line]:
    """In two statements, whatever the number of questions."""
    keys = [question.key for question in questions]
    said = question_set.revisions.filter(key__in=keys).select_related("decided_by").order_by("pk")
    last = {revision.key: revision for revision in said}
    return [
        Line(question, [check for check in question.checks.all() if check.round == latest], last.get(question.key))
        for question in questions
        for latest in [max(check.round for check in question.checks.all())]
    ]


@require_safe
@login_required
def question_checks(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    form = CheckFilterForm(request.GET)
    in_order = Prefetch("checks", QuestionCheck.objects.select_related("rater").order_by("round", "pk"))
    page = Paginator(narrowed(row, form.chosen).prefetch_related(in_order), PAGE).get_page(request.GET.get("page"))
    said = said_of_set(row)
    context = {
        "project": row.project,
        "question_set": row,
        "form": form,
        "page": page,
        "lines": lines_of(row, list(page)),
        "agreement": agreement_of(said),
        "rounds": rounds_of(row, said),
        "decisions": Decision.choices,
        "faults": Fault.choices,
        "n_agreed": 0 if row.is_frozen else kept_by_all(row).count(),
        "back": form.chosen | {"page": page.number},
    }
    return render(request, "reports/leaderboard/checks.html", context)


@require_safe
@login_required
def question_changes(request: SignedInRequest, slug: str, question_set: str, version: int) -> HttpResponse:
    """What was decided about questions of a draft, the old words beside the new, the latest first."""
    row = fetch_set(request.user, slug, question_set, version, "project.edit")
    revisions = row.revisions.select_related("decided_by").order_by("-pk")
    shown = revisions if request.GET.get("all") else revisions.exclude(decision=Decision.KEEP)
    context = {
        "project": row.project,
        "question_set": row,
        "page": Paginator(shown, CHANGES_ON_A_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "reports/leaderboard/changes.html", context)
