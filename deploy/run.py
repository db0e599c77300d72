"""Start the whole of Mizan from a fresh clone: `make run`. Needs Python 3.11 and nothing else.

PORT (8000, or the next free one) and DATA_DIR (./data) are taken from the environment. The web server, the
worker and the simulated provider are children of this process; Ctrl-C ends them in order.
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
import time
from pathlib import Path
from typing import IO

from deploy.preparation import PYTHON, ROOT, CannotPrepare, prepare, say
from deploy.processes import Child, Interrupted, end_on_signals, first_ended, stop_in_order, wait_until

HOST = "127.0.0.1"
DEFAULT_PORT = 8000
START_SECONDS = 60
Program = tuple[str, list[str | Path]]


def main() -> int:
    end_on_signals()
    data = Path(os.environ.get("DATA_DIR") or ROOT / "data").resolve()
    try:
        lock = lock_data(data)
        prepare()
        environment = embedded_environment(data)
        prepare_database(environment)
        return serve(data, environment)
    except CannotPrepare as missing:
        say(f"\n{missing}")
        return 1
    except Interrupted:
        say("\nStopped.")
        return 0
    finally:
        if "lock" in locals():
            lock.close()


def lock_data(data: Path) -> IO[str]:
    """Two servers on one data folder would take each other's work: the second one ends here."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = (data / ".run-lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CannotPrepare(
            f"Mizan already runs on the data folder {data}.\n"
            "Stop it first, or give this one a folder of its own: make run DATA_DIR=/another/folder"
        ) from None
    return lock


def embedded_environment(data: Path) -> dict[str, str]:
    """What the children see: this process's variables, with the data folder and free ports filled in."""
    provider = free_port(HOST)
    return {
        **os.environ,
        "DATA_DIR": str(data),
        "BIND": f"{HOST}:{web_port()}",
        "FAKE_PROVIDER_URL": os.environ.get("FAKE_PROVIDER_URL") or f"http://{HOST}:{provider}/v1",
        "PYTHONUNBUFFERED": "1",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }


def web_port() -> int:
    """PORT where it is given, else 8000 or the first free one after it.

    Raises:
        CannotPrepare: PORT is not a port, or taken.
    """
    given = os.environ.get("PORT")
    if given:
        if not given.isdecimal() or not 0 < int(given) < 65536:
            raise CannotPrepare(f"PORT is {given!r}; it must be a number from 1 to 65535.")
        if not is_free(int(given)):
            raise CannotPrepare(f"Port {given} is taken by another program. Choose another: make run PORT=...")
        return int(given)
    return next(port for port in range(DEFAULT_PORT, 65536) if is_free(port))


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def free_port(host: str) -> int:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return probe.getsockname()[1]


def prepare_database(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [PYTHON, "-m", "deploy.prepare_database"], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL
    )
    if done.returncode:
        raise CannotPrepare("The database could not be prepared (the lines above say why). Nothing was started.")


def serve(data: Path, environment: dict[str, str]) -> int:
    """Run the children until one ends or somebody asks to stop.

    Returns: the exit code; 1 where a child ended by itself.
    """
    children: list[Child] = []
    try:
        for name, command in programs(data, environment):
            log = data / "logs" / f"{name}.log"
            children.append(Child(name, command, log, environment=environment, folder=ROOT))
        # The order in which they end: what works before what it talks to.
        children.sort(key=lambda child: ["web", "worker", "provider"].index(child.name))
        if wait_until(lambda: answers(environment["BIND"]), children, START_SECONDS):
            announce(environment["BIND"], data)
            watch(children)
        return report_end(children)
    finally:
        say("\nStopping ...")
        for child in children:
            if child.name != "provider":  # the worker may be waiting for its answer
                child.ask_to_stop()
        stop_in_order(children)


def programs(data: Path, environment: dict[str, str]) -> list[Program]:
    """Names and command lines of the children, in the order in which they start."""
    (data / "broker" / "control").mkdir(parents=True, exist_ok=True)
    provider = environment["FAKE_PROVIDER_URL"].rsplit(":", 1)[1].split("/")[0]
    # Beat runs inside the worker: there is exactly one worker here, and one process less to start.
    beat: list[str | Path] = ["--beat", "--schedule", data / "celerybeat-schedule"]
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    threads = ["--pool", "threads", "--concurrency", "4"]
    return [
        ("web", [PYTHON, "-m", "gunicorn", "-c", ROOT / "deploy" / "gunicorn_conf.py"]),
        ("worker", [PYTHON, "-m", "celery", "-A", "config", "worker", "--loglevel", "INFO", *threads, *beat, *alone]),
        ("provider", [PYTHON, "manage.py", "fake_provider", "--port", provider]),
    ]


def answers(address: str) -> bool:
    host, port = address.split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def announce(address: str, data: Path) -> None:
    sign_ins = data / "demo-sign-ins.txt"
    lines = [f"Mizan is ready:  http://{address}/"]
    if sign_ins.exists():
        lines += ["", "Demo sign-ins (also in " + str(sign_ins) + "):", sign_ins.read_text().rstrip()]
    lines += ["", f"Data and logs are in {data}. Ctrl-C stops everything."]
    say("\n" + "\n".join(lines) + "\n")


def watch(children: list[Child]) -> None:
    """Until a child ends, show what in the logs a person should know of; the rest stays in the files."""
    for child in children:
        child.new_log_lines()
    while not first_ended(children):
        for child in children:
            for line in child.new_log_lines():
                if " ERROR " in line or " CRITICAL " in line or "[ERROR]" in line or "/ERROR" in line:
                    say(f"{child.name}: {line}")
        time.sleep(0.5)


def report_end(children: list[Child]) -> int:
    ended = first_ended(children)
    if ended:
        say(f"\nThe {ended.name} process ended by itself (code {ended.process.returncode}):")
        say(ended.last_log_lines())
        say(f"Its whole log: {ended.log}")
    else:
        say(f"\nThe web server did not answer within {START_SECONDS} seconds:")
        say(children[0].last_log_lines())
    return 1


if __name__ == "__main__":
    sys.exit(main())
