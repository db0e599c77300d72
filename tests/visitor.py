"""A person with a browser that runs no script: pages, forms and cookies over HTTP, the standard library alone."""

from __future__ import annotations

import http.cookiejar
import json
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

SECONDS = 30


@dataclass
class Form:
    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


class Page(HTMLParser):
    """What the visitor makes of a page: its forms, links, JSON blocks and the CSRF token."""

    def __init__(self, url: str, html: str) -> None:
        super().__init__()
        self.url, self.html = url, html
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.data: dict[str, Any] = {}
        self.csrf = ""
        self.block = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            action = urllib.parse.urljoin(self.url, values.get("action", ""))
            self.forms.append(Form(action, values.get("method", "get").lower()))
        elif tag in ("input", "textarea") and self.forms and "name" in values:
            self.forms[-1].fields[values["name"]] = values.get("value", "")
        elif tag == "a" and "href" in values:
            self.links.append(urllib.parse.urljoin(self.url, values["href"]))
        elif tag == "meta" and values.get("name") == "csrf-token":
            self.csrf = values.get("content", "")
        elif tag == "script" and values.get("type") == "application/json":
            self.block = values.get("id", "")

    def handle_data(self, data: str) -> None:
        if self.block:
            self.data[self.block] = json.loads(data)
            self.block = ""

    def form(self, part_of_action: str) -> Form:
        """The first form that posts to such an address. Raises LookupError where the page has none."""
        for form in self.forms:
            if part_of_action in form.action and form.method == "post":
                return form
        raise LookupError(f"{self.url} has no form that posts to {part_of_action!r}")


class Visitor:
    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str) -> Page:
        return self.open(urllib.request.Request(urllib.parse.urljoin(self.address, path)))

    def download(self, path: str) -> bytes:
        with self.opener.open(urllib.parse.urljoin(self.address, path), timeout=SECONDS) as answer:
            return answer.read()

    def submit(self, form: Form, **values: str) -> Page:
        """Fill a form in and send it, as a click on its button would."""
        body = urllib.parse.urlencode(form.fields | values).encode()
        return self.open(urllib.request.Request(form.action, body, {"Referer": form.action}))

    def send(self, method: str, path: str, payload: dict, csrf: str, **headers: str) -> dict:
        """What a page's script sends: JSON to JSON."""
        headers |= {"Content-Type": "application/json", "Accept": "application/json", "X-CSRFToken": csrf}
        url = urllib.parse.urljoin(self.address, path)
        request = urllib.request.Request(url, json.dumps(payload).encode(), headers, method=method)
        return json.loads(self.read(request)[1])

    def open(self, request: urllib.request.Request) -> Page:
        url, body = self.read(request)
        return Page(url, body)

    def read(self, request: urllib.request.Request) -> tuple[str, str]:
        try:
            with self.opener.open(request, timeout=SECONDS) as answer:
                return answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")[:2000]
            raise AssertionError(f"{request.get_method()} {request.full_url} answered {error.code}:\n{text}") from None

    def sign_in(self, email: str, password: str) -> Page:
        page = self.submit(self.get("/accounts/login/").form("/accounts/login/"), login=email, password=password)
        assert "/accounts/login/" not in page.url, "The sign-in was refused."
        return page
