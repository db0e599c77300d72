"""The guidelines of a project in every language, read and published by programs."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.access import fetch_project
from projects.api.access import ProjectView, SignedInRequest
from projects.guidelines import MAX_CHANGE, MAX_TEXT, MOST_LANGUAGES, UNSAID, publish_texts, tags_of, texts_of
from projects.models import Project
from projects.problems import Invalid
from projects.stored_text import unbroken


class GuidelinesSerializer(serializers.Serializer):
    """Every text by its tag, `main` the tag of the main text ("und": nobody has said), and what the version changes.

    A language that is left out is taken back. `version` is the one that whoever writes has read.
    """

    version = serializers.IntegerField(min_value=1)
    main = serializers.CharField(max_length=100)
    texts = serializers.DictField(child=serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False))
    change = serializers.CharField(max_length=MAX_CHANGE, allow_blank=True, default="")
    changes = serializers.DictField(child=serializers.CharField(max_length=MAX_CHANGE), default=dict)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        texts, main = attrs["texts"], attrs["main"]
        if main not in texts:
            raise serializers.ValidationError({"main": _("There is no text in this language.")}, "unknown")
        if len(texts) > MOST_LANGUAGES:
            message = _("At most %(most)d languages are written at once.") % {"most": MOST_LANGUAGES}
            raise serializers.ValidationError({"texts": message}, "too_many")
        try:
            tags = tags_of(texts, main)
        except Invalid as refused:
            [problem] = refused.problems
            raise serializers.ValidationError({"texts": {problem.field: problem.message}}, problem.code) from None
        attrs["texts"] = {tags[name]: unbroken(text) for name, text in texts.items()}
        attrs["changes"] = {tags[name]: change for name, change in attrs["changes"].items() if name in tags}
        attrs["main"] = tags[main]
        return attrs


class GuidelinesVersionSerializer(serializers.Serializer):
    number = serializers.IntegerField()
    change = serializers.CharField()
    published_at = serializers.DateTimeField()


class PublishedSerializer(serializers.Serializer):
    """`written_with`: with which version each text was written; `main_changed` is the one in which the main text last
    became another: translations that are older lag."""

    version = serializers.IntegerField()
    main = serializers.CharField()
    texts = serializers.DictField(child=serializers.CharField())
    written_with = serializers.DictField(child=serializers.IntegerField())
    main_changed = serializers.IntegerField()
    versions = GuidelinesVersionSerializer(many=True)


class Guidelines(ProjectView):
    @extend_schema(responses=PublishedSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The guidelines as they are, in every language."""
        return Response(told(self.project))

    @extend_schema(request=GuidelinesSerializer, responses=PublishedSerializer)
    def put(self, request: SignedInRequest, slug: str) -> Response:
        """Publish the next version; 409 where another came after the one that was read."""
        fetch_project(request.user, slug, "project.edit")
        said = GuidelinesSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        wanted = said.validated_data
        with transaction.atomic():
            project = Project.objects.select_for_update(no_key=True).get(pk=self.project.pk)
            if wanted["version"] != project.guidelines_version:
                return Response({"detail": _("Another version is published by now."), **told(project)}, status=409)
            texts, main, change = wanted["texts"], wanted["main"], wanted["change"].strip()
            if (texts, main) == (texts_of(project), project.guidelines_language):
                return Response(told(project))
            if project.guidelines and not change:
                message = _("Say in a sentence what changed; those who work here are told.")
                raise serializers.ValidationError({"change": message}, "required")
            publish_texts(project, texts, main, change, request.user, wanted["changes"])
        return Response(told(project))


def told(project: Project) -> dict[str, Any]:
    texts = texts_of(project)
    named = {tag or UNSAID: text for tag, text in texts.items()}
    main = project.guidelines_language or UNSAID
    return {
        "version": project.guidelines_version,
        "main": main,
        "texts": named,
        "written_with": {main: project.guidelines_text_version, **project.guidelines_translations},
        "main_changed": project.guidelines_text_version,
        "versions": list(project.guidelines_versions.values("number", "change", "published_at")),
    }
