"""The answer to what was not foreseen: that it happened and what was kept, and nothing of the inside."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.defaults import server_error as error_page


def server_error(request: HttpRequest) -> HttpResponse:
    """Programs and scripts get JSON with a code, people a page. The log has the traceback."""
    is_program = request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", "")
    if not is_program:
        return error_page(request)
    message = _("Something went wrong on the server. What was saved before stays saved; try again.")
    return JsonResponse({"error": {"code": "server", "message": message}}, status=500)
