"""Frames of 100,000 spans, on both databases: the whole frame, and its files written chunk by chunk.

The study is JuICE's, generated, with every response and all that was said of it eight times over: 8,400 responses,
106,048 spans, 174,200 reviews. The floor is the bare reading of the same spans and reviews from the database, by the
same driver, as tuples. Prints; never passes or fails.
"""

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from typing import Any

from speed.results import report
from speed.servers import ROOT, installation

REPEATS = 5
COPIES = 8
SPANS = """SELECT s.*, r.key, r.uuid, r.text_sha256, p.key, v.tag, m.name FROM annotation_span s
JOIN projects_response r ON r.id = s.response_id JOIN projects_prompt p ON p.id = r.prompt_id
JOIN projects_languagevariety v ON v.id = r.variety_id JOIN projects_targetmodel m ON m.id = r.target_model_id
WHERE r.project_id = %s"""
REVIEWS = """SELECT v.span_id, v.rater_id, v.round, v.verdict FROM annotation_review v
JOIN annotation_span s ON s.id = v.span_id JOIN projects_response r ON r.id = s.response_id WHERE r.project_id = %s"""
TEXTS = "SELECT text FROM projects_response WHERE project_id = %s"


def main() -> None:
    for name, is_sqlite in (("SQLite", True), ("PostgreSQL", False)):
        with installation(sqlite=is_sqlite) as mizan:
            mizan.manage("load_demo", "--scale", "juice")
            program = f"from speed.frames_bench import measure; measure({name!r})"
            subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=mizan.environment, check=True)


def measure(name: str) -> None:
    """In the installation's own process."""
    import django

    django.setup()
    from django.db import connection

    from projects.models import Project
    from reports.frames import spans
    from reports.frames.files import CSV, PARQUET, blocks

    project = Project.objects.get(slug="juice")
    multiply(project)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # what PostgreSQL's own daemon does within a minute of an import
    spans.as_pandas(spans.as_table([]))  # pandas and pyarrow are loaded
    frame, seconds = best(lambda: spans(project))
    _rows, floor = best(lambda: bare(connection, project.pk))
    report(
        f"frame of {len(frame):,} spans, {name}",
        f"{seconds:.2f} s",
        floor=f"{floor:.2f} s",
        ratio=seconds / floor,
        bar="100,000 under 2 s",
    )
    for file_format in (CSV, PARQUET):
        size, seconds = best(lambda form=file_format: sum(map(len, blocks(spans, project, form))))  # type: ignore[misc]
        report(
            f"the same as {file_format}, {size / 1e6:.0f} MB, {name}",
            f"{seconds:.2f} s",
            floor=f"{floor:.2f} s",
            ratio=seconds / floor,
        )
        peak = peak_memory(blocks(spans, project, file_format))
        report(f"the same as {file_format}, memory at its peak, {name}", f"{peak:.0f} MB", bar="constant")


def best(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and the seconds of the quickest of several runs."""
    result, seconds = None, float("inf")
    for _ in range(REPEATS):
        began = time.perf_counter()
        result = work()
        seconds = min(seconds, time.perf_counter() - began)
    return result, seconds


def bare(connection: Any, project: int) -> list[tuple]:
    rows = []
    with connection.cursor() as cursor:
        for statement in (SPANS, REVIEWS, TEXTS):
            cursor.execute(statement, [project])
            rows += cursor.fetchall()
    return rows


def peak_memory(blocks: Iterable[bytes]) -> float:
    """Most memory that Python held at once while the file was written, in MB."""
    tracemalloc.start()
    for _block in blocks:
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def multiply(project: Any) -> None:
    """Every response and what was said of it, COPIES times over, under other keys."""
    from annotation.models import Marking, Review, Span
    from projects.models import Response

    of_project = {"response__project": project}
    responses = list(project.responses.order_by("id"))
    markings = list(Marking.objects.filter(**of_project).order_by("id"))
    spans = list(Span.objects.filter(**of_project).order_by("id"))
    reviews = list(Review.objects.filter(span__response__project=project).order_by("id"))
    for copy in range(1, COPIES):
        texts = {
            old.pk: Response(
                project=project,
                prompt_id=old.prompt_id,
                target_model_id=old.target_model_id,
                variety_id=old.variety_id,
                key=f"{old.key}-{copy}",
                text=old.text,
                text_sha256=old.text_sha256,
            )
            for old in responses
        }
        Response.objects.bulk_create(texts.values(), batch_size=500)
        answers = {old.pk: copied(old, response=texts[old.response_id]) for old in markings}
        Marking.objects.bulk_create(answers.values(), batch_size=500)
        marks = {
            old.pk: copied(
                old, response=texts[old.response_id], marking=answers[old.marking_id], group_id=None, gold_error_id=None
            )
            for old in spans
        }
        Span.objects.bulk_create(marks.values(), batch_size=500)
        Review.objects.bulk_create((copied(old, span=marks[old.span_id]) for old in reviews), batch_size=500)


def copied(row: Any, **changes: Any) -> Any:
    values = {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    }
    for name in changes:
        values.pop(f"{name}_id", None)
    return type(row)(**values | changes)


if __name__ == "__main__":
    main()
