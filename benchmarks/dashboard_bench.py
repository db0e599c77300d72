"""The span dashboard at the size of JuICE: 1,050 responses, 13,256 spans, 21,775 reviews, 48 raters.

Cold: nothing computed before, as after a new version. Warm: nothing has changed. After one answer: a new marking in
one setting. The page includes signing, permission, tables and charts' data as a lead's browser gets them. The floor
is the bare reading of the same spans and reviews from the database. Prints; never passes or fails.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.results import report
from benchmarks.servers import ROOT, Installation, installation

REPEATS = 5
ROWS = """SELECT s.* FROM annotation_span s JOIN projects_response r ON r.id = s.response_id WHERE r.project_id = %s"""
VERDICTS = """SELECT v.* FROM annotation_review v JOIN annotation_span s ON s.id = v.span_id
JOIN projects_response r ON r.id = s.response_id WHERE r.project_id = %s"""


def main() -> None:
    for name, is_sqlite in (("SQLite, files as cache", True), ("PostgreSQL, Redis as cache", False)):
        with installation(sqlite=is_sqlite) as mizan:
            mizan.manage("load_demo", "--scale", "juice")
            measure_in(mizan, name)


def measure_in(mizan: Installation, name: str) -> None:
    program = f"from benchmarks.dashboard_bench import measure; measure({name!r})"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=mizan.environment, check=True)


def measure(name: str) -> None:
    """In the installation's own process: times of the figures alone and of the whole page."""
    import django

    django.setup()
    from django.db import connection
    from django.test import Client

    from projects.models import Project, User
    from reports.spans.dashboard import tables

    project = Project.objects.get(slug="juice")
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.create_superuser("bench@example.org", "a pass phrase of the bench"))

    def page() -> None:
        answer = client.get("/p/juice/results/")
        assert answer.status_code == 200, answer.status_code

    def bare() -> None:
        with connection.cursor() as cursor:
            for statement in (ROWS, VERDICTS):
                cursor.execute(statement, [project.pk])
                cursor.fetchall()

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # what PostgreSQL's own daemon does within a minute of an import
    floor = timed(bare)
    print(f"{name}: bare reading of spans and reviews {floor * 1000:.0f} ms")
    for what, work in (("figures", lambda: tables(project)), ("page", page)):
        for state, seconds, bar in (
            ("cold", timed(work, before=forget), "under 1 s"),
            ("warm", timed(work), "under 100 ms"),
            ("after one answer", timed(work, before=lambda: mark_once(project)), "-"),
        ):
            bare_read = f"{floor * 1000:.0f} ms bare reading"
            figure = f"{seconds * 1000:.0f} ms"
            report(f"dashboard, {what}, {state}, {name}", figure, floor=bare_read, ratio=seconds / floor, bar=bar)


def forget() -> None:
    """Nothing computed in this process or before it is left."""
    from django.core.cache import cache

    from reports.spans.loading import sentences_of, words_of

    cache.clear()
    words_of.cache_clear()
    sentences_of.cache_clear()


def mark_once(project: Any) -> None:
    """One more person marks one response, and its gold follows."""
    from annotation.following import answers_changed
    from annotation.models import Marking
    from projects.models import Rater, RaterKind

    rater, _ = Rater.objects.get_or_create(project=project, kind=RaterKind.HUMAN, name="One more annotator")
    response = project.responses.exclude(markings__rater=rater).order_by("id").first()
    Marking.objects.create(response=response, rater=rater, no_errors=True)
    answers_changed([response.pk])


def timed(work: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> float:
    """Median wall-clock seconds of the work alone."""
    times = []
    for _ in range(REPEATS):
        before()
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)
