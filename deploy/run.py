"""Start the whole of Mizan from a fresh clone: `make run`. Needs Python 3.11 and nothing else.

PORT (8000, or the next free one) and DATA_DIR (./data) are taken from the environment. The web server, the worker, the
clock and the simulated provider are children of this process: one that ends is started again, and Ctrl-C ends them in
order. Nothing but a disk that is gone, or a web server that cannot start at all, ends this process by itself.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit(
        "Mizan needs Python 3.11 or later; this is {}.{}.\n"
        "Where a newer one is installed, name it: make run PYTHON=python3.11".format(*sys.version_info[:2])
    )

import fcntl
import http.client
import os
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import IO

from deploy.preparation import PYTHON, ROOT, CannotPrepare, prepare, say
from deploy.processes import Interrupted, end_with_parent
from deploy.supervision import TICK, Program, Signals, Supervised, Supervisor, end_left_behind

HOST = "127.0.0.1"
DEFAULT_PORT = 8000
# A port whose last owner is just ending is waited for.
PORT_SECONDS = 15.0
# As often as this the web server may end before its first answer.
START_ATTEMPTS = 5
SAY_SECONDS = 10.0
# A web server that runs and answers nothing for so long is replaced.
SILENT_SECONDS = 180.0
# Who asks meanwhile waits for the web server to be back: it is tried again sooner than the others.
WEB_PAUSE = 4.0
# The queue of the sweeps, as config/settings/background.py names it.
SWEEPS = "sweeps"
# What works ends before what it talks to.
STOP_ORDER = ["web", "clock", "worker", "provider"]


def main() -> int:
    signals = Signals()
    data = Path(os.environ.get("DATA_DIR") or ROOT / "data").resolve()
    try:
        with lock_data(data):
            end_left_behind(data)
            prepare()
            with web_socket() as listener:
                environment = embedded_environment(data, listener)
                prepare_database(environment)
                return serve(data, environment, listener, signals)
    except CannotPrepare as missing:
        say(f"\n{missing}")
        return 1
    except Interrupted:
        say("\nStopped.")
        return 0


def lock_data(data: Path) -> IO[str]:
    """Two servers on one data folder would take each other's work: the second one ends here."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = (data / ".run-lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        owner = lock.read(20).strip()
        raise CannotPrepare(
            f"Mizan already runs on the data folder {data}{f' (process {owner})' if owner else ''}.\n"
            "Stop it first, or give this one a folder of its own: make run DATA_DIR=/another/folder"
        ) from None
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def embedded_environment(data: Path, listener: socket.socket) -> dict[str, str]:
    """What the children see: this process's variables, with the data folder and the ports filled in."""
    return {
        **os.environ,
        "DATA_DIR": str(data),
        "BIND": f"{HOST}:{listener.getsockname()[1]}",
        "FAKE_PROVIDER_URL": os.environ.get("FAKE_PROVIDER_URL") or f"http://{HOST}:{free_port(HOST)}/v1",
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }


def web_socket() -> socket.socket:
    """The site's own socket, on PORT where it is given, else on 8000 or the first free port after it.

    It is this process that holds it, so it stays when a web server ends: who asks meanwhile waits for the next one.

    Raises:
        CannotPrepare: PORT is not a port, or stays taken.
    """
    given = os.environ.get("PORT")
    if not given:
        for port in range(DEFAULT_PORT, 65536):
            if listener := bound(port):
                return listener
        raise CannotPrepare("Every port is taken.")
    if not given.isdecimal() or not 0 < int(given) < 65536:
        raise CannotPrepare(f"PORT is {given!r}; it must be a number from 1 to 65535.")
    listener = bound(int(given))
    if not listener:
        say(f"Port {given} is taken; waiting up to {PORT_SECONDS:.0f} seconds in case its owner is ending ...")
        ends = time.monotonic() + PORT_SECONDS
        while not listener and time.monotonic() < ends:
            time.sleep(0.25)
            listener = bound(int(given))
    if not listener:
        raise CannotPrepare(f"Port {given} is taken by another program. Choose another: make run PORT=...")
    return listener


def bound(port: int) -> socket.socket | None:
    """A socket on the port, which nobody listens on yet; None where it is taken."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        # Two programs can bind one port as long as neither listens.
        listener.listen(1024)
    except OSError:
        listener.close()
        return None
    return listener


def free_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def prepare_database(environment: dict[str, str]) -> None:
    """Bring the database up to date, in a process that says what it does.

    Raises:
        CannotPrepare: that failed.
    """
    command: list[str | Path] = [PYTHON, "-m", "deploy.prepare_database"]
    preparing = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C reaches this process alone, which ends that one
        preexec_fn=end_with_parent,
    )
    try:
        code = preparing.wait()
    except BaseException:
        preparing.terminate()
        preparing.wait()
        raise
    if code:
        raise CannotPrepare("The database could not be prepared (the lines above say why). Nothing was started.")


# --- Running ----------------------------------------------------------------------------------------------


def serve(data: Path, environment: dict[str, str], listener: socket.socket, signals: Signals) -> int:
    """Run the programs until somebody asks to stop.

    Returns: the exit code; 1 where the web server could not be started.
    """
    signals.raising = False
    supervisor = Supervisor(environment, data, signals)
    web = supervisor.add(web_server(listener))
    answers = Answers(environment["BIND"])
    try:
        if not wait_for_web(supervisor, web, answers):
            return 0 if signals.count else report_failure(web)
        announce(environment["BIND"], data)
        for name, command in programs(data, environment):
            supervisor.add(Program(name, command))
        while not signals.count:
            supervisor.look()
            if web.child and answers.silent_for(web.started) > SILENT_SECONDS:
                say(f"web: it has answered nothing for {SILENT_SECONDS:.0f} s and is replaced.")
                web.replace()
            time.sleep(TICK)
        return 0
    finally:
        answers.ended.set()
        say("\nStopping ... (Ctrl-C again: at once)")
        listener.close()
        supervisor.stop(STOP_ORDER)
        if signals.count:
            say("\nStopped.")


def web_server(listener: socket.socket) -> Program:
    """Gunicorn on the socket of ours; its workers outlive it for the requests they have begun."""
    command: list[str | Path] = [PYTHON, "-m", "gunicorn", "-c", ROOT / "deploy" / "gunicorn_conf.py"]
    descriptor = listener.fileno()
    environment = {"BIND": f"fd://{descriptor}"}
    return Program("web", command, environment, [descriptor], linger=6.0, longest_pause=WEB_PAUSE)


def programs(data: Path, environment: dict[str, str]) -> list[tuple[str, list[str | Path]]]:
    """Names and command lines of all but the web server, in the order in which they start.

    The clock is a worker for the sweeps alone: whatever the other one is busy with, or waits for, what has run out is
    given back in time. The simulated provider comes last; nothing else needs it to start.
    """
    provider = environment["FAKE_PROVIDER_URL"].rsplit(":", 1)[1].split("/")[0]
    slots = environment.get("WORKER_SLOTS", "8")  # as in config/settings/environment.py
    celery: list[str | Path] = [PYTHON, "-m", "celery", "-A", "config", "worker", "--loglevel", "INFO"]
    celery += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return [
        ("worker", [*celery, "--exclude-queues", SWEEPS, "--pool", "threads", "--concurrency", slots]),
        ("clock", [*celery, "--queues", SWEEPS, "--pool", "solo", "--clock", "--hostname", "clock@%h"]),
        ("provider", [PYTHON, "-m", "providers.fake.server", "--port", provider]),
    ]


class Answers:
    """Asks the web server for a sign of life, in a thread of its own, so that nobody else waits for it."""

    def __init__(self, address: str) -> None:
        self.host, port = address.split(":")
        self.port = int(port)
        self.first = threading.Event()
        self.ended = threading.Event()
        # When it was asked what it has not answered, nor anything since.
        self.failing_since: float | None = None
        self.status = 0
        threading.Thread(target=self.ask_again_and_again, daemon=True).start()

    def silent_for(self, since: float) -> float:
        """Seconds without an answer, counted from `since` at the earliest. Only what was asked counts: where this
        process stood still itself (Ctrl-Z), the web server was not silent."""
        failing_since = self.failing_since
        return 0.0 if failing_since is None else time.monotonic() - max(since, failing_since)

    def ask_again_and_again(self) -> None:
        while not self.ended.wait(SAY_SECONDS if self.first.is_set() else 0.1):
            asked_at = time.monotonic()
            self.status = self.ask()
            if self.status:
                self.failing_since = None
            elif self.failing_since is None:
                self.failing_since = asked_at
            if self.status == 200:
                self.first.set()

    def ask(self) -> int:
        """The status of the answer, whatever it is; 0 for none."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SILENT_SECONDS)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()


def wait_for_web(supervisor: Supervisor, web: Supervised, answers: Answers) -> bool:
    """Wait for its first answer as long as it lives, and say so; False where it ended again and again, or somebody
    asked to stop."""
    began = said = time.monotonic()
    while not answers.first.is_set():
        supervisor.look()
        if supervisor.signals.count or web.restarts >= START_ATTEMPTS:
            return False
        if time.monotonic() - said >= SAY_SECONDS:
            said = time.monotonic()
            what = f"process {web.child.process.pid}" if web.child else "it is about to be started again"
            answered = f", which answers {answers.status}" if answers.status else ""
            say(f"Waiting for the web server ({what}{answered}) for {said - began:.0f} s ...")
        answers.first.wait(TICK)
    return True


def announce(address: str, data: Path) -> None:
    sign_ins = data / "demo-sign-ins.txt"
    lines = [f"Mizan is ready:  http://{address}/"]
    if sign_ins.exists():
        lines += ["", "Demo sign-ins (also in " + str(sign_ins) + "):", sign_ins.read_text().rstrip()]
    lines += ["", f"Data and logs are in {data}. Ctrl-C stops everything."]
    say("\n" + "\n".join(lines) + "\n")


def report_failure(web: Supervised) -> int:
    say(f"\nThe web server ended {START_ATTEMPTS} times before its first answer. Its last lines:")
    say("\n".join((web.last_exit or {}).get("lines", [])))
    say(f"Its whole log: {web.log}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
