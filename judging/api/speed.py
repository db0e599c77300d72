"""Measuring speed, for programs."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from benchmark.models import SpeedMeasurement
from jobs.api.jobs import JobWithResultSerializer, accepted
from judging.api.runs import Newest
from judging.speed.jobs import begin_measuring
from judging.speed.measuring import CALLS, WARM_UP, How, passes_of, speed_of
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid


class SpeedSerializer(serializers.ModelSerializer):
    """A pass that came to its end: words and characters a second as totals over total seconds, and the seconds to the
    first token in the middle and at the 95th percentile; null where the server does not stream."""

    configuration = serializers.CharField(source="configuration.slug")
    calls = serializers.SerializerMethodField()
    words_per_second = serializers.SerializerMethodField()
    characters_per_second = serializers.SerializerMethodField()
    first_token_p50 = serializers.SerializerMethodField()
    first_token_p95 = serializers.SerializerMethodField()

    class Meta:
        model = SpeedMeasurement
        fields = [
            *("configuration", "is_local", "hardware", "batch_size", "warm_up_calls", "began_at", "ended_at", "calls"),
            *("words_per_second", "characters_per_second", "first_token_p50", "first_token_p95"),
        ]

    def to_representation(self, instance: SpeedMeasurement) -> dict[str, Any]:
        self.speed = speed_of(instance)
        return super().to_representation(instance)

    def get_calls(self, measurement: SpeedMeasurement) -> int:
        return self.speed.words_per_second.n

    def get_words_per_second(self, measurement: SpeedMeasurement) -> float | None:
        return self.speed.words_per_second.value

    def get_characters_per_second(self, measurement: SpeedMeasurement) -> float | None:
        return self.speed.characters_per_second.value

    def get_first_token_p50(self, measurement: SpeedMeasurement) -> float | None:
        return self.speed.first_token_p50.value

    def get_first_token_p95(self, measurement: SpeedMeasurement) -> float | None:
        return self.speed.first_token_p95.value


class NewPassSerializer(serializers.Serializer):
    """Without `configurations` all that are asked through a provider. A local pass names its hardware."""

    configurations = serializers.ListField(child=serializers.CharField(), default=list)
    calls = serializers.IntegerField(default=CALLS)
    warm_up = serializers.IntegerField(default=WARM_UP)
    is_local = serializers.BooleanField(default=False)
    hardware = serializers.CharField(default="", allow_blank=True)


class SpeedPasses(ProjectView, ListAPIView):
    """Passes that came to their end, newest first. POST has configurations measured: a worker does it (202), one call
    after the other; while a pass of the project is under way, that one is the answer."""

    permission = "judges.run"
    serializer_class = SpeedSerializer
    pagination_class = Newest
    queryset = SpeedMeasurement.objects.none()

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return SpeedMeasurement.objects.none()
        return passes_of(self.project)

    @extend_schema(request=NewPassSerializer, responses={202: JobWithResultSerializer, 422: OpenApiTypes.OBJECT})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        serializer = NewPassSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        asked = dict(serializer.validated_data)
        slugs = asked.pop("configurations")
        try:
            return accepted(begin_measuring(self.project, slugs, How(**asked), request.user), request)
        except Invalid as invalid:
            return refusal(invalid)
