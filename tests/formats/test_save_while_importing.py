"""Sixteen annotators go on saving while Nour imports a file and Ada loads a demonstration: nobody loses a save.

The small form of `speed/import_lock_bench.py`: the same processes, fewer bytes.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client

from projects.models import Project
from speed.write_lock import WriteLock
from tests.people import EGYPTIAN, add_response, join, person
from tests.workflow.working import add_responses, body, mark, marking_stage
from workflow.claims import claim_next

ROOT = Path(__file__).resolve().parents[2]
PEOPLE = 16
LINES, LINE_CHARACTERS = 4_000, 1_000
# Between two saves of one person.
PAUSE = 0.2
TOKEN = "t" * 32

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="one lock for all writers is SQLite's")


class Saver(threading.Thread):
    """One person who saves their draft until the others are done."""

    def __init__(self, server: str, session: str, path: str, draft: dict, ended: threading.Event) -> None:
        super().__init__(daemon=True)
        self.address = server.removeprefix("http://")
        self.path = path
        self.draft = draft
        self.ended = ended
        self.headers = {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "Cookie": f"sessionid={session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
        }
        self.answers: list[tuple[int, float]] = []  # status and seconds

    def run(self) -> None:
        version = 0
        while not self.ended.wait(PAUSE):
            payload = json.dumps({"body": self.draft, "client": "tab-1"})
            begun = time.monotonic()
            caller = http.client.HTTPConnection(self.address, timeout=60)
            caller.request("PUT", self.path, payload, self.headers | {"If-Match": f'"{version}"'})
            answer = caller.getresponse()
            said = answer.read()
            self.answers.append((answer.status, time.monotonic() - begun))
            caller.close()
            if answer.status == 200:
                version = json.loads(said)["version"]


class Pulse(threading.Thread):
    """How long this machine takes at most for an answer that needs no database: what it does, the import does not."""

    def __init__(self, server: str) -> None:
        super().__init__(daemon=True)
        self.address = server.removeprefix("http://")
        self.ended = threading.Event()
        self.longest = 0.0

    def run(self) -> None:
        while not self.ended.wait(0.05):
            begun = time.monotonic()
            caller = http.client.HTTPConnection(self.address, timeout=60)
            caller.request("GET", "/healthz")
            caller.getresponse().read()
            caller.close()
            self.longest = max(self.longest, time.monotonic() - begun)


@pytest.fixture
def pulse(live_server):
    made = Pulse(live_server.url)
    made.start()
    yield made
    made.ended.set()
    made.join()


@pytest.fixture
def savers(live_server) -> list[Saver]:
    feasts = Project.objects.create(slug="feasts", name="Feasts")
    like = add_response(feasts, "r", EGYPTIAN, "ar-EG")
    add_responses(like, PEOPLE)
    stage = marking_stage(feasts)
    ended = threading.Event()
    made = []
    for number in range(PEOPLE):
        user = join(person(f"{number}@example.org", f"Annotator {number}"), feasts, "annotator", varieties=("ar-EG",))
        item = claim_next(user.raters.get(), stage)
        assert item is not None
        client = Client()
        client.force_login(user)
        response = item.item.response
        assert response is not None
        draft = body(mark(response, response.text[:5]))
        made.append(
            Saver(live_server.url, client.cookies["sessionid"].value, f"/tasks/{item.uuid}/draft", draft, ended)
        )
    return made


def begun(*command: str) -> subprocess.Popen:
    """A command in a process of its own, on this test's database."""
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = (sys.executable, "manage.py", *command)
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def under_way(process: subprocess.Popen) -> float:
    """The moment from which on the import has read a part of its file."""
    assert process.stderr is not None
    for line in process.stderr:
        if "%" in line:
            return time.monotonic()
    pytest.fail(f"the import ended before it was under way: {process.wait()}")


def answers_of_a_quiet_time(savers: list[Saver]) -> list[tuple[int, float]]:
    """Until everybody has saved three times with nobody else about."""
    until = time.monotonic() + 60
    while any(len(saver.answers) < 3 for saver in savers):
        assert time.monotonic() < until, "somebody was not answered"
        time.sleep(0.05)
    return [answer for saver in savers for answer in saver.answers]


def test_no_save_fails_and_none_waits_longer_than_the_rows_take_to_be_stored(savers, pulse, tmp_path):
    file = tmp_path / "items.jsonl"
    shared = {"variety": "ar-EG", "model": "Nile-7B", "laboratory": "Delta Lab", "response": "x" * LINE_CHARACTERS}
    with file.open("w") as lines:
        lines.writelines(json.dumps({"id": f"i{n}", "prompt": f"q {n // 10}", **shared}) + "\n" for n in range(LINES))
    with WriteLock(Path(connection.settings_dict["NAME"])) as lock:
        for saver in savers:
            saver.start()
        alone = answers_of_a_quiet_time(savers)
        usual, pulse.longest = pulse.longest, 0.0
        imported = begun("import_items", "feasts", str(file))
        from_here = under_way(imported)
        demonstration = begun("load_demo", "--password", "a long pass phrase for tests")
        said = imported.communicate(timeout=120)
        seconds = time.monotonic() - from_here
        said += demonstration.communicate(timeout=120)
        savers[0].ended.set()
        for saver in savers:
            saver.join()
    assert (imported.returncode, demonstration.returncode) == (0, 0), said
    answers = [answer for saver in savers for answer in saver.answers]
    assert {status for status, _seconds in answers} == {200}
    assert len(answers) > len(alone)
    p99 = statistics.quantiles((waited for _status, waited in answers), n=100)[-1]
    # A machine that stood still kept waiting who asked for nothing of the database, too.
    stall = pulse.longest if pulse.longest > usual + 1 else 0.0
    # What a save costs on this machine while nothing is imported is no fault of the import.
    assert p99 < lock.longest + 1 + max(waited for _status, waited in alone) + stall
    # Storing the rows is a small part of an import. One that held the lock from its first row on would be all of it.
    assert lock.longest - stall < seconds / 2
