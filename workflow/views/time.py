"""Working time: one's own page, and the lead's, with corrections and the rules by which it is counted."""

from datetime import date, timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from projects.access import fetch_project, fetch_rater
from projects.audit import record
from projects.models import Project, Rater
from projects.problems import Invalid
from projects.requests import SignedInRequest
from projects.spreadsheets import csv_response
from projects.zones import learn_zone, monday_of, today_in, zone_of
from workflow import correcting_time, working_time
from workflow.forms import AskAboutTimeForm, CorrectTimeForm, DecideTimeForm, OwnLimitsForm, TimeRulesForm
from workflow.models import Activity, OwnLimits, TimeCorrection, TimeRules
from workflow.time_sheets import CSV_COLUMNS, Day, csv_rows, sheet, sheets, total
from workflow.views.calls import json_call, read_json
from workflow.working_time import rules_of

WEEKS_SHOWN = 4
# Questions of people about their time on one page; what is answered makes room.
MOST_ASKED = 50


@require_safe
@never_cache
@login_required
def my_time(request: SignedInRequest, slug: str) -> HttpResponse:
    """Today, this week, the days of the last four weeks, and by which rules they are counted."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    return render(request, "workflow/time/mine.html", own_context(project, rater))


def own_context(project: Project, rater: Rater) -> dict:
    zone, rules = zone_of(rater.user), rules_of(project)
    today = today_in(zone)
    monday = monday_of(today)
    days = sheet(rater, monday - timedelta(weeks=WEEKS_SHOWN - 1), today)
    form = AskAboutTimeForm(initial={"day": today}, latest=today)
    return {
        "project": project,
        "rules": rules,
        "zone": zone.key,
        "days": days,
        "today": total([day for day in days if day.day == today], rules),
        "week": total([day for day in days if day.day >= monday], rules),
        "shown": total(days, rules),
        "weeks": WEEKS_SHOWN,
        "form": form,
        "limits": OwnLimitsForm(instance=OwnLimits.objects.filter(rater=rater).first()),
    }


@require_POST
@login_required
def own_limits(request: SignedInRequest, slug: str) -> HttpResponse:
    """The most of a day that a person wants; nobody else is shown it."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    row = OwnLimits.objects.filter(rater=rater).first() or OwnLimits(rater=rater)
    form = OwnLimitsForm(request.POST, instance=row)
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("my-time", slug)
    return render(request, "workflow/time/mine.html", own_context(project, rater) | {"limits": form}, status=422)


@require_POST
@login_required
def ask(request: SignedInRequest, slug: str) -> HttpResponse:
    """The time of a day is contested; the lead's answer stands beside the day."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    form = AskAboutTimeForm(request.POST, latest=today_in(zone_of(rater.user)))
    if form.is_valid():
        try:
            correcting_time.ask(rater, form.cleaned_data["day"], form.cleaned_data["request"])
        except Invalid as invalid:
            form.add_problems(invalid)
        else:
            messages.success(request, _("Your lead will answer. Until then the time stands as it is."))
            return redirect("my-time", slug)
    return render(request, "workflow/time/mine.html", own_context(project, rater) | {"form": form}, status=422)


@require_safe
@login_required
def my_time_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    today = today_in(zone_of(rater.user))
    days = sheet(rater, min(today, rater.created_at.date()) - timedelta(days=1), today)
    return csv_response(f"{slug}-my-time", CSV_COLUMNS, csv_rows(rater.pseudonym, days, rules_of(project)))


@json_call("POST")
def reading_signs(request: SignedInRequest, slug: str, activity: str) -> HttpResponse:
    """Signs of life on a quiz or the guidelines. Told again, or where the project counts none, they add nothing."""
    project = fetch_project(request.user, slug, "work.claim")
    rater, payload, now = fetch_rater(request.user, project), read_json(request), timezone.now()
    if activity not in (Activity.QUIZ, Activity.GUIDELINES):
        raise Http404
    told = working_time.read_signs(payload, now)
    learn_zone(request.user, payload.get("zone"))
    return JsonResponse({"seconds": working_time.record_reading(rater, activity, told, now)})


@require_safe
@login_required
def team_time(request: SignedInRequest, slug: str) -> HttpResponse:
    """Everybody's weeks, what is asked about them, and how to correct a day."""
    project = fetch_project(request.user, slug, "answers.reopen")
    return render(request, "workflow/time/team.html", team_context(project))


def team_context(project: Project) -> dict:
    rules = rules_of(project)
    last = date.today() + timedelta(days=1)  # somewhere it is tomorrow already
    first = monday_of(last) - timedelta(weeks=WEEKS_SHOWN - 1)
    people = [(rater, total(days, rules), days) for rater, days in sheets(project, first, last)]
    asked = TimeCorrection.objects.filter(rater__project=project, decided_at=None).select_related("rater__user")
    counted = {(rater.pk, day.day): day for rater, _sum, days in people for day in days}
    return {
        "project": project,
        "rules": rules,
        "people": people,
        "asked": [
            (
                each,
                # A question makes its day one of the sheet; only about days before those shown is anything asked anew.
                counted.get((each.rater_id, each.day)) or counted_on(each),
                DecideTimeForm(prefix=f"asked-{each.pk}"),
            )
            for each in asked[:MOST_ASKED]
        ],
        "form": CorrectTimeForm(project=project),
        "weeks": WEEKS_SHOWN,
    }


def counted_on(correction: TimeCorrection) -> Day:
    """The day as it is counted now."""
    days = sheet(correction.rater, correction.day, correction.day)
    return days[0] if days else Day(correction.day)


@require_safe
@login_required
def team_time_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.reopen")
    rules = rules_of(project)
    first = project.created_at.date() - timedelta(days=1)
    rows = (
        row
        for rater, days in sheets(project, first, date.today() + timedelta(days=1))
        for row in csv_rows(rater.pseudonym, days, rules)
    )
    return csv_response(f"{slug}-working-time", CSV_COLUMNS, rows)


@require_POST
@login_required
def decide(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.reopen")
    asked = get_object_or_404(TimeCorrection.objects.select_related("rater__project"), pk=pk, rater__project=project)
    form = DecideTimeForm(request.POST, prefix=f"asked-{pk}")
    if form.is_valid():
        correcting_time.decide(asked, form.cleaned_data["minutes"], form.cleaned_data["reason"], request.user)
        messages.success(request, _("Answered. The person reads it beside the day."))
        return redirect("working-time", slug)
    context = team_context(project)
    context["asked"] = [(each, day, form if each.pk == pk else own) for each, day, own in context["asked"]]
    return render(request, "workflow/time/team.html", context, status=422)


@require_POST
@login_required
def correct(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "answers.reopen")
    form = CorrectTimeForm(request.POST, project=project)
    if form.is_valid():
        given = form.cleaned_data
        correcting_time.correct(given["rater"], given["day"], given["minutes"], given["reason"], request.user)
        messages.success(request, _("Corrected. The person reads it beside the day."))
        return redirect("working-time", slug)
    return render(request, "workflow/time/team.html", team_context(project) | {"form": form}, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def rules(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "project.edit")
    form = TimeRulesForm(
        request.POST if request.method == "POST" else None,
        instance=TimeRules.objects.filter(project=project).first() or TimeRules(project=project),
    )
    if form.is_valid():
        form.save()
        record("time.rules_changed", actor=request.user, project=project, subject=slug, fields=form.changed_data)
        messages.success(request, _("Saved."))
        return redirect("working-time", slug)
    context = {"project": project, "form": form}
    return render(request, "workflow/time/rules.html", context, status=422 if form.errors else 200)
