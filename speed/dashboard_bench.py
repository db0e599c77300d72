"""The dashboards at the size of the published studies, on both databases.

JuICE: 1,050 responses, 47,508 spans of fifteen judges and 46 people, 21,775 reviews. Perle: 302 responses, five
judges. MENLO: 6,423 pairs, 81,014 grades of 1,934 raters, eight setups of a judge.
Cold: nothing computed before, as after a new version. Warm: nothing has changed. After one answer: a new answer in
one setting. The page includes signing, permission, tables and charts' data as a lead's browser gets them. The floor
is the bare reading of the same spans and reviews, or verdicts, from the database. Prints; never passes or fails.
"""

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from speed.results import report
from speed.servers import ROOT, Installation, installation

REPEATS = 5
SPANS = """SELECT s.* FROM annotation_span s JOIN projects_response r ON r.id = s.response_id WHERE r.project_id = %s"""
REVIEWS = """SELECT v.* FROM annotation_review v JOIN annotation_span s ON s.id = v.span_id
JOIN projects_response r ON r.id = s.response_id WHERE r.project_id = %s"""
VERDICTS = """SELECT v.* FROM rubrics_verdict v JOIN rubrics_grade g ON g.id = v.grade_id
JOIN projects_response r ON r.id = g.response_id WHERE r.project_id = %s"""


RATINGS = """SELECT a.* FROM annotation_rating a JOIN projects_questiontype q ON q.id = a.question_id
WHERE q.project_id = %s"""


class Study(NamedTuple):
    """A generated project, its page, what its figures are read from, one more answer in it, and the seconds it may
    take cold."""

    slug: str
    page: str
    rows: tuple[str, ...]
    answer: Callable[[Any], None]
    bar: int = 1


def main() -> None:
    for name, is_sqlite in (("SQLite, files as cache", True), ("PostgreSQL, Redis as cache", False)):
        with installation(sqlite=is_sqlite) as mizan:
            for study in STUDIES:
                if study.slug != "menlo":
                    mizan.manage("load_demo", "--scale", study.slug)
            measure_in(mizan, name)


def measure_in(mizan: Installation, name: str) -> None:
    program = f"from speed.dashboard_bench import measure; measure({name!r})"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=mizan.environment, check=True)


def measure(name: str) -> None:
    """In the installation's own process: times of the figures alone and of the whole page."""
    import django

    django.setup()
    from django.db import connection, transaction
    from django.test import Client

    from projects.models import User
    from tests.reports.menlo import a_study

    with transaction.atomic():
        a_study("menlo")
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.create_superuser("bench@example.org", "a pass phrase of the bench"))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # what PostgreSQL's own daemon does within a minute of an import
    gc.collect()
    gc.freeze()  # as web servers and workers do with what they have loaded (deploy/gunicorn_conf.py)
    gc.set_threshold(10_000, 20, 20)
    for study in STUDIES:
        measure_study(study, name, client)


def measure_study(study: Study, name: str, client: Any) -> None:
    from django.db import connection

    from projects.models import Project
    from reports.dashboard.dashboards import of_page

    project = Project.objects.get(slug=study.slug)
    dashboard = of_page(study.page)

    def page() -> None:
        answer = client.get(f"/p/{study.slug}/{study.page}/")
        assert answer.status_code == 200, answer.status_code

    def bare() -> None:
        with connection.cursor() as cursor:
            for statement in study.rows:
                cursor.execute(statement, [project.pk])
                cursor.fetchall()

    floor = timed(bare)
    bare_read = f"{floor * 1000:.0f} ms bare reading"
    for what, work in (("figures", lambda: dashboard.read(project, {})), ("page", page)):
        for state, seconds, bar in (
            ("cold", timed(work, before=forget), f"under {study.bar} s"),
            ("warm", timed(work), "under 100 ms"),
            ("after one answer", timed(work, before=lambda: study.answer(project)), "-"),
        ):
            figure = f"{seconds * 1000:.0f} ms"
            title = f"dashboard of {study.slug}, {what}, {state}, {name}"
            report(title, figure, floor=bare_read, ratio=seconds / floor, bar=bar)


def forget() -> None:
    """Nothing computed in this process or before it is left."""
    from django.core.cache import cache

    from reports.spans.cutting import words_of

    cache.clear()
    words_of.cache_clear()


def mark_once(project: Any) -> None:
    """One more person marks one response, and its gold follows."""
    from annotation.models import Marking
    from annotation.receivers import answers_changed
    from projects.models import Rater, RaterKind

    rater, _ = Rater.objects.get_or_create(project=project, kind=RaterKind.HUMAN, name="One more annotator")
    response = project.responses.exclude(markings__rater=rater).order_by("id").first()
    Marking.objects.create(response=response, rater=rater, no_errors=True)
    answers_changed([response.pk])


def grade_once(project: Any) -> None:
    """One more person repeats the first grading of one response."""
    from projects.models import Rater, RaterKind
    from rubrics.models import Grade, GradeRole, Verdict

    rater, _ = Rater.objects.get_or_create(project=project, kind=RaterKind.HUMAN, name="One more grader")
    firsts = Grade.objects.filter(response__project=project, role=GradeRole.REFERENCE)
    first = firsts.exclude(response__grades__rater=rater).order_by("id")[0]
    again = Grade.objects.create(
        response=first.response,
        rubric=first.rubric,
        rater=rater,
        role=GradeRole.REGRADE,
        raw=first.raw,
        maximum=first.maximum,
    )
    said = first.verdicts.filter(criterion__response=None).values_list("criterion_id", "value")
    Verdict.objects.bulk_create(Verdict(grade=again, criterion_id=pk, value=value) for pk, value in said)


def rate_once(project: Any) -> None:
    """One more person repeats an answer to one pair."""
    from annotation.models import Rating
    from projects.models import Rater, RaterKind

    rater, _ = Rater.objects.get_or_create(project=project, kind=RaterKind.HUMAN, name="One more rater")
    rated = Rating.objects.filter(question__project=project, pair__isnull=False, rater__kind=RaterKind.HUMAN)
    again = rated.exclude(pair__ratings__rater=rater).order_by("id")[0]
    again.pk, again.rater = None, rater
    again.save()


STUDIES = (
    Study("juice", "results", (SPANS, REVIEWS), mark_once),
    Study("perle", "rubric-results", (VERDICTS,), grade_once),
    Study("menlo", "rating-results", (RATINGS,), rate_once, 3),
)


def timed(work: Callable[[], Any], before: Callable[[], Any] = lambda: None) -> float:
    """Median wall-clock seconds of the work alone."""
    times = []
    for _ in range(REPEATS):
        before()
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)
