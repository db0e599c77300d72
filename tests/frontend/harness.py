"""A small real HTTP server that plays the application to the marking screen: same policy header, same contract.

It keeps one draft with a version, answers a repeated submission as it answered the first, and can be told to fail in
the ways the network and the application fail. Nothing of the screen itself is replaced.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from string import Template
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "static" / "dist"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'"
)
TYPES = [("cultural", "Cultural"), ("linguistic", "Linguistic"), ("both", "Both"), ("logical", "Logical")]
CRITICALITIES = [("high", "High"), ("medium", "Medium"), ("low", "Low")]
MIME = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2", ".map": "application/json"}


def paragraphs_of(text: str) -> list[list[int]]:
    """Code-point ranges of the lines that hold something; what separates them belongs to none."""
    ranges, start = [], 0
    for line in text.split("\n"):
        body = line[:-1] if line.endswith("\r") else line
        if body.strip():
            ranges.append([start, start + len(body)])
        start += len(line) + 1
    return ranges or [[0, len(text)]]


def _options(pairs: list[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"value": value, "label": label} for value, label in pairs]


@dataclass
class Server:
    """What the application would hold, open to the test."""

    text: str = "One two three."
    lang: str = "en"
    dir: str = "ltr"
    page_lang: str = "en"
    page_dir: str = "ltr"
    prompt: str = "Tell me about it."
    owner: str = "owner-1"
    categories: list[dict[str, str]] = field(default_factory=list)
    draft: dict = field(default_factory=lambda: {"no_errors": False, "spans": []})
    version: int = 1
    csrf: str = "token-1"
    signed_in: bool = True
    next_owner: str | None = None
    refuse: list[tuple[int, dict]] = field(default_factory=list)
    read_only: bool = False
    remarks: dict = field(default_factory=lambda: {"bookmarked": False, "unsure": False, "note": ""})
    submissions: dict[str, dict] = field(default_factory=dict)
    skips: list[dict] = field(default_factory=list)
    puts: list[dict] = field(default_factory=list)
    posts: list[dict] = field(default_factory=list)
    signs: list[dict] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    sent_bytes: int = 0

    template = Path(__file__).with_name("harness.html")

    def task(self) -> dict:
        return {
            "assignment": "a1",
            "version": self.version,
            "draft": self.draft,
            "text": self.text,
            "lang": self.lang,
            "dir": self.dir,
            "paragraphs": paragraphs_of(self.text),
            "types": _options(TYPES),
            "criticalities": _options(CRITICALITIES),
            "categories": self.categories,
            "urls": {
                "draft": "/api/draft",
                "submit": "/api/submit",
                "skip": "/api/skip",
                "signs": "/api/signs",
                "remarks": "/api/remarks",
                "next": "/next",
                "login": "/login",
            },
            "skip_reasons": [
                *_options([("dialect", "Not my dialect"), ("broken", "The text is broken")]),
                {"value": "other", "label": "Another reason", "needs_note": True},
            ],
            "read_only": self.read_only,
            "repeats": True,
            "lease_expires_at": None,
            "owner": self.owner,
            "idle_seconds": 60,
            "remarks": {**self.remarks, "is_shared": False},
        }

    def page(self) -> str:
        template = Template(self.template.read_text(encoding="utf-8"))
        task = json.dumps(self.task()).replace("<", "\\u003c").replace("&", "\\u0026")
        korean = '<link rel="stylesheet" href="/static/fonts-korean.css">'
        return template.substitute(
            page_lang=self.page_lang,
            page_dir=self.page_dir,
            lang=self.lang,
            dir=self.dir,
            csrf=self.csrf,
            prompt=self.prompt,
            task=task,
            extra_styles=korean if self.lang.startswith("ko") else "",
        )

    def guard(self, token: str | None) -> tuple[int, dict] | None:
        if self.refuse:
            return self.refuse.pop(0)
        if not self.signed_in:
            return 401, {"error": {"code": "signed_out"}}
        if token != self.csrf:
            return 403, {"error": {"code": "csrf"}}
        return None

    def remark(self, body: dict) -> dict:
        """Takes the remarks out of a body and keeps them; what is told of them."""
        told = body.pop("remarks", None)
        if told is None:
            return {}
        self.remarks = {name: told.get(name, value) for name, value in self.remarks.items()}
        return {"remarks": self.remarks}

    def save(self, version: str, payload: dict) -> tuple[int, dict]:
        kept = self.remark(payload["body"])
        if version != f'"{self.version}"':
            return 412, {
                "error": {"code": "conflict", "message": "Changed elsewhere."},
                "version": self.version,
                "body": self.draft,
                **kept,
            }
        self.draft, self.version = payload["body"], self.version + 1
        self.puts.append(payload)
        return 200, {"version": self.version, "saved_at": "2026-01-02T12:03:00Z", **kept}

    def submit(self, payload: dict) -> tuple[int, dict]:
        self.posts.append(payload)
        self.remark(payload["body"])
        known = self.submissions.get(payload["submission"])
        if known:
            return 200, known
        if payload["version"] != self.version:
            return 412, {"error": {"code": "conflict"}, "version": self.version, "body": self.draft}
        answer = {"submitted_at": "2026-01-02T12:04:00Z", "next": "/next"}
        self.draft, self.submissions[payload["submission"]] = payload["body"], answer
        return 200, answer

    def sign_in(self) -> None:
        self.signed_in, self.csrf = True, self.csrf + "+"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: Server

    def log_message(self, *args: object) -> None:  # quiet: the test says what failed
        pass

    def _answer(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.state.sent_bytes += len(body)

    def _json(self, status: int, data: dict, headers: dict[str, str] | None = None) -> None:
        self._answer(status, json.dumps(data).encode(), "application/json", headers)

    def _html(self, text: str) -> None:
        self._answer(200, text.encode("utf-8"), "text/html; charset=utf-8")

    def do_GET(self) -> None:
        if self.path.startswith("/static/"):
            return self._static(self.path.removeprefix("/static/"))
        if self.path.startswith("/task"):
            return self._html(self.state.page())
        if self.path == "/login" and self.state.signed_in:
            return self._signed_in()
        if self.path == "/login":
            return self._html(
                '<!doctype html><title>Sign in</title><form method="post" action="/login">'
                "<button>Sign in here</button></form>"
            )
        return self._html(f"<!doctype html><title>{self.path}</title><p>{self.path}</p>")

    def _signed_in(self) -> None:
        owner = self.state.next_owner or self.state.owner
        self._html(
            f'<!doctype html><title>Signed in</title><meta name="csrf-token" content="{self.state.csrf}">'
            f'<meta name="signed-in-owner" content="{owner}"><script src="/static/signed-in.js"></script>'
        )

    def _static(self, name: str) -> None:
        path = (DIST / name).resolve()
        if not path.is_relative_to(DIST) or not path.is_file():
            return self._answer(404, b"", "text/plain")
        return self._answer(200, path.read_bytes(), MIME[path.suffix])

    def _payload(self) -> dict:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")

    def do_PUT(self) -> None:
        payload = self._payload()
        refused = self.state.guard(self.headers.get("X-CSRFToken"))
        status, data = refused or self.state.save(self.headers["If-Match"], payload)
        self._finish(status, data)

    def do_POST(self) -> None:
        if self.path == "/login":
            self.rfile.read(int(self.headers["Content-Length"]))
            self.state.sign_in()
            return self._signed_in()
        payload = self._payload()
        if self.path == "/api/signs":  # told beside all else, and by no failure of it
            self.state.signs.append(payload)
            return self._finish(200, {"seconds": 0})
        refused = self.state.guard(self.headers.get("X-CSRFToken"))
        if refused:
            return self._finish(*refused)
        if self.path == "/api/skip":
            self.state.skips.append(payload)
            return self._finish(200, {"next": "/next"})
        return self._finish(*self.state.submit(payload))

    def _finish(self, status: int, data: dict) -> None:
        self._json(status, data, {"Retry-After": "1"} if status in (429, 503, 507) else None)


class Harness:
    """The server on a free local port."""

    server: type[Server] = Server
    handler: type[Handler] = Handler

    def __init__(self, **values: Any) -> None:
        self.state = self.server(**values)
        handler = type("BoundHandler", (self.handler,), {"state": self.state})
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.http.shutdown()
        self.http.server_close()
