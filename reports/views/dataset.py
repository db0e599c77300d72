"""Gold and raw answers as one data set: asked for by page and by programs, written by a worker."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from jobs.api.jobs import JobWithResultSerializer, accepted
from projects.access import fetch_project
from projects.api.access import ProjectView
from projects.api.access import SignedInRequest as ApiRequest
from projects.requests import SignedInRequest
from reports.dataset.exporting import PERMISSION, prepare


@require_POST
@login_required
def dataset_prepare(request: SignedInRequest, slug: str) -> HttpResponse:
    """Begin the data set, or go to the one that is being written."""
    project = fetch_project(request.user, slug, PERMISSION)
    with_held_back = bool(request.POST.get("with_held_back"))
    return redirect("job", slug, prepare(project, request.user, with_held_back=with_held_back).uuid)


class DatasetSerializer(serializers.Serializer):
    """`with_held_back` takes rows about held-back questions in, each marked; they are left out by default."""

    with_held_back = serializers.BooleanField(default=False)


class DatasetFiles(ProjectView):
    """Prepare the data set as a zip file: the answer names the job, whose `file` has the address, size and SHA-256."""

    permission = PERMISSION

    @extend_schema(
        operation_id="projects_dataset_create", request=DatasetSerializer, responses={202: JobWithResultSerializer}
    )
    def post(self, request: ApiRequest, slug: str) -> Response:
        asked = DatasetSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        return accepted(prepare(self.project, request.user, **asked.validated_data), request)
