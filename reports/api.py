"""Results, for programs."""

import time

from django.http import Http404
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.jobs import JobWithResultSerializer, accepted
from jobs.api.waits import WAIT, wait_of
from jobs.models import Job
from projects.api.access import ProjectView, SignedInRequest
from projects.problems import Invalid
from reports.dashboard.dashboards import all_filters, as_json, asked_for, together
from reports.groups.page import GROUP_QUALITY
from reports.views.computing import status_of
from reports.warming import Asked, awaited


class Agreement(ProjectView):
    """Every table of the project's dashboards: figures with intervals, or the reason why there is none, and recipes.

    Labels and names of measures are English whatever language is asked for, so that programs can rely on them.
    Figures of many answers that are not kept yet are computed by a worker: the answer is then its job (202), and
    `Retry-After` says when to ask again; with `wait` the answer is held back for so long.
    """

    permission = "dashboard.read"

    @extend_schema(
        parameters=[
            OpenApiParameter("table", str, description="id of the one table to answer with"),
            WAIT,
            *(OpenApiParameter(name, str, description=about) for name, about in all_filters().items()),
        ],
        responses={
            200: OpenApiTypes.OBJECT,
            202: OpenApiResponse(JobWithResultSerializer, "A worker computes the figures"),
            500: OpenApiResponse(JobWithResultSerializer, "They could not be computed: the job says why"),
            503: OpenApiResponse(JobWithResultSerializer, "Somebody cancelled the job: `Retry-After` says when to ask"),
        },
    )
    def get(self, request: SignedInRequest, slug: str) -> Response:
        asked = request.query_params.dict()
        wanted = asked.pop("table", "")
        asked.pop(WAIT.name, None)
        until = time.monotonic() + wait_of(request)
        with translation.override("en"):
            try:
                dashboards = asked_for(self.project, asked)
            except Invalid as invalid:
                raise ValidationError({"problems": [problem.as_json() for problem in invalid.problems]}) from None
            outcomes = [
                awaited(Asked(dashboard, self.project, own), request.user, until - time.monotonic())
                for dashboard, own in dashboards
            ]
            waiting = [outcome for outcome in outcomes if isinstance(outcome, Job)]
            if waiting:
                # One that somebody cancelled, or that failed, is told of before those that others began.
                return come_again(next((job for job in waiting if job.is_over), waiting[0]), request)
            tables_of_areas = together([outcome.read() for outcome in outcomes if not isinstance(outcome, Job)])
        if wanted:
            tables_of_areas = [table for table in tables_of_areas if table.id == wanted]
            if not tables_of_areas:
                raise Http404
        return Response(as_json(self.project, tables_of_areas))


class GroupQuality(ProjectView):
    """The table of the quality of groups of people (docs/screening.md), in English; empty before there are groups. 202
    while a worker computes it, as for `Agreement`."""

    permission = "dashboard.read"

    @extend_schema(parameters=[WAIT], responses={200: OpenApiTypes.OBJECT, 202: JobWithResultSerializer})
    def get(self, request: SignedInRequest, slug: str) -> Response:
        with translation.override("en"):
            outcome = awaited(Asked(GROUP_QUALITY, self.project, {}), request.user, wait_of(request))
            if isinstance(outcome, Job):
                return come_again(outcome, request)
            return Response({"tables": [table.as_json() for table in outcome.read().tables]})


def come_again(job: Job, request: Request) -> Response:
    answer = accepted(job, request)
    answer.status_code, seconds = status_of(job)
    answer["Retry-After"] = str(seconds)
    return answer
