"""In which state the rows are that figures are made of: exact, and without a look at them.

Every write of a measured row moves the revision of its place and part (triggers.py beside this). One query reads all
of a project's, and figures are kept under what it finds.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, Q, Sum

from projects.models import Project
from reports.models import ALL, DataRevision


def digest(value: Any) -> str:
    """16 hexadecimal digits that stand for a value of plain types."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Revisions:
    """Number of writes and sum of tokens by variety (ALL for what is written for all of them) and part."""

    everywhere: tuple[tuple[int, int], ...]
    places: Mapping[tuple[int, str], tuple[int, int]]

    def of(self, *parts: str, variety: int | None = None) -> tuple[Any, ...]:
        """The state of these parts: in one variety, together with what is written for all; or in every one."""
        if variety is None:
            there = [(place, state) for place, state in sorted(self.places.items()) if place[1] in parts]
            return (*self.everywhere, *there)
        here = [self.places.get((place, part)) for part in parts for place in (ALL, variety)]
        return (*self.everywhere, *here)


def revisions(project: Project) -> Revisions:
    """As committed, and as written in this transaction. One query, by index."""
    rows = (
        DataRevision.objects.filter(project_id__in=(ALL, project.pk))
        .order_by()
        .values_list("project_id", "variety_id", "part")
        .annotate(n=Sum("writes"), told=Sum("token"))
    )
    everywhere: list[tuple[int, int]] = []
    places = {}
    for owner, variety, part, writes, token in rows:
        if owner == ALL:
            everywhere.append((int(writes), int(token)))
        else:
            places[variety, part] = (int(writes), int(token))
    return Revisions(tuple(sorted(everywhere)), places)


def compact() -> int:
    """Put the rows of each place together into one and forget projects that are gone; return how many rows went.

    A reader sees a place as before or as after, and finds the same sums; no writer is waited for, as its rows are not
    there yet.
    """
    gone = ~Q(project_id=ALL) & ~Exists(Project.objects.filter(pk=OuterRef("project_id")))
    removed, _ = DataRevision.objects.filter(gone).delete()
    if connection.vendor != "postgresql":  # there a place has one row as it is
        return removed
    with connection.cursor() as cursor:
        cursor.execute(PUT_TOGETHER)
        return removed + cursor.fetchone()[0]


ROWS, PLACE = DataRevision._meta.db_table, "project_id, variety_id, part"
# One statement, so that nobody sees the one without the other.
PUT_TOGETHER = f"""
WITH crowded AS (SELECT {PLACE} FROM {ROWS} GROUP BY {PLACE} HAVING count(*) > 1),
     gone AS (DELETE FROM {ROWS} r USING crowded c
              WHERE r.project_id = c.project_id AND r.variety_id = c.variety_id AND r.part = c.part
              RETURNING r.project_id, r.variety_id, r.part, r.writes, r.token),
     made AS (INSERT INTO {ROWS} ({PLACE}, writes, token)
              SELECT {PLACE}, sum(writes), sum(token) FROM gone GROUP BY {PLACE} RETURNING 1)
SELECT (SELECT count(*) FROM gone) - (SELECT count(*) FROM made)
"""
