"""Reading replies again, for programs."""

from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.jobs import JobWithResultSerializer, accepted
from jobs.api.waits import WAIT, awaited, wait_of
from jobs.models import Job
from judging.api.runs import RunView
from judging.engine.rereading import plan_rereading
from judging.engine.rereading_jobs import begin_rereading, found_by, has_few_replies, newest_plan
from judging.models import Run
from projects.api.access import SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid, Problem


class ChangeSerializer(serializers.Serializer):
    before = serializers.CharField()
    after = serializers.CharField()
    calls = serializers.IntegerField()


class RereadingSerializer(serializers.Serializer):
    """Calls that say the same, that change (from which state to which), that stay because people have worked on what
    became of them, and that cannot be read again, by reason."""

    same = serializers.IntegerField()
    changed = serializers.IntegerField()
    changes = ChangeSerializer(many=True)
    held = serializers.IntegerField()
    cannot = serializers.DictField(child=serializers.IntegerField())


class RunReread(RunView):
    """What reading the stored replies of a run again would change; POST does it. Nobody is asked anything.

    Where the replies are many a worker does either: the answer is its job (202), whose address is in `Location`; with
    `wait` the answer is held back for so long, and is what came of it where it was over by then.
    """

    def run(self, uuid: UUID) -> Run:
        """Of a judge: what a target model says is read for nothing."""
        run = super().run(uuid)
        if run.judge is None:
            raise Http404
        return run

    @extend_schema(parameters=[WAIT], responses={200: RereadingSerializer, 202: JobWithResultSerializer})
    def get(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        run = self.run(uuid)
        wait_of(request)  # refused before anything is begun
        try:
            if has_few_replies(run):
                return Response(plan_rereading(run).as_json())
            planned = newest_plan(run) or begin_rereading(run, request.user, is_plan=True)
            return answer(planned, request)
        except Invalid as invalid:
            return refusal(invalid)

    @extend_schema(parameters=[WAIT], request=None, responses={200: RereadingSerializer, 202: JobWithResultSerializer})
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        wait_of(request)  # refused before anything is begun
        try:
            return answer(begin_rereading(self.run(uuid), request.user), request)
        except Invalid as invalid:
            return refusal(invalid)


def answer(job: Job, request: Request) -> Response:
    awaited(job, wait_of(request))
    rereading = found_by(job)
    if rereading is not None:
        return Response(rereading.as_json())
    if job.is_over:
        return refusal(Invalid(Problem("not_read_again", job.problem or str(job.get_state_display()))))
    return accepted(job, request)
