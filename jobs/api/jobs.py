"""What is done in the background of a project, for programs."""

from typing import Any
from uuid import UUID

from django.http import Http404, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs import listing
from jobs.downloads import download, file_of
from jobs.kinds import job_kind
from jobs.listing import Entry, Source
from jobs.models import Job, JobState
from projects.access import may
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid


class StoredFileSerializer(serializers.Serializer):
    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()
    expires_at = serializers.DateTimeField()
    url = serializers.CharField()


class JobSerializer(serializers.Serializer):
    """One thing that is done in the background. `done` of `total` parts; `waits` says in words for what it waits;
    `verbs` are those that are possible now."""

    uuid = serializers.UUIDField()
    kind = serializers.CharField()
    about = serializers.CharField()
    state = serializers.ChoiceField(choices=JobState.choices)
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    sentence = serializers.CharField()
    waits = serializers.CharField()
    problem = serializers.CharField()
    verbs = serializers.ListField(child=serializers.ChoiceField(choices=listing.VERBS))


class JobWithResultSerializer(JobSerializer):
    """`result` is what the kind of job says of what it did, null before its end; `file` is what it made."""

    result = serializers.JSONField(allow_null=True, required=False)
    file = StoredFileSerializer(allow_null=True, required=False)


def with_result(row: Any, entry: Entry) -> dict[str, Any]:
    about_it = dict(JobSerializer(entry).data)
    if not isinstance(row, Job):
        return about_it
    file = file_of(row)
    assert row.project is not None  # it was found by its project
    about_file = file and {
        "name": file.name,
        "size": file.size,
        "sha256": file.sha256,
        "expires_at": file.expires_at,
        "url": reverse("api-job-file", args=[row.project.slug, row.uuid]),
    }
    return {**about_it, "result": row.result if row.is_over else None, "file": about_file}


def accepted(job: Job, request: Request) -> Response:
    """202: a worker does it, and `Location` says where to look."""
    assert job.project is not None  # what programs ask for belongs to a project
    address = reverse("api-job", args=[job.project.slug, job.uuid])
    answer = Response(with_result(job, listing.entry_of(job)), status.HTTP_202_ACCEPTED)
    answer["Location"] = request.build_absolute_uri(address)
    return answer


class Pages(PageNumberPagination):
    page_size = listing.PER_PAGE


class JobList(ProjectView, ListAPIView):
    """What is done in the background of a project, the newest first. A run of a judge is listed as one, not by its
    parts."""

    permission = "jobs.run"
    serializer_class = JobSerializer
    pagination_class = Pages
    filter_backends = ()

    @extend_schema(
        operation_id="projects_jobs_list",
        parameters=[
            OpenApiParameter("state", OpenApiTypes.STR, enum=JobState.values),
            OpenApiParameter("kind", OpenApiTypes.STR, description="such as import, gold_export, judge_run"),
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request, *args, **kwargs)

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return Job.objects.none()
        asked = {name: self.request.query_params.get(name, "") for name in ("state", "kind")}
        for name, known in (("state", JobState.values), ("kind", listing.kinds())):
            if asked[name] and asked[name] not in known:
                message = _("One of these is expected: %(kinds)s.") % {"kinds": ", ".join(known)}
                raise serializers.ValidationError({name: message})
        return listing.Listing(self.project, **asked)


class JobView(ProjectView, APIView):
    permission = "jobs.run"

    def look_up(self, uuid: UUID) -> tuple[Source, Any]:
        match = listing.look_up(self.project, uuid)
        if match is None:
            raise Http404
        return match


class JobDetail(JobView):
    """One job: how far it is, for what it waits, what came of it."""

    @extend_schema(responses=JobWithResultSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Response:
        source, row = self.look_up(uuid)
        return Response(with_result(row, source.entries([row])[0]))


class JobAct(JobView):
    """Pause, resume, cancel, or try again. What is not possible in its state changes nothing (409),
    nor what more would be spent for than there is (422)."""

    verb = ""

    @extend_schema(request=None, responses={200: JobWithResultSerializer, 409: JobWithResultSerializer})
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        source, row = self.look_up(uuid)
        if not may(request.user, self.project, source.permission_for(row)):
            raise Http404
        try:
            is_done = source.act(row, self.verb, request.user)
        except Invalid as invalid:
            return refusal(invalid)
        row.refresh_from_db()
        return Response(with_result(row, source.entries([row])[0]), status=200 if is_done else 409)


class AnyMedia(BaseRenderer):
    """Lets any media type be asked for; the file comes as it is, and errors as JSON."""

    media_type = "*/*"
    format = "file"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return JSONRenderer().render(data)


class JobFile(JobView):
    """The file that a job made. `Repr-Digest` holds its SHA-256."""

    renderer_classes = [AnyMedia]

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY)})
    def get(self, request: SignedInRequest, slug: str, uuid: UUID) -> StreamingHttpResponse:
        row = self.look_up(uuid)[1]
        if not isinstance(row, Job) or not may(request.user, self.project, job_kind(row.kind).permission):
            raise Http404
        return download(row, by=request.user if request.method == "GET" else None)
