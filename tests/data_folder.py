"""Looking at the files of the tests' own data folder, among them the database that this process has open."""

import subprocess
from pathlib import Path


def content_of(path: Path) -> bytes:
    """Read by another process: to close a file of SQLite's here would let go of all locks that this process has on it,
    and the next to write beside us would break the database.
    """
    return subprocess.run(["cat", path], capture_output=True, check=True).stdout
