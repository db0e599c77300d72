"""A second clone in use: `make run`, sign in, mark an error, submit, export, Ctrl-C. Run by .ci/run.

What it proves: the last commit holds everything it needs, starts by its one command, works over HTTP for a person,
and leaves no process behind. The standard library alone, since the clone brings its own packages.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from deploy.processes import end_on_signals
from tests.servers import HOST, free_port
from tests.visitor import Page, Visitor

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 420
STOP_SECONDS = 30


def main() -> None:
    end_on_signals()
    folder = Path(tempfile.mkdtemp(prefix="mizan-smoke-"))
    try:
        clone, data = folder / "clone", folder / "data"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        began = time.monotonic()
        with running(clone, data) as address:
            say(f"answers after {time.monotonic() - began:.0f} s")
            people, password = read_sign_ins(data)
            mark_and_submit(Visitor(address), people["annotator"][0], password)
            say(f"a span is saved and submitted {time.monotonic() - began:.0f} s after make run")
            export(Visitor(address), clone, data, people["lead"][0], password)
            say("the page and the command export the same gold")
        assert not left_behind(data), f"Still running after Ctrl-C: {left_behind(data)}"
        say("stopped, and nothing is left running")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def say(line: str) -> None:
    print(f"   {line}", flush=True)


@contextlib.contextmanager
def running(clone: Path, data: Path) -> Iterator[str]:
    """`make run` in the clone as from a terminal; Ctrl-C at the end, which it must obey at once and cleanly."""
    of_this_run = ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE")
    inherited = {name: value for name, value in os.environ.items() if name not in of_this_run}
    port = free_port()
    log = data.with_name("run.log")
    with log.open("wb") as output:
        command = subprocess.Popen(
            ["make", "--no-print-directory", "run"],
            cwd=clone,
            env=inherited | {"PORT": str(port), "DATA_DIR": str(data)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://{HOST}:{port}/"
        wait_until_ready(command, log)
        yield address
        os.killpg(command.pid, signal.SIGINT)
        command.wait(STOP_SECONDS)
        said = log.read_text()
        assert said.rstrip().endswith("Stopped."), said
        assert "Traceback" not in said, said
    except BaseException:
        print(log.read_text()[-6000:], flush=True)
        raise
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGTERM)
        command.wait()


def wait_until_ready(command: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while "Ctrl-C stops everything" not in log.read_text():
        assert command.poll() is None, "make run ended by itself"
        assert time.monotonic() < deadline, f"make run was not ready after {START_SECONDS} s"
        time.sleep(0.3)


def read_sign_ins(data: Path) -> tuple[dict[str, list[str]], str]:
    """Role -> the addresses that have it, and the password of all, from what `make run` printed."""
    by_role: dict[str, list[str]] = {}
    password = ""
    for line in (data / "demo-sign-ins.txt").read_text().splitlines():
        address, _, roles = line.strip().partition(" ")
        if "@" in address:
            for role in roles.partition(" · ")[0].split(","):
                by_role.setdefault(role.strip(), []).append(address)
        elif ":" in line:
            password = line.rpartition(":")[2].strip()
    return by_role, password


def mark_and_submit(visitor: Visitor, email: str, password: str) -> None:
    visitor.sign_in(email, password)
    work = visitor.get("/p/demo/my-work/")
    task = visitor.submit(work.form("/next"))
    given = task.data["span-task"]
    span = first_words(given["text"], given)
    draft = {"no_errors": False, "spans": [*given["draft"].get("spans", []), span]}
    saved = visitor.send(
        "PUT", given["urls"]["draft"], {"body": draft}, token(task), **{"If-Match": f'"{given["version"]}"'}
    )
    reloaded = visitor.get(task.url).data["span-task"]
    assert [kept["quote"] for kept in reloaded["draft"]["spans"]][-1:] == [span["quote"]]
    submission = {"submission": str(uuid.uuid4()), "version": saved["version"], "body": draft}
    answer = visitor.send("POST", given["urls"]["submit"], submission, token(task))
    assert answer["submitted_at"], answer
    again = visitor.send("POST", given["urls"]["submit"], submission, token(task))
    assert again["submitted_at"] == answer["submitted_at"], "A resend was not answered as the first was."


def first_words(text: str, task: dict) -> dict:
    """A complete span over the first word of the text."""
    found = re.search(r"\w[\w\u0600-\u06ff\u0980-\u09ff]*", text)
    assert found
    return {
        "id": str(uuid.uuid4()),
        "anchor": "words",
        "start": found.start(),
        "end": found.end(),
        "quote": found[0],
        "paragraph": None,
        "type": task["types"][0]["value"],
        "criticality": task["criticalities"][0]["value"],
        "category": task["categories"][0]["value"] if task["categories"] else "",
        "explanation": "Marked by the smoke test.",
        "correction": "",
    }


def token(page: Page) -> str:
    return page.csrf or next(form.fields["csrfmiddlewaretoken"] for form in page.forms)


def export(visitor: Visitor, clone: Path, data: Path, email: str, password: str) -> None:
    visitor.sign_in(email, password)
    by_page = visitor.download("/p/demo/gold/file/")
    file = data / "gold.jsonl"
    subprocess.run(
        [clone / ".venv" / "bin" / "python", "manage.py", "export_gold", "demo", "-o", file],
        cwd=clone,
        env=os.environ | {"DATA_DIR": str(data)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    assert by_page == file.read_bytes(), "The page and the command export different gold."
    rows = [json.loads(line) for line in by_page.splitlines()]
    assert rows, "The demo's gold is empty."


def left_behind(data: Path) -> list[str]:
    """Programs that were started with this data folder and still run."""
    mark = f"DATA_DIR={data}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(process.name) != os.getpid() and mark in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return found


if __name__ == "__main__":
    main()
