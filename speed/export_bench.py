"""Gold export at JuICE scale beside the floor: two server-side cursors of psycopg, merged and encoded by orjson.

The floor reads the same columns and writes lines of the same shape, but counts no UTF-16 units, sorts nothing
and has no canonical order of keys.
"""

import os
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import groupby

import orjson
import psycopg

from speed.results import report
from speed.servers import Installation, installation

REPEATS = 7
RESPONSES = """
    SELECT r.id, r.key, p.key, p.text, p.text_sha256, v.tag, m.name, l.slug, r.text, r.text_sha256, p.task, p.domain,
           r.metadata
    FROM projects_response r JOIN projects_prompt p ON p.id = r.prompt_id
    JOIN projects_languagevariety v ON v.id = r.variety_id JOIN projects_targetmodel m ON m.id = r.target_model_id
    JOIN projects_laboratory l ON l.id = m.laboratory_id JOIN annotation_goldanswer g ON g.response_id = r.id
    ORDER BY r.id"""
ERRORS = """
    SELECT e.response_id, e.key, e.anchor, e.start, e."end", e.quote, e.paragraph, e.error_type, c.slug, c.depth,
           e.criticality, e.explanation, e.correction, e.varies_by_region, e.found_by_human, e.found_by_judge,
           e.provenance
    FROM annotation_golderror e LEFT JOIN annotation_errorcategory c ON c.id = e.category_id
    ORDER BY e.response_id, e.start"""
RESPONSE_KEYS = (
    *("id", "prompt_id", "prompt", "prompt_sha256", "variety", "model", "laboratory", "response", "response_sha256"),
    *("task", "domain", "metadata"),
)
ERROR_KEYS = (
    *("id", "anchor", "start", "end", "quote", "paragraph", "type", "category", "depth", "criticality", "explanation"),
    *("correction", "varies_by_region", "human", "judge", "provenance"),
)


def bare(address: str) -> Iterator[bytes]:
    with (
        psycopg.connect(address) as connection,
        connection.cursor(name="responses") as responses,
        connection.cursor(name="errors") as errors,
    ):
        responses.itersize = errors.itersize = 2000
        responses.execute(RESPONSES)
        errors.execute(ERRORS)
        groups = groupby(errors, key=lambda row: row[0])
        following = next(groups, None)
        for row in responses:
            line = dict(zip(RESPONSE_KEYS, row[1:], strict=True))
            line["errors"] = []
            if following and following[0] == row[0]:
                line["errors"] = [dict(zip(ERROR_KEYS, error[1:], strict=True)) for error in following[1]]
                following = next(groups, None)
            yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def timed(stream: Callable[[], Iterator[bytes]]) -> tuple[float, float, int]:
    """Seconds to the first byte and to the last, and how many bytes; the best of several runs."""
    best = (float("inf"), float("inf"), 0)
    for _ in range(REPEATS):
        began = time.perf_counter()
        first, size = 0.0, 0
        for line in stream():
            first = first or time.perf_counter() - began
            size += len(line)
        best = min(best, (first, time.perf_counter() - began, size), key=lambda run: run[1])
    return best


def peak_memory(stream: Callable[[], Iterator[bytes]]) -> float:
    """Most memory that Python held at once while the stream was read, in MB."""
    tracemalloc.start()
    for _line in stream():
        pass
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def measure(mizan: Installation, name: str) -> None:
    from projects.models import Project
    from reports.spans.gold import lines

    project = Project.objects.get(slug="juice")
    first, seconds, size = timed(lambda: lines(project))
    address = mizan.environment["DATABASE_URL"].replace("postgres://", "postgresql://")
    _first, floor_seconds, floor_size = timed(lambda: bare(address))
    rate, floor = size / seconds, floor_size / floor_seconds
    report(
        f"gold export, {size / 1e6:.1f} MB, {name}",
        f"{seconds * 1000:.0f} ms, {rate / 1e6:.0f} MB/s",
        floor=f"{floor_seconds * 1000:.0f} ms, {floor / 1e6:.0f} MB/s",
        ratio=rate / floor,
        bar="300 ms; at least 0.5 of the floor's MB/s",
    )
    report("gold export, first byte", f"{first * 1000:.0f} ms", bar="under 200 ms")
    report("gold export, memory at its peak", f"{peak_memory(lambda: lines(project)):.1f} MB", bar="constant")


def main() -> None:
    with installation() as mizan:
        mizan.manage("load_demo", "--scale", "juice")
        os.environ.update(mizan.environment)
        import django
        from django.db import connection

        django.setup()
        began = time.perf_counter()
        from annotation.gold import derive
        from annotation.models import GoldError
        from projects.models import Response

        derive(Response.objects.values_list("id", flat=True))
        print(f"gold derived again: {(time.perf_counter() - began) * 1000:.0f} ms")
        GoldError.objects.all().delete()
        began = time.perf_counter()
        count = derive(Response.objects.values_list("id", flat=True))
        print(f"gold derived afresh, {count} errors: {(time.perf_counter() - began) * 1000:.0f} ms   aim: about 1 s")
        measure(mizan, "PostgreSQL")
        connection.close()


if __name__ == "__main__":
    main()
