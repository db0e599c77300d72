"""The translations that each script of the interface shows: of every script its own, under an address that changes with
them, so that a browser fetches each once."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.views.i18n import JavaScriptCatalog

# The script of every page; what it shows is not sent again with those of single pages.
EVERY_PAGE = "app"
# Written by static/build.mjs: the texts of each script, as they stand in its source.
SHOWN = Path(settings.BASE_DIR) / "static" / "dist" / "texts.json"


@cache
def shown_by_script() -> Mapping[str, frozenset[str]]:
    """The source texts of each script. Of a page's own script without those of every page's."""
    shown = {script: frozenset(texts) for script, texts in json.loads(SHOWN.read_text(encoding="utf-8")).items()}
    common = shown[EVERY_PAGE]
    return {script: texts if script == EVERY_PAGE else texts - common for script, texts in shown.items()}


class ScriptCatalogue(JavaScriptCatalog):
    """Django's catalogue of the scripts, cut down to the texts of one."""

    domain = "djangojs"
    script = ""

    def get_catalog(self) -> dict[str, Any]:
        shown = shown_by_script()[self.script]
        return {text: words for text, words in super().get_catalog().items() if text in shown}

    def get_formats(self) -> dict[str, Any]:
        return {}  # dates and numbers are written by the browser's own Intl


@cache
def catalogue(language: str, script: str) -> bytes:
    """The texts of a script in a language, as a script of its own; empty where none of them is translated.

    Raises KeyError where there is no such script.
    """
    shown_by_script()[script]
    with translation.override(language):
        view = ScriptCatalogue(script=script)
        response = view.get(HttpRequest())
        return response.content if view.get_catalog() else b""


@cache
def address(language: str, script: str) -> str:
    """Where a page fetches a script's texts; "" where it needs none, as in the language they are written in."""
    content = catalogue(language, script)
    if not content:
        return ""
    path = reverse("texts", kwargs={"language": language, "script": script})
    return f"{path}?{hashlib.sha256(content).hexdigest()[:12]}"
