"""Model cards and configurations, for programs."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from benchmark.card_listing import cards_of, configurations_of, other_laboratory
from benchmark.cards import (
    change_card,
    change_configuration,
    create_card,
    create_configuration,
    fingerprint,
    set_standing,
)
from benchmark.models import Access, Configuration, ModelCard, Standing
from formats.choices import SizeClass
from projects.api.access import ProjectView, SignedInRequest
from projects.api.conditions import seen_by, tagged
from projects.api.refusals import refusal
from projects.api.views import ById
from projects.problems import Invalid


class CardSerializer(serializers.ModelSerializer):
    """What is known of a model. Parameters are billions, null where undisclosed; `size_class` is that of the board."""

    id = serializers.CharField(source="slug")
    laboratory = serializers.CharField(source="laboratory.name")
    size_class = serializers.ChoiceField(SizeClass.choices, source="size")

    class Meta:
        model = ModelCard
        fields = [
            "id",
            "name",
            "laboratory",
            "access",
            "parameters_total",
            "parameters_active",
            "size_class",
            "licence",
            "context_tokens",
            "link",
            "declared_overlap",
            "thinking_tags",
        ]


class NewCardSerializer(serializers.Serializer):
    """`id` is made of the name where it is left out. To change a card, leave out what stays; `id` always stays."""

    id = serializers.SlugField(max_length=80, required=False)
    name = serializers.CharField(max_length=200)
    laboratory = serializers.CharField(max_length=120)
    access = serializers.ChoiceField(Access.choices)
    parameters_total = serializers.FloatField(allow_null=True, required=False)
    parameters_active = serializers.FloatField(allow_null=True, required=False)
    licence = serializers.CharField(max_length=200, required=False)
    context_tokens = serializers.IntegerField(allow_null=True, required=False)
    link = serializers.CharField(max_length=500, required=False)
    declared_overlap = serializers.CharField(required=False)
    thinking_tags = serializers.ListField(child=serializers.ListField(child=serializers.CharField()), required=False)


class ConfigurationSerializer(serializers.ModelSerializer):
    """A model as it is run, and what it is asked with. `other_laboratory` is the one that the project knows its
    target model by, where the card says another; otherwise it is empty."""

    id = serializers.CharField(source="slug")
    card = serializers.CharField(source="card.slug")
    target_model = serializers.CharField(source="target_model.name")
    sampling = serializers.DictField()
    other_laboratory = serializers.SerializerMethodField()

    class Meta:
        model = Configuration
        fields = [
            "id",
            "card",
            "name",
            "target_model",
            "provider",
            "revision",
            "precision",
            "template_sha256",
            "system_prompt",
            "sampling",
            "thinking_effort",
            "token_limit",
            "standing",
            "other_laboratory",
        ]

    @extend_schema_field(serializers.CharField())
    def get_other_laboratory(self, row: Configuration) -> str:
        return other_laboratory(row)


class NewConfigurationSerializer(serializers.Serializer):
    """`target_model` is named as the configuration where it is left out. To change one, leave out what stays; what
    defines its run stays once it has answers."""

    card = serializers.SlugField(max_length=80)
    id = serializers.SlugField(max_length=80, required=False)
    name = serializers.CharField(max_length=200)
    target_model = serializers.CharField(max_length=200, required=False)
    provider = serializers.CharField(max_length=120, required=False)
    revision = serializers.CharField(max_length=120, required=False)
    precision = serializers.CharField(max_length=40, required=False)
    template_sha256 = serializers.CharField(max_length=64, required=False)
    system_prompt = serializers.CharField(required=False)
    sampling = serializers.DictField(required=False)
    thinking_effort = serializers.CharField(max_length=40, required=False)
    token_limit = serializers.IntegerField(allow_null=True, required=False)
    standing = serializers.ChoiceField(Standing.choices, required=False)


class StandingDecisionSerializer(serializers.Serializer):
    standing = serializers.ChoiceField(Standing.choices)
    reason = serializers.CharField(max_length=10_000)


def values_of(request: SignedInRequest) -> dict[str, Any]:
    """What was sent, under the names of the verbs, which check it."""
    if not isinstance(request.data, Mapping):
        raise serializers.ValidationError({"non_field_errors": ["An object is expected."]})
    names = {"id": "slug"}
    return {names.get(name, name): value for name, value in request.data.items()}


def shown(row: ModelCard | Configuration) -> Response:
    """One row with the tag that a change can be made on (`If-Match`); refused (422) where another stands by then."""
    serializer = CardSerializer if isinstance(row, ModelCard) else ConfigurationSerializer
    return tagged(Response(serializer(row).data), fingerprint(row))


class CardList(ProjectView, ListAPIView):
    """The model cards of a project. POST makes one (201), or names all that is wrong with it (422)."""

    permission = "project.edit"
    serializer_class = CardSerializer
    pagination_class = ById
    queryset = ModelCard.objects.none()

    def get_queryset(self) -> QuerySet[ModelCard]:
        return ModelCard.objects.none() if getattr(self, "swagger_fake_view", False) else cards_of(self.project)

    @extend_schema(request=NewCardSerializer, responses={201: CardSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        try:
            card = create_card(self.project, values_of(request), request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(CardSerializer(card).data, status=status.HTTP_201_CREATED)


class CardView(ProjectView):
    """One model card. PATCH says otherwise what is known of it."""

    permission = "project.edit"

    @extend_schema(responses=CardSerializer)
    def get(self, request: SignedInRequest, slug: str, card: str) -> Response:
        return shown(get_object_or_404(cards_of(self.project), slug=card))

    @extend_schema(request=NewCardSerializer(partial=True), responses=CardSerializer)
    def patch(self, request: SignedInRequest, slug: str, card: str) -> Response:
        row = get_object_or_404(cards_of(self.project), slug=card)
        try:
            return shown(change_card(row, values_of(request), request.user, seen_by(request)))
        except Invalid as invalid:
            return refusal(invalid)


class ConfigurationList(ProjectView, ListAPIView):
    """The configurations of models. POST makes one (201), or names all that is wrong with it (422)."""

    permission = "project.edit"
    serializer_class = ConfigurationSerializer
    pagination_class = ById
    queryset = Configuration.objects.none()

    def get_queryset(self) -> QuerySet[Configuration]:
        if getattr(self, "swagger_fake_view", False):
            return Configuration.objects.none()
        return configurations_of(self.project)

    @extend_schema(request=NewConfigurationSerializer, responses={201: ConfigurationSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        values = values_of(request)
        named = values.pop("card", None)
        card = cards_of(self.project).filter(slug=named).first() if isinstance(named, str) else None
        if card is None:
            raise serializers.ValidationError({"card": ["There is no such model card in this project."]})
        try:
            row = create_configuration(self.project, card, values, request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(ConfigurationSerializer(row).data, status=status.HTTP_201_CREATED)


class ConfigurationView(ProjectView):
    """One configuration. PATCH changes it; what defines its run is refused once there are answers (422)."""

    permission = "project.edit"

    @extend_schema(responses=ConfigurationSerializer)
    def get(self, request: SignedInRequest, slug: str, configuration: str) -> Response:
        return shown(self.fetch(configuration))

    @extend_schema(request=NewConfigurationSerializer(partial=True), responses=ConfigurationSerializer)
    def patch(self, request: SignedInRequest, slug: str, configuration: str) -> Response:
        try:
            row = change_configuration(self.fetch(configuration), values_of(request), request.user, seen_by(request))
        except Invalid as invalid:
            return refusal(invalid)
        return shown(row)

    def fetch(self, slug: str) -> Configuration:
        return get_object_or_404(configurations_of(self.project), slug=slug)


class Decide(ProjectView):
    """Decide whether a configuration is ranked, waits or is withdrawn; the reason is written down."""

    permission = "project.edit"

    @extend_schema(request=StandingDecisionSerializer, responses=ConfigurationSerializer)
    def post(self, request: SignedInRequest, slug: str, configuration: str) -> Response:
        row = get_object_or_404(configurations_of(self.project), slug=configuration)
        said = values_of(request)
        try:
            decided = set_standing(row, str(said.get("standing", "")), said.get("reason"), request.user)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(ConfigurationSerializer(decided).data)
