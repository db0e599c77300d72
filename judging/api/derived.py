"""Texts that were made from responses, for programs."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from jobs.api.jobs import JobWithResultSerializer, accepted
from judging.deriving import cutting
from judging.deriving.steps import CUTS, MAX_LIMIT, add_cut, take
from projects.api.access import ProjectView, SignedInRequest
from projects.api.views import ById
from projects.derived import steps_of
from projects.models import Derivation, DerivationStep


class StepSerializer(serializers.ModelSerializer):
    """A step; `made` are its new texts, `same` responses that it left as they were."""

    made = serializers.IntegerField(read_only=True)
    same = serializers.IntegerField(read_only=True)

    class Meta:
        model = DerivationStep
        fields = ["id", "name", "change", "limit", "is_taken", "made", "same", "created_at"]
        read_only_fields = ["id", "name", "change", "limit", "created_at"]


class NewCutSerializer(serializers.Serializer):
    change = serializers.ChoiceField(choices=[str(change) for change in CUTS])
    limit = serializers.IntegerField(min_value=1, max_value=MAX_LIMIT)


class DerivationSerializer(serializers.ModelSerializer):
    """A text that was made from another: `edits` are [start, end, start, end] in code points of `derived_from` and of
    the new text; the text itself is the response of the id `response`, null where the step changed nothing."""

    step = serializers.CharField(source="step.name")
    response = serializers.CharField(source="response.key", default=None)
    derived_from = serializers.CharField(source="source.key")
    original = serializers.CharField(source="original.key")
    rater = serializers.CharField(source="rater.pseudonym", default=None)
    model = serializers.CharField(source="rater.model", default="")

    class Meta:
        model = Derivation
        fields = ["step", "response", "derived_from", "original", "rater", "model", "prompt", "edits", "created_at"]


class DerivationSteps(ProjectView, ListAPIView):
    """The steps of a project. POST cuts every response that was not cut so: at once where they are few (200), else by
    a worker (202)."""

    permission = "judges.run"
    serializer_class = StepSerializer
    pagination_class = ById
    queryset = DerivationStep.objects.none()

    def get_queryset(self) -> QuerySet[DerivationStep]:
        if getattr(self, "swagger_fake_view", False):
            return DerivationStep.objects.none()
        return steps_of(self.project)

    @extend_schema(request=NewCutSerializer, responses={200: StepSerializer, 202: JobWithResultSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        said = NewCutSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        step = add_cut(self.project, said.validated_data["change"], said.validated_data["limit"], by=request.user)
        job = cutting.begin(step, request.user)
        if job is not None:
            return accepted(job, request)
        return Response(StepSerializer(steps_of(self.project).get(pk=step.pk)).data)


class DerivationStepDetail(ProjectView):
    permission = "judges.run"

    @extend_schema(request=StepSerializer, responses=StepSerializer)
    def patch(self, request: SignedInRequest, slug: str, pk: int) -> Response:
        """Whether what is planned from now on takes the step's texts."""
        step = get_object_or_404(steps_of(self.project).select_related("project"), pk=pk)
        said = StepSerializer(step, data=request.data, partial=True)
        said.is_valid(raise_exception=True)
        take(step, said.validated_data.get("is_taken", step.is_taken), by=request.user)
        return Response(StepSerializer(step).data)


class DerivationList(ProjectView, ListAPIView):
    """What was made of responses, by whom, by which prompt, and where the texts differ."""

    permission = "answers.read"
    serializer_class = DerivationSerializer
    pagination_class = ById
    queryset = Derivation.objects.none()

    def get_queryset(self) -> QuerySet[Derivation]:
        if getattr(self, "swagger_fake_view", False):
            return Derivation.objects.none()
        rows = Derivation.objects.filter(step__project=self.project).select_related(
            "step", "response", "source", "original", "rater"
        )
        return rows.defer("response__text", "source__text", "original__text")
