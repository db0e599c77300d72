"""The one page of every failure: what happened, what was kept, what to do. It needs no database, no session, no user.

Programs and scripts get the same as JSON with a code, htmx a notice; the log has what nobody outside should read.
"""

import logging
import math
import sys
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import get_template
from django.utils import translation
from django.utils.functional import Promise
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from projects.outages import Outage, outage_of, was_cut_off
from projects.request_ids import current_request

logger = logging.getLogger(__name__)
Text = str | Promise

NOTHING_CHANGED = _("Nothing was changed.")
NOTHING_STORED = _("Nothing of this was stored. All that was saved before stays saved.")
PERHAPS_STORED = _("All that was saved before stays saved. Look whether this was done before you send it again.")


@dataclass(frozen=True, slots=True)
class Failure:
    """What a person is told. `code` is stable and for programs; `retry_after` is in seconds."""

    status: int
    code: str
    title: Text
    happened: Text
    kept: Text
    to_do: Text
    retry_after: int | None = None
    # Whether the failure's number is shown, by which its lines are found in the log.
    shows_number: bool = False


NOT_ALLOWED = Failure(
    403,
    "not_allowed",
    _("This is not yours to do"),
    _("Your roles do not include it."),
    NOTHING_CHANGED,
    _("Ask the person who leads the project."),
)
CSRF = Failure(
    403,
    "csrf",
    _("Please try again"),
    _("This form had been open for too long and was not taken."),
    _("Nothing was stored."),
    _("Go back, reload the page and send it again."),
)
NOT_FOUND = Failure(
    404,
    "not_found",
    _("There is nothing here for you"),
    _("The page does not exist, or it is not yours to see."),
    NOTHING_CHANGED,
    _("Look for it from your projects."),
)
BAD_REQUEST = Failure(
    400,
    "bad_request",
    _("This could not be read"),
    _("What your browser sent was incomplete, or damaged on its way."),
    NOTHING_CHANGED,
    _("Go back, reload the page and try again."),
)
WRONG_METHOD = Failure(
    405,
    "method",
    _("This address is no page"),
    _("This address does not answer that kind of request."),
    NOTHING_CHANGED,
    _("Go back and use the buttons of the page."),
)
SERVER = Failure(
    500,
    "server",
    _("Something went wrong"),
    _("Something went wrong on the server. It was our fault and has been written down."),
    _("What was saved before stays saved."),
    _("Go back and try again; if it happens again, tell this number to the person who leads the project."),
    shows_number=True,
)
BUSY = Failure(
    503,
    "busy",
    _("Much is being stored just now"),
    _("Others were writing at the same time, for longer than this could wait."),
    NOTHING_STORED,
    _("Try again in a moment."),
)
AWAY = Failure(
    503,
    "database_away",
    _("The database is away for a moment"),
    _("It is being restarted, or cannot be reached."),
    NOTHING_STORED,
    _("Try again in a moment; if it lasts, tell the person who runs this installation."),
)
FULL = Failure(
    507,
    "disk_full",
    _("The server's disk is full"),
    _("Nothing can be stored until there is space again. Reading goes on."),
    NOTHING_STORED,
    _("Tell the person who runs this installation, and try again later."),
)
OF_OUTAGE = {Outage.BUSY: BUSY, Outage.AWAY: AWAY, Outage.FULL: FULL}


# --- Django's handlers ------------------------------------------------------------------------------


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return too_large(request, settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    return answer(request, BAD_REQUEST)


def not_allowed(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer(request, NOT_ALLOWED)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return answer(request, NOT_FOUND)


def too_many(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """allauth's own limits, which do not say how long."""
    return throttled(request, 60)


def server_error(request: HttpRequest) -> HttpResponse:
    """What was not foreseen; an outage that was met outside of the views is told as one."""
    return answer_to(request, sys.exc_info()[1]) or answer(request, SERVER)


# --- What others answer with ------------------------------------------------------------------------


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Scripts get a code they can act on (fetch a fresh token, try again); people get a page."""
    if not is_program(request):
        return answer(request, CSRF)
    happened = _("This page's protection token has run out.")
    return answer(request, replace(CSRF, happened=happened, to_do=_("It is being renewed.")))


def method_not_allowed(request: HttpRequest, allowed: str) -> HttpResponse:
    response = answer(request, WRONG_METHOD)
    response["Allow"] = allowed
    return response


def answer_to(request: HttpRequest, problem: BaseException | None) -> HttpResponse | None:
    """The answer where the exception is an outage, noted in one line of the log; else None."""
    met = outage_of(problem)
    if met is None:
        return None
    request.was_cut_off = was_cut_off(problem)  # type: ignore[attr-defined]
    logger.warning("%s %s met an outage (%s): %r", request.method, request.path, met.code, problem)
    response = outage(request, met)
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django would say it once more, as an error of ours
    return response


def outage(request: HttpRequest, outage: Outage) -> HttpResponse:
    failure = OF_OUTAGE[outage]
    changes: dict[str, Any] = {"retry_after": outage.retry_after}
    if outage is Outage.AWAY and request.method not in ("GET", "HEAD"):
        changes["kept"] = PERHAPS_STORED  # a connection may end between the commit and its answer
    return answer(request, replace(failure, **changes))


def throttled(request: HttpRequest, wait_seconds: float) -> HttpResponse:
    """Too many tries: the answer says after how many seconds the next one counts."""
    seconds = max(1, math.ceil(wait_seconds))
    with translation.override(language_of(request)):
        to_do = str(_("Wait for %(wait)s, then try again.")) % {"wait": waiting_time(seconds)}
    happened = _("This was tried too often in a short time.")
    return answer(
        request, Failure(429, "throttled", _("Please wait a moment"), happened, NOTHING_CHANGED, to_do, seconds)
    )


def waiting_time(seconds: int) -> str:
    """In whole seconds up to a minute and a half, then in minutes, rounded up."""
    if seconds <= 90:
        return ngettext("%(n)d second", "%(n)d seconds", seconds) % {"n": seconds}
    minutes = math.ceil(seconds / 60)
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}


def too_large(request: HttpRequest, most_bytes: int) -> HttpResponse:
    """More was sent than is taken at once."""
    limit = max(1, most_bytes // 1_000_000)
    happened = _("What was sent is larger than what is taken at once (%(limit)d MB).") % {"limit": limit}
    to_do = _("Send it in parts; large files can be imported by command, by an administrator.")
    return answer(request, Failure(413, "too_large", _("This is too large"), happened, NOTHING_STORED, to_do))


# --- Forms of an answer -----------------------------------------------------------------------------


def answer(request: HttpRequest, failure: Failure) -> HttpResponse:
    """The failure in the form and language that the request asks for."""
    with translation.override(language_of(request)):
        if is_program(request):
            response = as_json(failure)
        elif "HX-Request" in request.headers:
            response = as_notice(failure)
        else:
            response = as_page(request, failure)
    if failure.retry_after is not None:
        response["Retry-After"] = str(failure.retry_after)
    response["X-Request-ID"] = current_request()
    response["Cache-Control"] = "no-store"
    return response


def is_program(request: HttpRequest) -> bool:
    return request.path.startswith("/api/") or "application/json" in request.headers.get("Accept", "")


def language_of(request: HttpRequest) -> str:
    """Of the cookie, or of the browser: what the pages go by too."""
    try:
        return translation.get_language_from_request(request)
    except Exception:
        return settings.LANGUAGE_CODE


def as_json(failure: Failure) -> HttpResponse:
    message = " ".join(str(part) for part in (failure.happened, failure.kept, failure.to_do))
    error: dict[str, Any] = {"code": failure.code, "message": message, "kept": str(failure.kept)}
    if failure.retry_after is not None:
        error["retry_after"] = failure.retry_after
    if failure.shows_number:
        error["request"] = current_request()
    return JsonResponse({"error": error}, status=failure.status)


def as_notice(failure: Failure) -> HttpResponse:
    """A line above what the page shows already; static/src/site/failures.js puts it there."""
    return rendered("failure_notice.html", failure, {})


def as_page(request: HttpRequest, failure: Failure) -> HttpResponse:
    again = request.get_full_path() if request.method in ("GET", "HEAD") and failure.status >= 500 else ""
    return rendered("failure.html", failure, {"again": again})


def rendered(template: str, failure: Failure, more: dict[str, Any]) -> HttpResponse:
    """The template without context processors; where even that fails, the same words without looks."""
    number = current_request() if failure.shows_number else ""
    try:
        content = get_template(template).render({"failure": failure, "number": number, **more})
    except Exception:
        logger.exception("The page of a failure could not be made")
        content = plain(failure, number)
    return HttpResponse(content, status=failure.status)


def plain(failure: Failure, number: str) -> str:
    """The last resort: no template, no styles; in English where the translations are what failed."""
    try:
        parts = [str(part) for part in (failure.title, failure.happened, failure.kept, failure.to_do)]
        language, direction = translation.get_language() or "en", "rtl" if translation.get_language_bidi() else "ltr"
    except Exception:
        parts, language, direction = ["Something went wrong", "What was saved before stays saved."], "en", "ltr"
    title, *rest = map(escape, parts)
    lines = "".join(f"<p>{part}</p>" for part in [*rest, escape(number)] if part)
    return (
        f'<!doctype html><html lang="{language}" dir="{direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title} · Mizan</title></head>'
        f'<body><main><h1>{title}</h1>{lines}<p><a href="/">Mizan</a></p></main></body></html>'
    )
