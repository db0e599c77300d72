"""Whether a backup of SQLite is whole and Mizan's, as far as the file itself can show: check_backup.py FILE.

Ends with 1 and a sentence where it is not. The standard library alone.
"""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from collections.abc import Iterator

NEEDED = {"django_migrations", "projects_project", "projects_response", "projects_auditevent"}
# Texts whose hash is kept beside them: a flipped byte inside a text breaks no structure.
HASHED = ("projects_prompt", "projects_response")


def problems(connection: sqlite3.Connection) -> Iterator[str]:
    """What is wrong, one sentence each. Raises sqlite3.DatabaseError where the file cannot be read at all."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if missing := NEEDED - tables:
        yield f"It is no database of Mizan: it has no {', '.join(sorted(missing))}."
        return
    for (problem,) in connection.execute("PRAGMA integrity_check(10)"):
        if problem != "ok":
            yield f"It is damaged: {problem}"
    for table, row, parent, _key in connection.execute("PRAGMA foreign_key_check"):
        yield f"Row {row} of {table} points at nothing in {parent}."
    for table in HASHED:
        for row, text, sha256 in connection.execute(f"SELECT id, text, text_sha256 FROM {table}"):
            if hashlib.sha256(text.encode()).hexdigest() != sha256:
                yield f"The text of row {row} of {table} is not what its hash says."


def main(path: str) -> None:
    try:
        # A file shorter than its header says is read without complaint where nobody looks at its end.
        with open(path, "rb") as file:
            header = file.read(100)
            size = file.seek(0, 2)
        page_size = int.from_bytes(header[16:18], "big") or 0
        page_size = 65536 if page_size == 1 else page_size
        if not header.startswith(b"SQLite format 3\0") or size != page_size * int.from_bytes(header[28:32], "big"):
            sys.exit("It was cut, or is no SQLite database.")
        connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        first = next(problems(connection), None)
    except (OSError, sqlite3.DatabaseError, UnicodeError) as error:
        first = f"It cannot be read: {error}"
    if first:
        sys.exit(first)


if __name__ == "__main__":
    main(sys.argv[1])
