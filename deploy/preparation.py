"""What must stand beside the sources before anything can start; the standard library alone.

Python packages go to `.venv`, front-end packages to `node_modules`, the bundle to `static/dist`, compiled
translations beside their sources. Each step keeps a stamp, the hash of all it was made from, so a later start
skips it after one comparison. A stamp is written last: an interrupted step is done again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
OLDEST_NODE = 18
PIP_INSTALL: list[str | Path] = [PYTHON, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
# The lock files are complete, so --no-deps only spares pip from working the graph out again.
PIP_INSTALL += ["--progress-bar", "off", "--no-deps", "--require-hashes", "-r"]


class CannotPrepare(Exception):
    """Something is missing on this machine; the message says what, and the line that installs it."""


def prepare(requirements: str = "requirements.txt") -> None:
    """Make the packages, the bundle and the translations current; only what changed is done.

    The two package managers wait for downloads most of the time, so they run beside each other.

    Raises:
        CannotPrepare: a tool is missing or failed; the message is for the person at the terminal.
    """
    with alone():
        create_environment()
        in_parallel(lambda: install_python_packages(requirements), build_front_end)
        compile_translations()


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """One start at a time works on these sources: several copies of Mizan may run from them."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start prepares the same sources; waiting for it ...")
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def say(line: str) -> None:
    """Print it; a terminal that was closed, or a full disk behind it, is no reason to stop."""
    with contextlib.suppress(OSError, ValueError):
        print(line, flush=True)


def in_parallel(*steps: Callable[[], None]) -> None:
    """Run the steps in threads, wait for all, raise the first failure."""
    failures: list[BaseException] = []

    def attempt(step: Callable[[], None]) -> None:
        try:
            step()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=attempt, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        # Asked to end while tools run: they are ended too, or the threads would wait for them.
        for tool in list(RUNNING):
            tool.terminate()
        raise
    if failures:
        raise failures[0]


RUNNING: set[subprocess.Popen[str]] = set()


def run(command: list[str | Path], what: str) -> None:
    """Run one tool quietly; its output is shown only where it fails."""
    path = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    tool = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    RUNNING.add(tool)
    try:
        output, _ = tool.communicate()
    except BaseException:
        tool.terminate()
        tool.wait()
        raise
    finally:
        RUNNING.discard(tool)
    if tool.returncode:
        raise CannotPrepare(f"{output.strip()}\n\n{what} failed (the lines above say why). Mend that and start again.")


def fingerprint(paths: Iterable[Path]) -> str:
    """SHA-256 over names and contents, so a renamed file counts as a change too."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def read_stamp(path: Path) -> str:
    return path.read_text() if path.exists() else ""


# --- Python packages --------------------------------------------------------------------------------


def create_environment() -> None:
    if PYTHON.exists() and subprocess.run([PYTHON, "-c", "import pip"], capture_output=True).returncode == 0:
        return
    if subprocess.run([sys.executable, "-c", "import ensurepip, venv"], capture_output=True).returncode:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise CannotPrepare(
            f"Python {version} lacks its module for virtual environments. On Debian and Ubuntu install it with\n"
            f"    {as_root()}apt-get install python{version}-venv\nand start again."
        )
    say("Creating the virtual environment .venv ...")
    run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], "Creating .venv")


def as_root() -> str:
    return "" if os.geteuid() == 0 else "sudo "


def install_python_packages(requirements: str) -> None:
    """Install one lock file, hashes checked, unless exactly that file was installed last."""
    stamp = ENVIRONMENT / "installed.json"
    installed = json.loads(read_stamp(stamp) or "{}")
    lock = ROOT / requirements
    current = fingerprint([lock])
    if installed.get(requirements) == current:
        return
    count = len(re.findall(r"^[\w.\-\[\]]+==", lock.read_text(), re.MULTILINE))
    say(f"Installing {count} Python packages (only when they changed) ...")
    run(
        [*PIP_INSTALL, lock],
        "Installing the Python packages",
    )
    # The developers' lock is made under the constraints of the other one and holds all of it.
    stamp.write_text(json.dumps({name: fingerprint([ROOT / name]) for name in {requirements, "requirements.txt"}}))


# --- Front end --------------------------------------------------------------------------------------


def build_front_end() -> None:
    """Bundle scripts, styles and fonts into static/dist, unless they were built from these very sources."""
    dist = ROOT / "static" / "dist"
    stamp = dist / ".built-from"
    sources = [ROOT / "package.json", ROOT / "package-lock.json"]
    # Nor what another build has under way, or left behind.
    made = [dist, *(ROOT / "static").glob(".making-*")]
    below = (ROOT / "static").rglob("*")
    sources += [path for path in below if path.is_file() and not any(map(path.is_relative_to, made))]
    current = fingerprint(sources)
    if read_stamp(stamp) == current:
        return
    npm = find_npm()
    install_front_end_packages(npm)
    say("Building the front end ...")
    run([npm, "run", "build", "--silent"], "Building the front end")
    stamp.write_text(current)


def install_front_end_packages(npm: Path) -> None:
    packages = ROOT / "node_modules"
    if packages.is_symlink():
        return  # shared with another work tree: npm would empty the folder that the link points to
    stamp = packages / ".installed-from"
    current = fingerprint([ROOT / "package-lock.json"])
    if read_stamp(stamp) == current:
        return
    say("Installing the front end's packages (only when they changed) ...")
    run(
        [npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
        "Installing the front end's packages",
    )
    stamp.write_text(current)


def find_npm() -> Path:
    """The machine's npm where its Node is recent enough, else one installed into the virtual environment."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and node_version(node) >= OLDEST_NODE:
        return Path(npm)
    own = ENVIRONMENT / "bin" / "npm"
    if not own.exists():
        say(f"Node {OLDEST_NODE} or later was not found: installing one into .venv ...")
        run(
            [*PIP_INSTALL, ROOT / "requirements-node.txt"],
            "Installing Node",
        )
    return own


def node_version(node: str) -> int:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"v(\d+)", answer)
    return int(version[1]) if version else 0


# --- Translations -----------------------------------------------------------------------------------


def compile_translations() -> None:
    """Compile every .po file below locale/ with Babel, which needs no gettext tools on the machine."""
    for source in sorted((ROOT / "locale").glob("**/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        language = source.parent.parent.name
        say(f"Compiling the translation {language}/{source.stem} ...")
        run(
            [PYTHON, "-m", "babel.messages.frontend", "compile", "-i", source, "-o", compiled, "-l", language],
            f"Compiling {source.relative_to(ROOT)}",
        )


if __name__ == "__main__":
    try:
        prepare(*sys.argv[1:])
    except CannotPrepare as missing:
        sys.exit(str(missing))
