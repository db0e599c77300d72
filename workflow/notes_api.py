"""Content notes of prompts, for programs: given and taken away as on the page."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.content_notes import change_notes
from projects.models import Prompt
from projects.problems import Invalid, Problem

MOST = 500


class PromptNotesSerializer(serializers.Serializer):
    """Keys of prompts, and short names of notes that they are given and that are taken away."""

    prompts = serializers.ListField(child=serializers.CharField(max_length=200), min_length=1, max_length=MOST)
    add = serializers.ListField(child=serializers.CharField(max_length=60), required=False, default=list)
    take = serializers.ListField(child=serializers.CharField(max_length=60), required=False, default=list)


class NotedSerializer(serializers.Serializer):
    changed = serializers.IntegerField()


class NotesOfPrompts(ProjectView):
    """Notes of prompts that are there. On record; claims heed them from then on."""

    permission = "project.edit"

    @extend_schema(request=PromptNotesSerializer, responses=NotedSerializer)
    def patch(self, request: SignedInRequest, slug: str) -> Response:
        said = PromptNotesSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        keys = set(said.validated_data["prompts"])
        prompts = Prompt.objects.filter(project=self.project, key__in=keys)
        there = set(prompts.values_list("key", flat=True))
        if missing := sorted(keys - there):
            message = _("The project has no prompt with the key “%(key)s”.") % {"key": missing[0]}
            return refusal(Invalid(Problem("unknown_prompt", message, "prompts")))
        notes = {name: said.validated_data[name] for name in ("add", "take")}
        try:
            return Response({"changed": change_notes(self.project, prompts, by=request.user, **notes)})
        except Invalid as invalid:
            return refusal(invalid)
