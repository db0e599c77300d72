"""Ada reads on the health page which programs `make run` keeps running, and which one is being started again."""

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.people import signed_in

pytestmark = pytest.mark.django_db(transaction=True)

# No process can have it: Linux gives ids up to 2 ** 22.
NOBODY = 2**22 + 1


@pytest.fixture
def data(tmp_path, settings) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def program(name: str, pid: int | None = None, restarts: int = 0, last_exit: dict | None = None) -> dict[str, Any]:
    return {"name": name, "pid": pid, "since": moment(), "restarts": restarts, "last_exit": last_exit}


def ended(how: str, code: int | None) -> dict[str, Any]:
    return {"how": how, "code": code, "at": moment(), "lines": ["the last line"]}


def moment(ago: float = 0.0) -> str:
    return (timezone.now() - timedelta(seconds=ago)).isoformat(timespec="seconds")


def write(data: Path, *programs: dict, ago: float = 0.0, supervisor: int | None = None) -> None:
    state = {"supervisor": {"pid": supervisor or os.getpid(), "since": moment()}, "written_at": moment(ago)}
    (data / "processes.json").write_text(json.dumps({**state, "processes": programs}))


def page(ada, language: str = "en") -> str:
    answer = signed_in(ada).get("/health/", headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.content.decode()


def told() -> tuple[int, str, str]:
    """The status of /readyz, what it says of the whole and of the programs."""
    answer = Client().get("/readyz")
    told = answer.json()
    assert told["parts"]["programs"]["essential"] is False
    return answer.status_code, told["status"], told["parts"]["programs"]["state"]


def test_all_run(data, ada):
    write(data, program("web", os.getpid()), program("worker", os.getpid(), 2, ended("was ended by SIGKILL", -9)))
    listed = page(ada)
    assert "2 programs run." in listed
    assert listed.count("running since") == 2
    assert "It was ended by SIGKILL." in listed
    assert '<td class="num">2</td>' in listed
    assert told()[2] == "well"


@pytest.mark.parametrize("pid", [None, NOBODY], ids=["waits for its start", "ended just now"])
def test_one_is_being_started_again(data, ada, pid):
    write(data, program("web", os.getpid()), program("worker", pid, 4, ended("ended by itself with code 3", 3)))
    listed = page(ada)
    assert "Being started again: Worker." in listed
    assert listed.count("running since") == 1
    assert "being started again</strong>" in listed
    assert "It ended by itself with code 3." in listed
    assert told() == (200, "limited", "unwell")


def test_one_that_cannot_even_be_started_says_why(data, ada):
    write(data, program("clock", None, 0, ended("could not be started: [Errno 12] Cannot allocate memory", None)))
    assert "It could not be started: [Errno 12] Cannot allocate memory" in page(ada)


def test_in_her_language(data, ada):
    write(data, program("web", os.getpid()), program("worker", None, 1, ended("was ended by SIGKILL", -9)))
    listed = page(ada, "id")
    assert "Sedang dijalankan ulang: Worker." in listed, "what a part says is for whoever asks"
    assert "Dihentikan oleh SIGKILL." in listed


def test_where_nobody_of_ours_keeps_them_running_that_is_said(data, ada):
    listed = page(ada)
    assert "the service manager of the machine" in listed
    assert "being started again" not in listed
    assert told()[2] == "well"


@pytest.mark.parametrize(("ago", "supervisor"), [(90.0, None), (0.0, NOBODY)], ids=["stands still", "is gone"])
def test_a_supervisor_that_watches_no_more_is_told(data, ada, ago, supervisor):
    write(data, program("web", os.getpid()), ago=ago, supervisor=supervisor)
    listed = page(ada)
    assert "what ends is not started again" in listed
    assert "running since" not in listed, "what it wrote then need not hold now"
    assert told() == (200, "limited", "unwell")


@pytest.mark.parametrize(
    "content", ["{half", "", "[]", '{"written_at": 5}', '{"written_at": "2026-01-01", "processes": [{}]}', "\udcff"]
)
def test_a_damaged_file_is_told_as_such(data, ada, content):
    (data / "processes.json").write_bytes(content.encode(errors="surrogateescape"))
    assert "cannot be read" in page(ada)
    assert told() == (200, "limited", "unwell")
