"""Marks and ratings for other tools: asked for by page and by programs, written by a worker."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from jobs.api.jobs import JobWithResultSerializer, accepted
from projects.access import fetch_project
from projects.api.access import ProjectView
from projects.api.access import SignedInRequest as ApiRequest
from projects.api.refusals import refusal
from projects.problems import Invalid
from projects.requests import SignedInRequest
from reports.foreign_exporting import MARKS, PERMISSION, RATINGS, prepare


@require_POST
@login_required
def foreign_prepare(request: SignedInRequest, slug: str) -> HttpResponse:
    """Begin a file, or go to the one that is being written. `format` is its name, of ratings with a question type."""
    project = fetch_project(request.user, slug, PERMISSION)
    name, _space, question = request.POST.get("format", "").partition(" ")
    try:
        return redirect("job", slug, prepare(project, name, question, request.user).uuid)
    except Invalid as refused:
        messages.error(request, " ".join(problem.message for problem in refused.problems))
        return redirect("frames", slug)


class ForeignFileSerializer(serializers.Serializer):
    """`question` is the short name of the question type whose ratings are wanted, where the project has several."""

    format = serializers.CharField(help_text=", ".join((*MARKS, *RATINGS)))
    question = serializers.CharField(default="", allow_blank=True)


class ForeignFiles(ProjectView):
    """Prepare a file for another tool: marks or ratings in its format. The answer names the job, whose `file` has the
    address, size and SHA-256, and whose `result` says under `left_out` what the format cannot hold.
    """

    permission = PERMISSION

    @extend_schema(
        operation_id="projects_foreign_files_create",
        request=ForeignFileSerializer,
        responses={202: JobWithResultSerializer, 422: OpenApiTypes.OBJECT},
    )
    def post(self, request: ApiRequest, slug: str) -> Response:
        asked = ForeignFileSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        try:
            return accepted(prepare(self.project, said["format"], said["question"], request.user), request)
        except Invalid as problems:
            return refusal(problems)
