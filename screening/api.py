"""Screening for programs."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from projects.api.access import ProjectView, SignedInRequest
from screening.background.counting import counted, rows_of


class Background(ProjectView):
    """How many people gave each answer about themselves: cells of five or more (docs/screening.md)."""

    permission = "people.read"

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: SignedInRequest, slug: str) -> Response:
        return Response({"cells": rows_of(counted(self.project))})
