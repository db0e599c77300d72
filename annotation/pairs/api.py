"""Forming pairs, for programs."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from annotation.models import DesignKind
from annotation.pairs.forming import MAX_PER_PROMPT, MAX_SEED, design_of, form, would_form
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid


class DesignSerializer(serializers.Serializer):
    """Which models meet in pairs. What is left out is as it was the last time; `dry_run` counts and forms nothing."""

    design = serializers.ChoiceField(DesignKind.choices, required=False)
    baseline = serializers.CharField(required=False)
    per_prompt = serializers.IntegerField(min_value=1, max_value=MAX_PER_PROMPT, required=False)
    models = serializers.ListField(child=serializers.CharField(), source="among", required=False)
    seed = serializers.IntegerField(min_value=0, max_value=MAX_SEED, required=False)
    dry_run = serializers.BooleanField(default=False)


class OfModelSerializer(serializers.Serializer):
    name = serializers.CharField()
    pairs = serializers.IntegerField()
    first = serializers.IntegerField()


class FormedSerializer(serializers.Serializer):
    """Pairs that were formed, or would be; pairs of the design that are there already; prompts that one model alone
    has answered; and for each model in how many of the new pairs it stands, and in how many first."""

    pairs = serializers.IntegerField()
    there = serializers.IntegerField()
    too_few = serializers.IntegerField()
    models = OfModelSerializer(many=True)


class PairForming(ProjectView):
    permission = "project.edit"

    @extend_schema(request=DesignSerializer, responses={200: FormedSerializer, 201: FormedSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        """Form pairs of the project's responses, or count what would be formed."""
        said = DesignSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        values: dict[str, Any] = dict(said.validated_data)
        is_dry, wanted = values.pop("dry_run"), design_of(self.project)
        for name, value in values.items():
            setattr(wanted, name, value)
        try:
            formed = would_form(wanted) if is_dry else form(wanted, by=request.user)
        except Invalid as invalid:
            return refusal(invalid)
        models = [asdict(model) for model in formed.models]
        counts = {"pairs": len(formed.pairs), "there": formed.there, "too_few": formed.too_few, "models": models}
        return Response(counts, status=status.HTTP_200_OK if is_dry else status.HTTP_201_CREATED)
