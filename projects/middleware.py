"""What holds for every request: it has an id, how often it may come, that what it shows is not kept, and that what
fails below the pages is answered as what it is."""

import contextlib
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from projects import throttling
from projects.request_ids import begin_request
from projects.views import errors

Answer = Callable[[HttpRequest], HttpResponseBase]
MINUTE = 60.0
SAFE = ("GET", "HEAD", "OPTIONS")


class FailureMiddleware:
    """The outermost layer. A lock, a database that is away, a full disk: 503 or 507, with what was kept and when to
    come again.

    Reading that met a connection which had just died is done once more: nothing came of it the first time.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begin_request()
        response = self.get_response(request)
        if request.method in SAFE and getattr(request, "was_cut_off", False):
            with contextlib.suppress(Exception):
                connection.close()
            response = self.get_response(request)
        if response.status_code == 405 and isinstance(response, HttpResponse) and not response.content:
            return errors.method_not_allowed(request, response.get("Allow", ""))
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return errors.answer_to(request, exception)


class Limits:
    """Forms that ask for an account, a pass phrase or a code, and the programming interface by address.

    Who works (saves, claims, submits) meets no limit here. Guessing has rules of its own: projects/brute_force.py.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.path.startswith("/api/"):
            limit = settings.API_REQUESTS_PER_MINUTE_AND_ADDRESS
            return self._answer(request, "api", "address", throttling.visitor_address(request), limit)
        route = request.resolver_match.url_name if request.resolver_match else None
        if request.method != "POST" or route not in settings.FORM_LIMITS:
            return None
        for per, limit in settings.FORM_LIMITS[route].items():
            answer = self._answer(request, route, per, whose(request, per), limit)
            if answer is not None:
                return answer
        return None

    def _answer(self, request: HttpRequest, name: str, per: str, key: str, limit: int) -> HttpResponse | None:
        wait = throttling.take(f"{name} by {per}", key, limit, MINUTE)
        return None if wait is None else errors.throttled(request, wait)


def whose(request: HttpRequest, per: str) -> str:
    """The value that a limit counts by: the visitor's address, the person, or the e-mail typed into the form."""
    if per == "email":
        return request.POST.get("email", "").strip().lower()
    if per == "person" and request.user.is_authenticated:
        return str(request.user.pk)
    return throttling.visitor_address(request)


class SignInAgain:
    """A part of a page that asks for itself by htmx, after the session has ended: the whole page is loaded anew, and
    leads to signing in. A redirection would be followed, and the sign-in page put where the part was.

    A form that is sent after the session has ended is told as not stored, and signing in leads back to the page that it
    stood on: the address it was sent to may answer nothing but forms."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        leads_to, _mark, query = (
            response.get("Location", "").partition("?") if response.status_code == 302 else ("", "", "")
        )
        if leads_to != resolve_url(settings.LOGIN_URL):
            return response
        if "HX-Request" in request.headers:
            return HttpResponse(headers={"HX-Refresh": "true"})
        # Whoever signs out is led there as well, without an address to come back to.
        if request.method == "POST" and REDIRECT_FIELD_NAME in parse_qs(query) and (page := page_it_stood_on(request)):
            told = _("You were signed out meanwhile: nothing of what you sent was stored. Sign in and send it again.")
            messages.warning(request, told)
            response["Location"] = f"{leads_to}?{urlencode({REDIRECT_FIELD_NAME: page})}"
        return response


def page_it_stood_on(request: HttpRequest) -> str:
    """The path of the page of ours that a form was sent from; "" where the browser does not say, or says another's."""
    referer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure()):
        return ""
    parts = urlsplit(referer)
    return urlunsplit(("", "", parts.path, parts.query, ""))


class NothingIsKept:
    """Every answer is `no-store`, but for the routes of CACHEABLE_ROUTES, which show nobody's data.

    Files under /static/ are answered before this. A view that says something stricter of its own is left alone.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        route = request.resolver_match.url_name if request.resolver_match else None
        if route not in settings.CACHEABLE_ROUTES and "no-store" not in response.get("Cache-Control", ""):
            response["Cache-Control"] = "no-store"
        return response
