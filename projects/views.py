from django.contrib.auth.decorators import login_required
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.models import Project


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """For proxies and process managers: 200 once the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    projects = Project.objects.visible_to(request.user)
    return render(request, "projects/home.html", {"projects": projects})
