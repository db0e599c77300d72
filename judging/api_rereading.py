"""Reading replies again, for programs."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from judging.api import RunView, refusal
from judging.rereading import Rereading, plan_rereading, reread
from projects.api.access import SignedInRequest
from projects.problems import Invalid


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


def as_json(found: Rereading) -> dict:
    changes = [{"before": old, "after": new, "calls": n} for (old, new), n in found.changes.most_common()]
    numbers = {"same": found.same, "changed": found.changed, "held": found.held}
    return {**numbers, "changes": changes, "cannot": dict(found.cannot)}


class RunReread(RunView):
    """What reading the stored replies of a run again would change; POST does it. Nobody is asked anything."""

    @extend_schema(responses=RereadingSerializer)
    def get(self, request: Request, slug: str, uuid: UUID) -> Answer:
        try:
            return Answer(as_json(plan_rereading(self.run(uuid))))
        except Invalid as invalid:
            return refusal(invalid)

    @extend_schema(request=None, responses=RereadingSerializer)
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Answer:
        try:
            return Answer(as_json(reread(self.run(uuid), by=request.user)))
        except Invalid as invalid:
            return refusal(invalid)
