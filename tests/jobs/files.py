"""Files that are brought in by a worker, for they are too large to be brought in at once."""

import json

from jobs.importing import SMALL_BYTES, begin_import
from jobs.models import Job
from projects.models import Project, User

SHARED = {"variety": "ar-EG", "model": "Nile-7B", "laboratory": "Delta", "response": "كلمة " * 200}


def items(lines: int, **changes: object) -> bytes:
    """So many responses, more than a small file."""
    rows = ({"id": f"r{n}", "prompt": f"question {n}", **SHARED, **changes} for n in range(lines))
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    assert len(content) > SMALL_BYTES
    return content


def waiting_import(project: Project, by: User, lines: int = 300, content: bytes = b"", dry_run: bool = False) -> Job:
    blocks = [content or items(lines)]
    return begin_import(project, blocks, "items.jsonl", "items", "jsonl", dry_run=dry_run, by=by)
