"""The translations of the scripts, kept by browsers until they change."""

from functools import cache

import brotli
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from projects.accepted_encodings import accepts
from projects.script_texts import catalogue, shown_by_script

LANGUAGES = dict(settings.LANGUAGES)
A_YEAR = 365 * 24 * 60 * 60


@require_safe
def texts(request: HttpRequest, language: str, script: str) -> HttpResponse:
    """The address carries a digest of what it answers (`script_texts.address`), so an answer never grows old."""
    if language not in LANGUAGES or script not in shown_by_script():
        raise Http404
    is_packed = accepts("br", request.headers.get("Accept-Encoding", ""))
    content = packed(language, script) if is_packed else catalogue(language, script)
    response = HttpResponse(content, content_type="text/javascript; charset=utf-8")
    patch_vary_headers(response, ["Accept-Encoding"])
    if is_packed:
        response["Content-Encoding"] = "br"
    response["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    return response


@cache
def packed(language: str, script: str) -> bytes:
    """As static files are sent: nothing secret is in it, so its length needs no padding (config/compression.py)."""
    return brotli.compress(catalogue(language, script))
