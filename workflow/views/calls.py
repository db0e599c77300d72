"""The calls a task screen's script makes: JSON in, JSON out, every refusal with a stable code."""

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import orjson
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from projects.problems import Invalid, Problem
from workflow.refusals import Conflict, Refused

MAX_BYTES = 2 * 1024 * 1024
# An escaped null character, told from the text "\\u0000" by an even number of backslashes before it.
NULL_CHARACTER = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def error(status: int, code: str, message: str, **more: Any) -> JsonResponse:
    return JsonResponse({"error": {"code": code, "message": str(message), **more}}, status=status)


def json_call(method: str) -> Callable:
    """Make a view answer a script: signed out is 401 (never a redirect), and every refusal of the domain is JSON."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def call(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method != method:
                answer = error(405, "method", _("This address does not answer that kind of request."))
                answer["Allow"] = method
                return answer
            if not request.user.is_authenticated:
                message = _("You are signed out. What you wrote is kept in this browser; sign in to save it.")
                return error(401, "signed_out", message)
            try:
                return view(request, *args, **kwargs)
            except Http404:
                return error(404, "not_found", _("There is no such item, or it is not yours."))
            except Conflict as conflict:
                told = {"error": {"code": conflict.code, "message": conflict.message}}
                return JsonResponse(
                    {**told, "version": conflict.version, "body": conflict.body, **conflict.beside}, status=412
                )
            except Refused as refused:
                return error(409, refused.code, refused.message)
            except Invalid as refused:
                return invalid(refused)
            except BadCall as bad:
                return error(bad.status, bad.code, bad.message)

        return call

    return decorate


def invalid(refused: Invalid) -> JsonResponse:
    problems = as_told(refused.problems)
    message = _("Nothing was stored. Please correct what is named below and try again.")
    return error(422, "invalid", message, problems=problems)


def as_told(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [
        {"span": problem.span, "field": problem.field, "code": problem.code, "message": str(problem.message)}
        for problem in problems
    ]


class BadCall(Exception):
    """The request itself cannot be read; `status` says why."""

    def __init__(self, status: int, code: str, message: str):
        self.status, self.code, self.message = status, code, message
        super().__init__(message)


def read_json(request: HttpRequest) -> dict:
    """The request's JSON object. Raises BadCall: 413 beyond 2 MB, 400 where it is not well-formed."""
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BYTES or len(request.body) > MAX_BYTES:
        raise BadCall(413, "too_large", _("This is more than can be saved at once (2 MB)."))
    try:
        # orjson refuses NaN, lone surrogates, invalid UTF-8 and nesting beyond 1,024.
        payload = orjson.loads(request.body)
    except orjson.JSONDecodeError:
        raise BadCall(400, "malformed", _("The request is not well-formed JSON.")) from None
    if not isinstance(payload, dict):
        raise BadCall(400, "malformed", _("The request must be a JSON object."))
    if NULL_CHARACTER.search(request.body):
        raise BadCall(400, "malformed", _("The request holds a null character, which cannot be stored."))
    return payload


def read_version(request: HttpRequest) -> int:
    """The version named by If-Match, weak or strong: what compresses a response on its way weakens its tag, and a draft
    has but one body of each version. Raises BadCall where there is none."""
    match = re.fullmatch(r'(?:W/)?"(\d{1,9})"', request.headers.get("If-Match", ""))
    if match is None:
        raise BadCall(400, "version_missing", _("The request does not say which version it builds on."))
    return int(match[1])


def whole_number(payload: dict, field: str, most: int) -> int:
    """A whole number from 0, cut at `most`; 0 where absent. Raises Invalid."""
    value = payload.get(field, 0)
    if type(value) is not int or value < 0:
        raise Invalid(Problem("not_whole_number", _("This must be a whole number from 0."), field))
    return min(value, most)


def short_text(payload: dict, field: str, most: int) -> str:
    """A text of at most `most` characters; empty where absent. Raises Invalid."""
    value = payload.get(field, "")
    if not isinstance(value, str) or len(value) > most:
        message = _("This must be text of at most %(limit)d characters.")
        raise Invalid(Problem("not_text", message % {"limit": most}, field))
    return value
