"""Judges of a project, for programs: which there are, and adding one."""

from collections.abc import Container, Iterable
from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from annotation.models import Span
from judging.api.runs import Newest
from judging.forms.judges import options_of_kinds
from judging.judges import add_judge
from judging.kinds.options import SENT
from judging.models import Judge
from judging.prompts.own import asking_by
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid, Problem
from providers.models import Provider


class JudgeSerializer(serializers.ModelSerializer):
    """A judge with how it is set up: `options` by the names under which it was added."""

    name = serializers.CharField(source="rater.name")
    pseudonym = serializers.CharField(source="rater.pseudonym")
    provider = serializers.CharField(source="provider.name")
    laboratory = serializers.CharField(source="rater.laboratory.slug")
    is_simulated = serializers.BooleanField(source="rater.is_simulated")
    is_gold_builder = serializers.SerializerMethodField(help_text="errors it found are in the gold of error spans")
    asks_by = serializers.CharField()
    options = serializers.JSONField()

    class Meta:
        model = Judge
        fields = [
            *("name", "pseudonym", "kind", "provider", "model", "laboratory", "is_simulated", "is_active"),
            *("is_gold_builder", "asks_by", "options", "temperature", "max_output_tokens"),
        ]

    def get_is_gold_builder(self, judge: Judge) -> bool:
        """Of a judge that was just added False: it has found nothing."""
        return getattr(judge, "is_gold_builder", False)


class NewJudgeSerializer(serializers.Serializer):
    """A judge to be added. Beside these fields it takes the options of its kind, each of which may be left out."""

    kind = serializers.CharField(default="spans", max_length=20, help_text="what it is asked for")
    provider = serializers.SlugRelatedField("name", queryset=Provider.objects.all())
    model = serializers.CharField(max_length=200, help_text="as the provider writes it")
    name = serializers.CharField(default="", allow_blank=True, max_length=120)
    asks_by = serializers.CharField(default="", allow_blank=True, max_length=20, help_text="v2, v2-ar, v1, own-3 ...")

    def get_fields(self) -> dict[str, serializers.Field]:
        options = (*options_of_kinds(), *SENT)
        return {**super().get_fields(), **{option.name: optional(option.api_field()) for option in options}}

    def to_internal_value(self, data: Any) -> Any:
        """Without the defaults of options: those that a kind does not have are not asked for."""
        values = super().to_internal_value(data)
        options = {option.name for option in (*options_of_kinds(), *SENT)}
        return {name: value for name, value in values.items() if name not in options or name in data}


def optional(field: serializers.Field) -> serializers.Field:
    field.required = False
    return field


def check_names(data: Iterable[str], known: Container[str]) -> None:
    """Raises Invalid for each name that is none: with a misspelt one left out, another judge would be added."""
    message = _("Judges of this kind have no such option.")
    if problems := [Problem("unknown_option", message, name) for name in data if name not in known]:
        raise Invalid(problems)


class JudgeList(ProjectView, ListAPIView):
    """The judges of a project, the newest first. POST adds one and asks nothing."""

    permission = "judges.run"
    serializer_class = JudgeSerializer
    pagination_class = Newest
    queryset = Judge.objects.none()

    def get_queryset(self) -> Any:
        judges = Judge.objects.filter(project=self.project).order_by("-pk")
        kept = Exists(Span.objects.filter(rater=OuterRef("rater"), gold_error__isnull=False))
        return judges.select_related("rater__laboratory", "provider", "prompt").annotate(is_gold_builder=kept)

    @extend_schema(
        request=NewJudgeSerializer,
        responses={201: JudgeSerializer, 422: OpenApiTypes.OBJECT},
        description="An option that judges of the kind do not have is refused, and nothing is added.",
    )
    def post(self, request: SignedInRequest, slug: str) -> Response:
        asked = NewJudgeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        values = dict(asked.validated_data)
        try:
            check_names(request.data, asked.fields)
            values = asking_by(self.project, values["kind"], values.pop("asks_by"), values)
            judge = add_judge(self.project, by=request.user, **values)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(JudgeSerializer(judge).data, status=status.HTTP_201_CREATED)
