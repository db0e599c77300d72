"""The pages of a board: models beside each other, one seen closely, its report, and the lead's settings."""

from typing import Any

import numpy as np
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from benchmark.access import sees_held_back
from benchmark.models import Question
from projects.access import fetch_project
from projects.among import Among
from projects.models import Project
from projects.requests import SignedInRequest
from reports.leaderboard import comparing
from reports.leaderboard.configuration import BEST, WORST, Output, by_skill, order_of, outputs
from reports.leaderboard.report import begin, is_long, taken
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.settings import BoardForm, board_for, store
from reports.leaderboard.standings import Sheet, sheet_of, standings

PER_PAGE = 20


def fetch_sheet(request: SignedInRequest, slug: str, permission: str) -> tuple[Project, Sheet]:
    """Http404 also where no version is frozen."""
    project = fetch_project(request.user, slug, permission)
    sheet = sheet_of(project)
    if sheet is None:
        raise Http404
    return project, sheet


@require_safe
@login_required
def radar(request: SignedInRequest, slug: str) -> HttpResponse:
    """Up to six models by skill."""
    project = fetch_project(request.user, slug, "dashboard.read")
    sheet = sheet_of(project)
    named = request.GET.getlist("model")
    entries = [entry for entry in sheet.entries if not entry.is_baseline] if sheet else []
    chosen = [entry for entry in entries if entry.slug in named][: comparing.MOST_MODELS]
    context: dict[str, Any] = {"project": project, "entries": entries, "chosen": [entry.slug for entry in chosen]}
    if sheet is not None and chosen:
        lines = comparing.radar_lines(sheet, [sheet.entries.index(entry) for entry in chosen])
        names = [entry.name for entry in chosen]
        context |= {
            "lines": lines,
            "names": names,
            "radar": comparing.radar(lines, names, is_mirrored=get_language_bidi()),
            "patterns": comparing.patterns(lines, names),
            "too_many": len(set(named)) > comparing.MOST_MODELS,
        }
    return render(request, "reports/leaderboard/radar.html", context)


@require_safe
@login_required
def compare(request: SignedInRequest, slug: str) -> HttpResponse:
    """Two models question by question, those on which they are furthest apart first."""
    project = fetch_project(request.user, slug, "answers.read")
    sheet = sheet_of(project)
    named = {name: request.GET[name] for name in ("first", "second") if name in request.GET}
    leading: list[int | None] = [*sheet.leading(2)] if sheet and not named else []
    places = leading or [sheet.column(named.get(name, "")) if sheet else None for name in ("first", "second")]
    skill = request.GET.get("skill", "")
    context: dict[str, Any] = {
        "project": project,
        "entries": sheet.entries if sheet else (),
        "skills": sheet.skills.items() if sheet else (),
        "skill": skill,
        "query": without_page(request),
    }
    if sheet is not None and len(places) == 2 and places[0] is not None and places[1] is not None:
        first, second = places[0], places[1]
        found = comparing.compared(sheet, first, second, skill)
        page = Paginator(found.rows, PER_PAGE).get_page(request.GET.get("page"))
        sees = sees_held_back(project)
        both = [
            with_errata(project, sheet, outputs(sheet, column, list(page), sees_held_back=sees))
            for column in (first, second)
        ]
        pairs = list(zip(*both, strict=True))
        context |= {"first": sheet.entries[first], "second": sheet.entries[second], "found": found}
        context |= {"page": page, "pairs": pairs}
    return render(request, "reports/leaderboard/compare.html", context)


@require_safe
@login_required
def configuration(request: SignedInRequest, slug: str, configuration: str) -> HttpResponse:
    """One model: its strengths and weaknesses in its class, and every output with all that was said of it."""
    project, sheet = fetch_sheet(request, slug, "answers.read")
    column = sheet.column(configuration)
    if column is None:
        raise Http404
    if (answer := request.GET.get("answer", "")).isdecimal() and (where := place_of(project, sheet, column, answer)):
        return redirect(where)
    skill, order = request.GET.get("skill", ""), request.GET.get("order", "")
    page = Paginator(order_of(sheet, column, skill, order), PER_PAGE).get_page(request.GET.get("page"))
    board = standings(project, BoardScope())
    assert board is not None  # as the sheet is
    skills, n_others = by_skill(sheet, column)
    shown = outputs(sheet, column, list(page), sees_held_back=sees_held_back(project))
    context = {
        "project": project,
        "line": board.line_of(configuration),
        "card": project.configurations.filter(slug=configuration).values_list("card__slug", flat=True).first(),
        "n_ranked": sum(1 for line in board.lines if line.rank),
        "skills": skills,
        "n_others": n_others,
        "is_long": is_long(sheet),
        "page": page,
        "outputs": with_errata(project, sheet, shown),
        "skill": skill,
        "order": order,
        "orders": (
            ("", _("in the order of the set")),
            (WORST, _("lowest score first")),
            (BEST, _("highest score first")),
        ),
        "query": without_page(request),
    }
    return render(request, "reports/leaderboard/configuration.html", context)


def place_of(project: Project, sheet: Sheet, column: int, answer: str) -> str:
    """Where on the pages of a model one answer stands: the browser goes to it by itself, with the keyboard there.
    "" for an answer that is not among them."""
    asked = Question.objects.filter(pk__in=Among(sheet.questions.id.tolist()))
    rows = asked.filter(prompt__answers__pk=int(answer[:18]), prompt__answers__configuration=sheet.entries[column].id)
    question = rows.values_list("pk", flat=True).first()
    if question is None:
        return ""
    row = int(np.flatnonzero(sheet.questions.id == question)[0])
    address = reverse("board-configuration", args=[project.slug, sheet.entries[column].slug])
    return f"{address}?page={row // PER_PAGE + 1}#answer-{answer}"


def with_errata(project: Project, sheet: Sheet, shown: list[Output]) -> list[Output]:
    for output in shown:
        output.erratum = erratum_address(project, sheet, output)
    return shown


def erratum_address(project: Project, sheet: Sheet, output: Output) -> str:
    """Where a fault of a question is reported, with the answer that shows it; "" where nobody takes reports."""
    if output.question is None:
        return ""
    try:
        address = reverse("erratum-report", args=[project.slug, sheet.set_slug, sheet.version, output.question.pk])
    except NoReverseMatch:
        return ""
    return f"{address}?answer={output.answer.pk}" if output.answer else address


def without_page(request: SignedInRequest) -> str:
    kept = request.GET.copy()
    kept.pop("page", None)
    return kept.urlencode()


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report(request: SignedInRequest, slug: str, configuration: str) -> HttpResponse:
    """One model as a file that stands alone; one about many questions is a job that is begun by POST. Held-back texts
    are in no file."""
    project, sheet = fetch_sheet(request, slug, "answers.read")
    if sheet.column(configuration) is None:
        raise Http404
    if is_long(sheet):
        if request.method != "POST":
            return redirect("board-configuration", project.slug, configuration)
        return redirect("job", project.slug, begin(project, sheet, configuration, request.user).uuid)
    return taken(project, sheet, configuration, request.user)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: SignedInRequest, slug: str) -> HttpResponse:
    """What is ranked, by whose judgement, and who may read it."""
    project = fetch_project(request.user, slug, "project.edit")
    board = board_for(project)
    form = BoardForm(project, request.POST or None, instance=board)
    if request.method == "POST" and store(form, request.user):
        messages.success(request, _("The board is saved."))
        return redirect("board-settings", project.slug)
    context = {"project": project, "form": form, "stored": board if board.pk and not board._state.adding else None}
    status = 422 if form.errors else 200
    return render(request, "reports/leaderboard/settings.html", context, status=status)
