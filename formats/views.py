"""The JSON Schema of a line of each kind of file."""

from io import BytesIO

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404
from django.views.decorators.http import require_safe

from formats.importing.registry import importers
from projects.requests import SignedInRequest


@require_safe
@login_required
def schema(request: SignedInRequest, kind: str) -> FileResponse:
    importer = importers().get(kind)
    if importer is None:
        raise Http404
    name, content = f"{importer.format.name}.schema.json", BytesIO(importer.format.schema_json)
    return FileResponse(content, content_type="application/schema+json", filename=name)
