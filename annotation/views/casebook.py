"""The case book: settled cases to look up after one's own answer, and what a lead says of each."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.casebook.asking import asked_for
from annotation.casebook.filters import filters_of, offered
from annotation.casebook.finding import MOST_COMMON, MOST_LOOKED_AT, MOST_RARE, Reader, examples, search
from annotation.casebook.notes import note_case
from annotation.casebook.reading import Gate, come
from annotation.casebook.showing import show
from annotation.models import SettledCase
from projects.access import fetch_project
from projects.models import LanguageVariety
from projects.problems import Invalid
from projects.requests import SignedInRequest
from workflow.models import CaseBook, feedback_rules


@require_safe
@never_cache
@login_required
def cases(request: SignedInRequest, slug: str) -> HttpResponse:
    """The book as far as it is open to the person; see annotation/casebook/hiding.py for what they never find. Beside
    an answer of their own (the drawer of a task's screen) it is asked for by htmx, and comes without the page."""
    project = fetch_project(request.user, slug)
    at_the_book = come(request.user, project)
    context = {"project": project, "gate": at_the_book.gate, "before_them": at_the_book.before_them}
    if at_the_book.gate == Gate.OPEN:
        context |= found(at_the_book.reader, request)
    page = "found_beside" if request.htmx else "book"
    return render(request, f"annotation/casebook/{page}.html", context)


def found(reader: Reader, request: SignedInRequest) -> dict:
    asked = request.GET.dict()
    wanted = asked_for(reader, asked)
    number = asked.get("page", "")
    page = search(reader, wanted, int(number) if number.isascii() and number.isdigit() and len(number) < 5 else 1)
    is_plain = not (wanted.is_narrowed or wanted.like)
    put_forward = show(reader, examples(reader)) if is_plain and page.number == 1 else []
    varieties = LanguageVariety.objects.filter(projects__project=reader.project).order_by("projects__position")
    return {
        "is_lead": reader.is_lead,
        "is_open_to_others": feedback_rules(reader.project).case_book != CaseBook.CLOSED,
        "wanted": wanted,
        "is_plain": is_plain,
        "comes_from": bool(asked.get("case") or asked.get("answer")),
        "page": page,
        "previous": page.number - 1,
        "next": page.number + 1,
        "cases": show(reader, page.cases),
        "examples": put_forward,
        "filters": offered(filters_of(reader), asked),
        "varieties": varieties if varieties.count() > 1 else [],
        "most_common": MOST_COMMON,
        "most_rare": MOST_RARE,
        "most_looked_at": MOST_LOOKED_AT,
    }


@require_POST
@login_required
def case_note(request: SignedInRequest, slug: str, case: int) -> HttpResponse:
    """A lead puts a case forward as an example, keeps it from being shown, or takes either back."""
    project = fetch_project(request.user, slug, "project.edit")
    row = get_object_or_404(SettledCase.objects.select_related("project"), pk=case, project=project)
    act, why = request.POST.get("act", ""), request.POST.get("why", "")
    if act == "example" and not why.strip():
        messages.error(request, _("Write a sentence why it is an example."))
        return redirect("cases", slug)
    try:
        note_case(row, request.user, why=why if act == "example" else "", is_excluded=act == "exclude")
    except Invalid as invalid:
        messages.error(request, invalid.problems[0].message)
    else:
        messages.success(request, _("Saved."))
    return redirect("cases", slug)
