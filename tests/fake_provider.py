"""The simulated provider as a process of its own, and the questions a test asks it."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent


class Control:
    """A simulated provider that runs already: `tell` changes how it behaves, `asked` says what reached it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def _send(self, path: str, body: dict | None = None) -> dict:
        address = self.url.removesuffix("/v1") + path
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(address, data=data), timeout=60) as answer:
            return json.load(answer)

    def tell(self, **settings) -> None:
        self._send("/control", settings)

    def counts(self) -> dict:
        return self._send("/control")

    def asked(self) -> list[dict]:
        """Headers and bodies of what was asked since recording began."""
        return self._send("/control/requests")["requests"]

    def charges(self) -> dict:
        """What it would send a bill for: answers, tokens, and by Idempotency-Key its requests and charged answers."""
        return self._send("/control/charges")


class FakeProvider(Control):
    """A real HTTP server of its own, on a free port."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "providers.fake.server", "--port", "0"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        super().__init__(self.process.stdout.readline().split()[-1])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)
