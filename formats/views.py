"""The JSON Schema of a line of each kind of file."""

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404
from django.views.decorators.http import require_safe

from projects.importing.registry import importers
from projects.requests import SignedInRequest


@require_safe
@login_required
def schema(request: SignedInRequest, kind: str) -> FileResponse:
    found = importers().get(kind)
    if found is None:
        raise Http404
    return FileResponse(found.schema.open("rb"), content_type="application/schema+json", filename=found.schema.name)
