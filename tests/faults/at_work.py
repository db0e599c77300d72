"""What people and programs do all day, each act measured: reading, saving, signing in, the API, starting a run."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.faults.clients import Annotator, Ledger, body, dump
from tests.faults.machines import Machine
from tests.faults.prepare import CSRF

# Nobody is held up for so long by a part that is away, on a busy machine either; without bounds it is ten and more.
SECONDS = 5.0
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    seconds: float
    headers: dict[str, str]
    content: str

    @property
    def code(self) -> str:
        """Of a refusal told to a program."""
        return json.loads(self.content)["error"]["code"]

    def __str__(self) -> str:
        return f"{self.status} after {self.seconds:.2f} s"


@dataclass
class Installation:
    """A machine's web server, with the headers of an annotator and of a lead, and an item with a draft."""

    machine: Machine
    name: str
    folder: Path
    version: int = 0
    rounds: int = 0
    lead: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        project = self.machine.projects[self.name]
        self.lead = self.machine.run("lead", self.name)
        self.annotator = Annotator(
            0, self.machine.address, project, Ledger(self.folder / f"{self.name}.jsonl"), threading.Event()
        )
        path = self.annotator.claim()
        assert path is not None
        self.item = path

    def ask(self, method: str, path: str, payload: bytes | None, headers: dict[str, str]) -> Answer:
        began = time.monotonic()
        connection = http.client.HTTPConnection(self.machine.address, timeout=LONGEST)
        try:
            connection.request(method, path, payload, headers)
            response = connection.getresponse()
            content = response.read().decode()
        finally:
            connection.close()
        told = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, time.monotonic() - began, told, content)

    def read_page(self) -> Answer:
        return self.ask("GET", f"/p/{self.name}/", None, self.lead["headers"] | {"Accept": "text/html"})

    def read_figures(self) -> Answer:
        return self.ask("GET", f"/p/{self.name}/results/", None, self.lead["headers"] | {"Accept": "text/html"})

    def read_api(self) -> Answer:
        return self.ask("GET", f"/api/v1/projects/{self.name}/responses/", None, self.lead["headers"])

    def save(self, explanation: object = "saved") -> Answer:
        payload = dump({"body": body(explanation), "client": "tab"})
        headers = self.annotator.headers | {"If-Match": f'"{self.version}"'}
        answer = self.ask("PUT", self.item + "draft", payload, headers)
        if answer.status == 200:
            self.version = json.loads(answer.content)["version"]
        return answer

    def saved(self) -> dict[str, Any]:
        return json.loads(self.ask("GET", self.item + "saved", None, self.annotator.headers).content)

    def claim(self) -> Answer:
        path = f"/p/{self.name}/my-work/{self.machine.projects[self.name]['stage']}/next"
        return self.ask("POST", path, b"", self.machine.projects[self.name]["headers"][1])

    def sign_in(self) -> Answer:
        form = urlencode({"login": self.lead["email"], "password": self.lead["phrase"]}).encode()
        headers = {"Cookie": f"csrftoken={CSRF}", "X-CSRFToken": CSRF, "Accept": "text/html"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return self.ask("POST", "/accounts/login/", form, headers)

    def start_run(self) -> Answer:
        self.rounds += 1
        payload = dump({"judge": self.lead["judge"], "round": self.rounds})
        return self.ask("POST", f"/api/v1/projects/{self.name}/runs/", payload, self.lead["headers"])

    def ready(self) -> tuple[Answer, dict[str, Any]]:
        answer = self.ask("GET", "/readyz", None, {})
        return answer, json.loads(answer.content)


def in_time(act: Callable[[], Answer]) -> Answer:
    """What is answered without holding anybody up, as far as three tries can tell it from a machine that is busy."""
    answer = act()
    for _try in range(2):
        if answer.seconds < SECONDS:
            break
        answer = act()
    return answer


def wait_for(is_so: Any, seconds: float = 30) -> bool:
    """Until it is so; False where it does not become so in time."""
    ends = time.monotonic() + seconds
    while not (so := is_so()) and time.monotonic() < ends:
        time.sleep(0.1)
    return bool(so)
