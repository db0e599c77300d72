"""Named snapshots of gold: taken, listed, downloaded, compared; the same for programs."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from jobs.api.jobs import JobWithResultSerializer, accepted
from projects.access import fetch_project
from projects.api.access import ProjectView
from projects.api.access import SignedInRequest as ApiRequest
from projects.audit import record
from projects.models import Project, User
from projects.problems import Invalid
from projects.requests import SignedInRequest
from reports.gold.exporting import JSON_LINES
from reports.gold.formats import format_of, gold_areas
from reports.gold.snapshot_jobs import PERMISSION, is_compared_at_once, prepare_changes, prepare_snapshot
from reports.gold.snapshots import changes_since, content_of
from reports.models import GoldSnapshot

#: The later snapshot; left out, the gold as it is now.
UNTIL = "until"
#: So many keys of each kind stand on the page; programs and the command give all.
SHOWN = 200


@require_POST
@login_required
def snapshot_take(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, PERMISSION)
    chosen = format_of(project, request.POST.get("of", ""))
    try:
        job = prepare_snapshot(project, chosen, request.POST.get("name", ""), request.user)
    except Invalid as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
        return redirect("gold", slug)
    return redirect("job", slug, job.uuid)


@require_safe
@login_required
def snapshot_file(request: SignedInRequest, slug: str, pk: int) -> StreamingHttpResponse:
    project = fetch_project(request.user, slug, PERMISSION)
    return streamed(of_project(project, pk), request.user if request.method == "GET" else None, "page")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def snapshot_changes(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """What has changed since; of large files a worker writes it, once somebody asks for it."""
    project = fetch_project(request.user, slug, PERMISSION)
    since = of_project(project, pk)
    until = later_one(since, request.POST.get(UNTIL, "") or request.GET.get(UNTIL, ""))
    if request.method == "POST":
        return redirect("job", slug, prepare_changes(since, until, request.user).uuid)
    at_once = is_compared_at_once(since, until)
    context: dict[str, Any] = {
        "project": project,
        "since": since,
        "until": until,
        "others": project.gold_snapshots.filter(area=since.area).exclude(pk=since.pk),
        "at_once": at_once,
        "shown": f":{SHOWN}",
        "changes": changes_since(since, until) if at_once else None,
    }
    return render(request, "reports/gold_changes.html", context)


def of_project(project: Project, pk: int) -> GoldSnapshot:
    return get_object_or_404(GoldSnapshot, project=project, pk=pk)


def later_one(since: GoldSnapshot, asked: str) -> GoldSnapshot | None:
    """Raises Http404 for what is no snapshot of the same gold."""
    if not asked:
        return None
    if not asked.isascii() or not asked.isdigit() or len(asked) > 18:
        raise Http404
    return get_object_or_404(GoldSnapshot, project=since.project_id, area=since.area, pk=int(asked))


def streamed(snapshot: GoldSnapshot, by: User | None, via: str) -> StreamingHttpResponse:
    """The file as it was stored, and in the audit log who took it."""
    if by is not None:
        about = {"via": via, "snapshot": snapshot.name, "sha256": snapshot.sha256}
        record("gold.exported", actor=by, project=snapshot.project, subject=snapshot.area, **about)
    response = StreamingHttpResponse(content_of(snapshot), content_type=JSON_LINES)
    response["Content-Length"] = str(snapshot.size)
    name = f"{snapshot.project.slug}-gold-{snapshot.pk}.jsonl"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


class SnapshotSerializer(serializers.ModelSerializer):
    """`sha256` is that of the whole file, `size` its bytes."""

    class Meta:
        model = GoldSnapshot
        fields = ["id", "area", "name", "made_at", "sha256", "size", "lines", "responses"]
        read_only_fields = ["id", "area", "made_at", "sha256", "size", "lines", "responses"]
        validators: list[Any] = []  # a name that is taken is told by the act itself


class ChangesSerializer(serializers.Serializer):
    added = serializers.ListField(child=serializers.CharField())
    removed = serializers.ListField(child=serializers.CharField())
    changed = serializers.ListField(child=serializers.CharField())
    unchanged = serializers.IntegerField()


class GoldSnapshots(ProjectView):
    """The snapshots of gold, the newest first; POST takes one: its answer names the job."""

    permission = PERMISSION

    @extend_schema(operation_id="projects_gold_snapshots_list", responses=SnapshotSerializer(many=True))
    def get(self, request: ApiRequest, slug: str) -> Response:
        return Response(SnapshotSerializer(self.project.gold_snapshots.all(), many=True).data)

    @extend_schema(
        operation_id="projects_gold_snapshots_create",
        parameters=[OpenApiParameter("of", enum=gold_areas(), description="Which kind of gold")],
        request=SnapshotSerializer,
        responses={202: JobWithResultSerializer},
    )
    def post(self, request: ApiRequest, slug: str) -> Response:
        asked = SnapshotSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        chosen = format_of(self.project, request.query_params.get("of", ""))
        try:
            job = prepare_snapshot(self.project, chosen, asked.validated_data["name"], request.user)
        except Invalid as refused:
            raise ValidationError({"problems": [problem.as_json() for problem in refused.problems]}) from None
        return accepted(job, request)


class GoldSnapshotFile(ProjectView):
    """The file of a snapshot, as it was stored."""

    permission = PERMISSION

    @extend_schema(
        operation_id="projects_gold_snapshots_file",
        responses={(200, JSON_LINES): OpenApiResponse(OpenApiTypes.BINARY, description="The file")},
    )
    def get(self, request: ApiRequest, slug: str, pk: int) -> StreamingHttpResponse:
        return streamed(of_project(self.project, pk), request.user if request.method == "GET" else None, "api")


class GoldSnapshotChanges(ProjectView):
    """What has changed since a snapshot, as keys of lines: up to another one, else up to the gold as it is now.

    Large files are compared by a worker: the answer is then its job (202), whose `file` has the same as JSON.
    """

    permission = PERMISSION

    @extend_schema(
        operation_id="projects_gold_snapshots_changes",
        parameters=[OpenApiParameter(UNTIL, int, description="id of the later snapshot; left out: the gold as it is")],
        responses={200: ChangesSerializer, 202: JobWithResultSerializer},
    )
    def get(self, request: ApiRequest, slug: str, pk: int) -> Response:
        since = of_project(self.project, pk)
        until = later_one(since, request.query_params.get(UNTIL, ""))
        if is_compared_at_once(since, until):
            return Response(changes_since(since, until).as_json())
        return accepted(prepare_changes(since, until, request.user), request)
