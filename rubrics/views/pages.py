"""The rubrics of a project: those in the making, those that are frozen, and one of them."""

import uuid

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from projects.requests import SignedInRequest
from rubrics.access import fetch_author
from rubrics.models import Rubric


@require_safe
@login_required
def rubrics(request: SignedInRequest, slug: str) -> HttpResponse:
    author = fetch_author(request.user, slug)
    return render(request, "rubrics/rubrics.html", {"project": author.project})


@require_safe
@login_required
def rubric(request: SignedInRequest, slug: str, rubric: uuid.UUID) -> HttpResponse:
    author = fetch_author(request.user, slug)
    found = get_object_or_404(Rubric, project=author.project, uuid=rubric)
    return render(request, "rubrics/rubric.html", {"project": author.project, "rubric": found})


revise = require_POST(rubric)
draft = rubric
