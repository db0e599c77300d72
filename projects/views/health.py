"""Whether it lives, whether it is ready, and in words for administrators how each part does."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from projects.health import ask_all, is_ready
from projects.processes import supervision
from projects.requests import SignedInRequest


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """For process managers: this process answers. Nothing else is asked, so that no outage gets it restarted."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """For proxies and monitors: 200 where every essential part is well, else 503; and how each part does."""
    reports = ask_all()
    parts = {
        report.part.name: {
            "ok": report.is_well,
            "state": report.code,
            "essential": report.part.is_essential,
            "seconds": round(report.seconds, 3),
        }
        for report in reports
    }
    status = "ready" if all(report.is_well for report in reports) else "limited"
    if not is_ready(reports):
        status = "not ready"
    return JsonResponse({"status": status, "parts": parts}, status=503 if status == "not ready" else 200)


@require_safe
@never_cache
@login_required
def page(request: SignedInRequest) -> HttpResponse:
    """The same parts for people; whoever administers the installation sees them."""
    if not request.user.is_superuser:
        raise Http404
    reports = ask_all()
    context = {
        "reports": reports,
        "is_ready": is_ready(reports),
        "unwell": [report for report in reports if not report.is_well],
        "programs": supervision().programs,
    }
    return render(request, "projects/health.html", context)
