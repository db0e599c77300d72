"""Screening for programs."""

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response

from formats.project_file.api import DRY_RUN, REFUSED, AsYaml, Body, body_of, is_dry_run
from formats.project_file.pages import CONTENT_TYPE
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid, Problem
from screening.access import fetch_quiz
from screening.background.counting import counted, rows_of
from screening.models import Quiz
from screening.quiz import files


class Background(ProjectView):
    """How many people gave each answer about themselves: cells of five or more (docs/screening.md)."""

    permission = "people.read"

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        return Response({"cells": rows_of(counted(self.project))})


class Quizzes(ProjectView):
    """The quizzes of a project, each with the id by which its file is asked for."""

    permission = "project.edit"

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        rows = Quiz.objects.filter(stage__project=self.project).select_related("stage")
        listed = [
            {
                "id": quiz.pk,
                "stage": quiz.stage.name,
                "language": quiz.language,
                "step": quiz.step,
                "open": quiz.is_open,
            }
            for quiz in rows.order_by("stage__position", "stage__pk", "step", "language")
        ]
        return Response({"quizzes": listed})


class QuizFile(ProjectView):
    """A quiz as a file (YAML, mizan.quiz/1): docs/screening.md."""

    permission = "project.edit"

    def get_renderers(self) -> list[BaseRenderer]:
        return [AsYaml()]

    @extend_schema(responses={(200, CONTENT_TYPE): OpenApiTypes.STR})
    def get(self, request: SignedInRequest, slug: str, quiz_id: int) -> Response:
        return Response(files.file_of(fetch_quiz(self.project, quiz_id)))


class QuizFiles(ProjectView):
    """Bring a quiz into a stage."""

    permission = "project.edit"
    parser_classes = [Body]

    @extend_schema(
        parameters=[DRY_RUN, OpenApiParameter("stage", OpenApiTypes.STR, required=True, description="its name")],
        request={CONTENT_TYPE: OpenApiTypes.STR},
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "Its id, and what was left out"), 422: REFUSED},
    )
    def put(self, request: SignedInRequest, slug: str) -> Response:
        """Make the quiz of the file's language and step what the file says; a new one is closed."""
        name = request.query_params.get("stage", "")
        stage = self.project.stages.filter(name=name.replace("\0", "")).first()
        if stage is None:
            message = _("The project has no stage “%(name)s”.") % {"name": name}
            return refusal(Invalid(Problem("unknown", message, "stage")))
        stage.project = self.project
        dry_run = is_dry_run(request)
        try:
            quiz, notes = files.bring_in(stage, body_of(request), request.user, dry_run=dry_run)
        except Invalid as invalid:
            return refusal(invalid)
        return Response({"id": None if dry_run else quiz.pk, "notes": notes})
