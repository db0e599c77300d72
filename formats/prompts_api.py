"""The prompts of a project for programs, as the file that an import reads."""

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema

from formats.exporting_prompts import lines
from projects.api.access import ProjectView, SignedInRequest


class PromptFile(ProjectView):
    permission = "project.edit"

    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.STR})
    def get(self, request: SignedInRequest, slug: str) -> StreamingHttpResponse:
        """The project's prompts as JSON lines, whether or not anybody has answered or rated them."""
        name = f"{self.project.slug}-prompts.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(lines(self.project), content_type="application/x-ndjson", headers=headers)
