"""The application as the authoring screen knows it (docs/rubrics.md), on the server of the marking screen's tests."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from tests.frontend.harness import Handler, Harness, Server, _options

EMPTY = {"scope": "", "prompt": "", "gold_answer": "", "criteria": [], "accepted": []}
BANDS = [
    {"slug": "core-term", "label": "Core term identification", "lowest": 8, "highest": 10},
    {"slug": "dialect", "label": "Dialect and register", "lowest": 3, "highest": 5},
]


def criterion(key: str, text: str = "", weight: int | None = None, **more: str) -> dict:
    blank = {"band": "", "objectivity": "", "explicitness": "", "tags": []}
    return {"key": key, "text": text, "weight": weight, **blank} | more


@dataclass
class AuthoringServer(Server):
    draft: dict = field(default_factory=lambda: dict(EMPTY))
    settings: dict = field(default_factory=lambda: {"needs_difficulty_check": True, "needs_review": False})
    asker: dict | None = None
    answer: str = "It is about coffee."
    prompt_is_fixed: bool = False
    thinks: float = 0  # seconds the asked model takes
    review: dict | None = None
    checks: list[dict] = field(default_factory=list)
    findings: list[dict] = field(default_factory=list)
    limits: str = ""  # what is not checked in the language of the rubric
    lints: list[dict] = field(default_factory=list)
    asked: list[dict] = field(default_factory=list)

    template = Path(__file__).with_name("authoring.html")

    def task(self) -> dict:
        task = super().task()
        task["urls"] |= {
            "lint": "/api/lint",
            "difficulty_by_hand": "/api/difficulty/by-hand",
            "difficulty_mark": "/api/difficulty/mark",
            "ask_review": "/api/review",
            "rubrics": "/rubrics",
            "versions": "",
        }
        return task | {
            "variety": "English",
            "scopes": _options([("cultural", "Cultural"), ("linguistics", "Linguistics")]),
            "objectivities": _options([("objective", "Objective"), ("subjective", "Subjective")]),
            "explicitnesses": _options([("explicit", "Explicit"), ("implicit", "Implicit")]),
            "outcomes": _options(
                [("perfect", "Answered perfectly"), ("partial", "Answered in part"), ("failed", "Failed")]
            ),
            "bands": BANDS,
            "settings": self.settings,
            "prompt_is_fixed": self.prompt_is_fixed,
            "rubric_version": 1,
            "difficulty": self.check_of(self.draft["prompt"]),
            "checks": self.checks,
            "asker": self.asker,
            "review": self.review,
        }

    def check_of(self, prompt: str) -> dict | None:
        digest = sha256(prompt.encode()).hexdigest()
        return next((check for check in self.checks if check["prompt_sha256"] == digest), None)

    def call(self, path: str, payload: dict) -> tuple[int, dict] | None:
        """The calls beside those of every task screen; None for another path."""
        if path == "/api/lint":
            self.lints.append(payload["body"])
            keys = {""} | {criterion["key"] for criterion in payload["body"]["criteria"]}
            found = [finding for finding in self.findings if finding["criterion"] in keys]
            return 200, {
                "findings": found,
                "limits": self.limits,
                "difficulty": self.check_of(payload["body"]["prompt"]),
                "review": self.review,
            }
        if path == "/api/ask":
            self.asked.append(payload)
            time.sleep(self.thinks)
            assert self.asker is not None
            check = self.begin(payload["prompt"], self.asker["model"])
            return 200, {"check": check["id"], "answer": self.answer, "seconds": self.thinks}
        if path == "/api/difficulty/by-hand":
            check = self.begin(payload["prompt"], payload["model"], by_hand=True)
            check["outcome"] = payload["outcome"]
            return 200, {"difficulty": check}
        if path == "/api/difficulty/mark":
            check = next(check for check in self.checks if check["id"] == payload["check"])
            check["outcome"] = payload["outcome"]
            return 200, {"difficulty": check}
        if path == "/api/review":
            self.review = {"decision": "", "remarks": "", "asked_at": "2026-01-02T12:00:00Z", "holds": True}
            return 200, {"review": self.review}
        return None

    def begin(self, prompt: str, model: str, by_hand: bool = False) -> dict:
        self.checks.append(
            {
                "id": len(self.checks) + 1,
                "prompt_sha256": sha256(prompt.encode()).hexdigest(),
                "model": model,
                "by_hand": by_hand,
                "outcome": "",
                "asked_at": "2026-01-02T12:00:00Z",
            }
        )
        return self.checks[-1]


class AuthoringHandler(Handler):
    state: AuthoringServer

    def do_POST(self) -> None:
        if self.path in ("/login", "/api/submit", "/api/skip"):
            return super().do_POST()
        payload = self._payload()
        refused = self.state.guard(self.headers.get("X-CSRFToken"))
        answer = refused or self.state.call(self.path, payload)
        return self._finish(*(answer or (404, {"error": {"code": "gone"}})))


class AuthoringHarness(Harness):
    server = AuthoringServer
    handler = AuthoringHandler
