"""Who trained a model, as the project has it, settled by programs."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from projects.api.access import ProjectView, SignedInRequest
from projects.laboratories import models_of, settle
from projects.models import Laboratory, TargetModel
from projects.own_laboratories import touched


class ModelField(serializers.SlugRelatedField):
    """One of the target models with responses in the project of the context."""

    def get_queryset(self) -> QuerySet[TargetModel]:
        return models_of(self.context["project"])


class SettlingSerializer(serializers.Serializer):
    """A target model with responses in the project by name, a laboratory by its short name."""

    model = ModelField("name", queryset=TargetModel.objects.all())
    laboratory = serializers.SlugRelatedField("slug", queryset=Laboratory.objects.order_by("name"))
    dry_run = serializers.BooleanField(default=False)


class LeftOutSerializer(serializers.Serializer):
    judge = serializers.CharField()
    answers = serializers.IntegerField()


class SettledSerializer(serializers.Serializer):
    """`left_out`: judges of that laboratory that have judged the model, and how many answers figures leave out."""

    model = serializers.CharField()
    laboratory = serializers.CharField()
    left_out = LeftOutSerializer(many=True)


class LaboratorySettling(ProjectView):
    permission = "project.edit"

    @extend_schema(request=SettlingSerializer, responses=SettledSerializer)
    def post(self, request: SignedInRequest, slug: str) -> Response:
        """Settle whose model this is in the project, or with `dry_run` say which answers figures would leave out."""
        said = SettlingSerializer(data=request.data, context={"project": self.project})
        said.is_valid(raise_exception=True)
        model, laboratory = said.validated_data["model"], said.validated_data["laboratory"]
        left_out = [{"judge": judge, "answers": n} for judge, n in touched(self.project, model, laboratory)]
        if not said.validated_data["dry_run"]:
            settle(self.project, model, laboratory, request.user)
        return Response({"model": model.name, "laboratory": laboratory.slug, "left_out": left_out})
