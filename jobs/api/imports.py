"""Import for programs: the file as the body of the request, or as the part `file` of a form."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from formats.importing.registry import importers, said_beside
from formats.mapping.saved import for_kind, mapping_named
from formats.mapping.specification import MAX_FILE, read_mapping
from formats.readers.choosing import FORMATS, Reading, format_of
from jobs.api.jobs import JobSerializer, accepted
from jobs.api.waits import WAIT, awaited, wait_of
from jobs.files import blocks_of
from jobs.importing import begin_import, limit_in_megabytes, outcome_of
from jobs.models import Job
from projects.api.access import ProjectView, SignedInRequest
from projects.problems import Invalid, Problem


class Untouched(BaseParser):
    """Leaves the body a stream, to be read block by block."""

    media_type = "*/*"

    def parse(self, stream: IO, media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream


@dataclass(frozen=True, slots=True)
class Sent:
    name: str
    blocks: Iterable[bytes]


class ImportSerializer(serializers.Serializer):
    uuid = serializers.UUIDField()
    kind = serializers.CharField()
    name = serializers.CharField()
    imported_at = serializers.DateTimeField()
    taken_back_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.DictField(child=serializers.IntegerField())


class Imports(ProjectView):
    """Import a file: all of it (201), or nothing and every problem by line and field (422).

    A small file is answered with what came of it. A larger one becomes a job (202), whose address is in `Location`;
    with `wait` the answer is held back for so long, and is what came of it where it was over by then.
    """

    permission = "data.import"
    parser_classes = [MultiPartParser, Untouched]

    @extend_schema(responses=ImportSerializer(many=True))
    def get(self, request: SignedInRequest, slug: str) -> Response:
        """The files that came in last, up to a hundred."""
        return Response(ImportSerializer(self.project.imports.all()[:100], many=True).data)

    @extend_schema(
        parameters=[
            OpenApiParameter("kind", OpenApiTypes.STR, description="items (default) or answers"),
            OpenApiParameter("file_format", OpenApiTypes.STR, enum=FORMATS),
            OpenApiParameter(
                "delimiter", OpenApiTypes.STR, description="what sets columns apart; else it is found out"
            ),
            OpenApiParameter("mapping", OpenApiTypes.STR, description="name of a saved mapping"),
            OpenApiParameter("sheet", OpenApiTypes.STR, description="of a workbook; else the first"),
            OpenApiParameter("set", OpenApiTypes.STR, description="of benchmarks: the question set it belongs to"),
            OpenApiParameter(
                "variety", OpenApiTypes.STR, description="of benchmark questions: that of lines that name none"
            ),
            OpenApiParameter(
                "configuration", OpenApiTypes.STR, description="of benchmark answers: that of lines that name none"
            ),
            OpenApiParameter("dry_run", OpenApiTypes.BOOL, description="1: everything but storing"),
            WAIT,
        ],
        request={"application/jsonl": OpenApiTypes.BINARY},
        responses={
            201: OpenApiResponse(OpenApiTypes.OBJECT, "Stored"),
            200: OpenApiResponse(OpenApiTypes.OBJECT, "A dry run without problems"),
            202: OpenApiResponse(JobSerializer, "A worker imports it; Location is the address of the job"),
            422: OpenApiResponse(OpenApiTypes.OBJECT, "Refused; nothing was stored"),
        },
    )
    def post(self, request: SignedInRequest, slug: str) -> Response:
        kind = request.query_params.get("kind", "items")
        if kind not in importers():
            return not_a_choice("kind", importers())
        try:
            wait = wait_of(request)
        except ValidationError as refused:
            problem = Problem("not_a_number", str(refused.detail[WAIT.name]), WAIT.name)  # type: ignore[call-overload]
            return refusal(problem, status.HTTP_400_BAD_REQUEST)
        if int(request.META.get("CONTENT_LENGTH") or 0) > settings.IMPORT_MAX_BYTES:
            message = _("The file is larger than %(limit)d MB. Use the command import_items or import_answers.")
            problem = Problem("file_too_large", message % {"limit": limit_in_megabytes()})
            return refusal(problem, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        sent = sent_with(request)
        if sent is None:
            return refusal(Problem("missing", _("The form has no part “file”."), "file"), status.HTTP_400_BAD_REQUEST)
        file_format = request.query_params.get("file_format", format_of(sent.name))
        if file_format not in FORMATS:
            return not_a_choice("file_format", FORMATS)
        is_dry_run = request.query_params.get("dry_run", "").lower() in ("1", "true")
        delimiter = request.query_params.get("delimiter", "")
        if len(delimiter) > 1 or delimiter in ('"', "\r", "\n"):
            message = _("What sets columns apart is one character.")
            return refusal(Problem("not_a_choice", message, "delimiter"), status.HTTP_400_BAD_REQUEST)
        try:
            mapping = self.mapping(request, kind)
        except Invalid as problems:
            return refusals(problems)
        job = begin_import(
            self.project,
            sent.blocks,
            sent.name,
            kind,
            file_format,
            dry_run=is_dry_run,
            by=request.user,
            mapping=mapping,
            beside=said_beside(kind, request.query_params, parts_of(request)),
            reading=Reading(delimiter, request.query_params.get("sheet", "")),
        )
        return answer(awaited(job, wait), request)

    def mapping(self, request: Request, kind: str) -> dict[str, Any] | None:
        """A saved one by its name, or the part `mapping` of the form beside the file. Raises Invalid."""
        name = request.query_params.get("mapping")
        if name:
            return mapping_named(self.project, name, kind)
        is_form = request.content_type.startswith("multipart/")
        sent = request.FILES.get("mapping") or request.POST.get("mapping") if is_form else None
        if not sent:
            return None
        return for_kind(read_mapping(sent if isinstance(sent, str) else sent.read(MAX_FILE + 1)), kind)


def parts_of(request: Request) -> dict[str, str]:
    """The texts of a form beside its file, also where they came as files: a rule map is mostly one."""
    if not request.content_type.startswith("multipart/"):
        return {}
    files = {
        name: part.read(MAX_FILE).decode(errors="replace") for name, part in request.FILES.items() if name != "file"
    }
    return {**files, **request.POST.dict()}


def sent_with(request: Request) -> Sent | None:
    if request.content_type.startswith("multipart/"):
        file = request.FILES.get("file")
        return Sent(file.name, file.chunks()) if file else None
    body: Any = request.data  # the stream that Untouched leaves
    return Sent("request", blocks_of(body))


def answer(job: Job, request: Request) -> Response:
    outcome = outcome_of(job)
    if outcome is None and job.is_over:  # it never came to reading the file
        problem = Problem("not_imported", job.problem or str(job.get_state_display()))
        return refusal(problem, status.HTTP_422_UNPROCESSABLE_ENTITY)
    if outcome is None:
        return accepted(job, request)
    if outcome.is_stored and outcome.is_clean:
        return Response(outcome.as_json(), status.HTTP_201_CREATED)
    good = status.HTTP_200_OK
    return Response(outcome.as_json(), good if outcome.is_clean else status.HTTP_422_UNPROCESSABLE_ENTITY)


def not_a_choice(field: str, choices: Iterable[str]) -> Response:
    message = _("One of these is expected: %(kinds)s.") % {"kinds": ", ".join(choices)}
    return refusal(Problem("not_a_choice", message, field), status.HTTP_400_BAD_REQUEST)


def refusals(problems: Invalid) -> Response:
    said = [problem.as_json() for problem in problems.problems]
    return Response(
        {"stored": False, "problem_count": len(said), "problems": said}, status.HTTP_422_UNPROCESSABLE_ENTITY
    )


def refusal(problem: Problem, code: int) -> Response:
    return Response({"stored": False, "problem_count": 1, "problems": [problem.as_json()]}, code)
