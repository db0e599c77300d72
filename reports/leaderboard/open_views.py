"""A board that its lead opened to everybody: page, files and a table for other sites, without an account.

Neither knows who reads: no session is looked at and no text of a question or an answer is in it, so all of them may be
kept by whoever passes them on. Search engines are let to the page; its copies, files and table, tell them to stay away.

Page and table are written in the language of `?language=`, else in the first that the browser asks for: never in that
of a cookie, which a store in between does not look at.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from csp.constants import NONE
from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from benchmark.models import Board
from projects.problems import Invalid
from reports.dashboard.filters import NarrowingForm
from reports.leaderboard.files import as_json, csv_of, parquet_of
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import Standings, standings

SECONDS = 300
LANGUAGE = "language"
PARQUET = "application/vnd.apache.parquet"

View = Callable[..., HttpResponse]


def fetch_open(board: str) -> Board:
    """Http404 for a board that is not open, as if it did not exist."""
    return get_object_or_404(Board.objects.select_related("project"), slug=board, is_open=True)


def kept(view: View) -> View:
    """Whoever passes the answer on may keep it for a few minutes."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        response = view(request, *args, **options)
        patch_cache_control(response, public=True, max_age=SECONDS)
        return response

    return answered


def in_asked_language(view: View) -> View:
    """Answer in the language that the address names, or that the browser prefers."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        language = asked_language(request)
        if not language:
            without_cookies = HttpRequest()
            without_cookies.META["HTTP_ACCEPT_LANGUAGE"] = request.headers.get("Accept-Language", "")
            language = translation.get_language_from_request(without_cookies)
        with translation.override(language):
            response = view(request, *args, **options)
        response["Content-Language"] = language
        patch_vary_headers(response, ["Accept-Language"])
        return response

    return answered


def languages(request: HttpRequest) -> list[dict[str, Any]]:
    """The same page in each language, for a menu of links: no form, which would need a session."""
    links = []
    for code, name in settings.LANGUAGES:
        query = request.GET.copy()
        query[LANGUAGE] = code
        is_here = code == translation.get_language()
        links.append({"code": code, "name": name, "query": query.urlencode(), "is_here": is_here})
    return links


def asked_language(request: HttpRequest) -> str:
    """The language that the address names; empty where it names none of ours."""
    language = request.GET.get(LANGUAGE, "")
    return language if language in dict(settings.LANGUAGES) else ""


def filters_of(request: HttpRequest) -> dict[str, Any]:
    """What stands in the address beside the language."""
    return {name: value for name, value in request.GET.dict().items() if name != LANGUAGE}


def narrowed(request: HttpRequest, board: Board) -> Standings:
    """The board under the filters of the address; Http404 where no version is frozen or a filter has no such value."""
    try:
        found = standings(board.project, BoardScope.within(board.project, filters_of(request)))
    except Invalid as invalid:
        raise Http404 from invalid
    if found is None:
        raise Http404
    return found


@require_safe
@kept
@in_asked_language
def page(request: HttpRequest, board: str) -> HttpResponse:
    opened = fetch_open(board)
    form = NarrowingForm(BoardScope, opened.project, request.GET)
    found = standings(opened.project, BoardScope.of(form.chosen))
    query = urlencode(filters_of(request)) if form.chosen and not form.refused else ""
    context: dict[str, Any] = {"opened": opened, "board": found, "form": form, "query": query}
    context |= {"languages": languages(request), "asked_language": asked_language(request)}
    return render(request, "reports/leaderboard/open.html", context)


@require_safe
@kept
def board_json(request: HttpRequest, board: str) -> HttpResponse:
    opened = fetch_open(board)
    content = {"title": opened.title} | as_json(opened.project, narrowed(request, opened))
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Access-Control-Allow-Origin"] = "*"
    return unlisted(response)


@require_safe
@kept
def board_csv(request: HttpRequest, board: str) -> HttpResponse:
    opened = fetch_open(board)
    response = HttpResponse("\ufeff" + csv_of(narrowed(request, opened)), content_type="text/csv; charset=utf-8")
    return unlisted(response, f"{opened.slug}.csv")


@require_safe
@kept
def board_parquet(request: HttpRequest, board: str) -> HttpResponse:
    opened = fetch_open(board)
    response = HttpResponse(parquet_of(narrowed(request, opened)), content_type=PARQUET)
    return unlisted(response, f"{opened.slug}.parquet")


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"], "script-src": [NONE]})
@kept
@in_asked_language
def embed(request: HttpRequest, board: str) -> HttpResponse:
    """The table alone, for a frame on another site; without scripts."""
    opened = fetch_open(board)
    asked = asked_language(request)
    context = {"opened": opened, "board": narrowed(request, opened), "asked_language": asked}
    return unlisted(render(request, "reports/leaderboard/embed.html", context))


def unlisted(response: HttpResponse, name: str = "") -> HttpResponse:
    response["X-Robots-Tag"] = "noindex"
    if name:
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
