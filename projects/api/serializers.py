from typing import Any

from rest_framework import serializers

from projects.languages.facts import facts
from projects.languages.tags import preferred
from projects.models import LanguageVariety, Project, Rater, Response


class VarietySerializer(serializers.ModelSerializer):
    """A language variety: what follows from its tag."""

    local_name = serializers.CharField(help_text="In the language the request accepts")
    plurals = serializers.SerializerMethodField(help_text="The CLDR's categories of plural; empty where it knows none")

    same_as = serializers.SerializerMethodField(help_text="The tag that the registry prefers in the place of this one")

    def get_same_as(self, variety: LanguageVariety) -> str:
        return preferred(variety.tag)

    def get_plurals(self, variety: LanguageVariety) -> list[str]:
        return list(facts(variety.tag).plurals)

    class Meta:
        model = LanguageVariety
        fields = [
            *("tag", "name", "local_name", "native_name", "language", "script", "region", "direction"),
            *("segmentation", "plurals", "same_as"),
        ]


class ProjectSerializer(serializers.ModelSerializer):
    class Meta:
        model = Project
        fields = ["slug", "name", "description", "preset", "is_generated", "created_at", "archived_at"]


class ResponseSerializer(serializers.ModelSerializer):
    """A response with its prompt and target model, as the gold export names them."""

    id = serializers.CharField(source="key")
    variety = serializers.CharField(source="variety.tag")
    prompt_id = serializers.CharField(source="prompt.key")
    prompt = serializers.CharField(source="prompt.text")
    model = serializers.CharField(source="target_model.name")
    laboratory = serializers.CharField(source="laboratory_slug")
    response = serializers.CharField(source="text")
    response_sha256 = serializers.CharField(source="text_sha256")
    held_back = serializers.SerializerMethodField(help_text="It answers a held-back question: keep it out of training")
    canary = serializers.UUIDField(allow_null=True, help_text="Of the question set that holds it back")

    def get_held_back(self, response: Any) -> bool:
        return response.canary is not None

    class Meta:
        model = Response
        fields = [
            "uuid",
            "id",
            "variety",
            "prompt_id",
            "prompt",
            "model",
            "laboratory",
            "response",
            "response_sha256",
            "metadata",
            "held_back",
            "canary",
            "created_at",
        ]


class RaterSerializer(serializers.ModelSerializer):
    """A rater by pseudonym: names of people leave the installation through no programming interface."""

    laboratory = serializers.CharField(source="laboratory.slug", default=None)
    varieties: serializers.SlugRelatedField[LanguageVariety] = serializers.SlugRelatedField(
        "tag", many=True, read_only=True
    )

    class Meta:
        model = Rater
        fields = ["pseudonym", "kind", "model", "laboratory", "is_simulated", "is_expert", "varieties"]
