"""The JSON Schema of each kind of file."""

from io import BytesIO

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404
from django.views.decorators.http import require_safe

from formats.project_file.describing import published_formats
from projects.requests import SignedInRequest


@require_safe
@login_required
def schema(request: SignedInRequest, kind: str) -> FileResponse:
    published = published_formats().get(kind)
    if published is None:
        raise Http404
    name, content = f"{published.name}.schema.json", BytesIO(published.schema_json)
    return FileResponse(content, content_type="application/schema+json", filename=name)
