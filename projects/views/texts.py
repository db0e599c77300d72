"""The translations of the scripts, kept by browsers until they change."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from projects.script_texts import catalogue, shown_by_script

LANGUAGES = dict(settings.LANGUAGES)
A_YEAR = 365 * 24 * 60 * 60


@require_safe
def texts(request: HttpRequest, language: str, script: str) -> HttpResponse:
    """The address carries a digest of what it answers (`script_texts.address`), so an answer never grows old."""
    if language not in LANGUAGES or script not in shown_by_script():
        raise Http404
    response = HttpResponse(catalogue(language, script), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    return response
