"""Times judge calls at 50 ms, planned to stored, beside a bare asyncio loop over the same SDK, in one run.

1,000 calls that mark errors, and the 1,309 evaluations by rubric of Perle's study: five judges, one after the other.

Run from the project's root: `python -m benchmarks.judging_bench [--calls N] [--latency-ms N]`. It prints and never
passes or fails. The database is DATABASE_URL's test database (SQLite in a temporary folder where it is not set).
"""

import argparse
import asyncio
import os
import resource
import tempfile
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # Django is set up first
    from django.db.models import QuerySet

    from judging.models import Judge
    from projects.models import Response

from benchmarks.results import report
from benchmarks.rubric_study import EVALUATIONS, NEGATIVE, POSITIVE, a_study

CONCURRENCY = 64
PARAGRAPHS = 4
WORDS_PER_PARAGRAPH = 60
REPEATS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--latency-ms", type=float, default=50)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("SECRET_KEY", "bench")
    os.environ["LOG_LEVEL"] = "WARNING"
    with tempfile.TemporaryDirectory(prefix="mizan-bench-") as folder:
        os.environ["DATA_DIR"] = folder
        import django

        django.setup()
        from django.db import connection

        # A real file for SQLite: what is measured includes its commits.
        test = connection.settings_dict["TEST"]
        test["NAME"] = f"{folder}/bench.sqlite3" if connection.vendor == "sqlite" else None
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            measure(options.calls, options.latency_ms, connection.vendor)
        finally:
            if hasattr(connection, "close_pool"):
                connection.close_pool()
            connection.creation.destroy_test_db(connection.settings_dict["NAME"], verbosity=0)


def measure(calls: int, latency_ms: float, database: str) -> None:
    from django.conf import settings

    from tests.fake_provider import FakeProvider

    provider = FakeProvider()
    provider.tell(latency_ms=latency_ms)
    settings.FAKE_PROVIDER_URL = provider.url
    try:
        judge, responses = a_project(calls)
        bodies = request_bodies(judge, responses)
        shortest: list[tuple[float, float]] = []
        for round in range(1, REPEATS + 1):
            floor = asyncio.run(bare_loop(provider.url, bodies))
            shortest.append((floor, planned_to_stored(judge, responses, round)))
        floor, ours = min(f for f, _o in shortest), min(o for _f, o in shortest)
        report(
            f"{calls} judge calls at {latency_ms:g} ms, {CONCURRENCY} at once, {database}",
            f"{ours:.2f} s",
            floor=f"{floor:.2f} s bare asyncio loop",
            ratio=ours / floor,
            bar="at most 1.5 x embedded",
        )
        measure_grading(provider.url, latency_ms, database)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        report("judge calls, memory of the process at its peak", f"{peak:.0f} MB", bar="under 250 MB")
    finally:
        provider.stop()


def measure_grading(url: str, latency_ms: float, database: str) -> None:
    from projects.models import Response

    judges = a_study(CONCURRENCY)
    responses = Response.objects.filter(project=judges[0].project)
    bodies = [body for judge in judges for body in request_bodies(judge, responses)]
    assert len(bodies) == EVALUATIONS, len(bodies)
    shortest: list[tuple[float, float]] = []
    for round in range(1, REPEATS + 1):
        floor = asyncio.run(bare_loop(url, bodies))
        shortest.append((floor, all_graded(judges, responses, round)))
    floor, ours = min(f for f, _o in shortest), min(o for _f, o in shortest)
    report(
        f"{EVALUATIONS} evaluations by rubric at {latency_ms:g} ms, {CONCURRENCY} at once, {database}",
        f"{ours:.2f} s",
        floor=f"{floor:.2f} s bare asyncio loop",
        ratio=ours / floor,
        bar="at most 1.5 x embedded",
    )


def all_graded(judges: list["Judge"], responses: "QuerySet[Response]", round: int) -> float:
    """Seconds from the first plan to the last stored verdict."""
    from judging import runs
    from judging.shards import work_through
    from rubrics.models import Grade, GradeRole, Verdict

    begin = time.perf_counter()
    for judge in judges:
        for shard in runs.start_here(runs.create_run(judge, responses, round=round)):
            work_through(shard)
    seconds = time.perf_counter() - begin
    stored = {"round": round, "role": GradeRole.JUDGE}
    assert Grade.objects.filter(**stored).count() == EVALUATIONS
    verdicts = Verdict.objects.filter(**{f"grade__{name}": value for name, value in stored.items()})
    assert verdicts.count() == EVALUATIONS * (POSITIVE + NEGATIVE)
    return seconds


def a_project(calls: int) -> tuple["Judge", "QuerySet[Response]"]:
    from judging.judges import add_judge
    from judging.models import Provider
    from judging.providers import simulated_provider
    from projects.models import Laboratory, LanguageVariety, Project, Prompt, Response, TargetModel

    project = Project.objects.create(slug="bench", name="Bench")
    variety = LanguageVariety.objects.get(tag="ar-EG")
    laboratory = Laboratory.objects.create(slug="delta-lab", name="Delta Lab")
    model = TargetModel.objects.create(name="Nile-7B", laboratory=laboratory)
    prompt = Prompt.objects.create(project=project, key="p", text="سؤال", text_sha256="", variety=variety)
    paragraph = " ".join(["الكشري", "أكلة", "مصرية", "شعبية"] * (WORDS_PER_PARAGRAPH // 4))
    Response.objects.bulk_create(
        Response(
            project=project,
            prompt=prompt,
            target_model=model,
            variety=variety,
            key=f"r{n}",
            text="\n\n".join(f"{n} {part} {paragraph}" for part in range(PARAGRAPHS)),
            text_sha256="",
        )
        for n in range(calls // PARAGRAPHS)
    )
    Provider.objects.filter(pk=simulated_provider().pk).update(concurrency=CONCURRENCY)
    judge = add_judge(project, Provider.objects.get(), "simulated-1")
    return judge, Response.objects.filter(project=project)


async def bare_loop(url: str, bodies: list[dict]) -> float:
    """Seconds for the same requests with nothing around them: no plan, no parsing, no database."""
    import openai

    client = openai.AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    limit = asyncio.Semaphore(CONCURRENCY)

    async def one(body: dict) -> None:
        async with limit:
            await client.chat.completions.create(**body)

    begin = time.perf_counter()
    await asyncio.gather(*(one(body) for body in bodies))
    seconds = time.perf_counter() - begin
    await client.close()
    return seconds


def request_bodies(judge: "Judge", responses: "QuerySet[Response]") -> list[dict]:
    """What a run would send, word for word but for the numbers of the marks."""
    from judging.asking import Question, Setup, build, new_nonce
    from judging.kinds import Material, judge_kind
    from judging.laboratories import guard_of
    from judging.planning import plan

    kind = judge_kind(judge.kind)
    guard = guard_of(judge.model, judge.provider)
    setup = Setup(kind, kind.prompt_text(judge), guard, judge.model, "schema", judge.temperature, 4000, "max_tokens")
    planned = plan(judge, responses, round=REPEATS + 1)
    subjects = kind.subjects({pk for about in planned.about.values() for pk in about})
    texts = responses.select_related("prompt", "variety").in_bulk()
    bodies = []
    for pk, unit in planned.calls:
        found = [subjects[about] for about in planned.about.get((pk, unit), ())]
        response = texts[pk]
        bare = Material(response.prompt.text, response.text, response.variety.name)
        material = kind.material(bare, found, "", setup.prompt)
        bodies.append(build(setup, Question(0, pk, unit, material, "", ""), new_nonce(material))[0].body())
    return bodies


def planned_to_stored(judge: "Judge", responses: "QuerySet[Response]", round: int) -> float:
    """Seconds from the plan to the last stored result, markings and spans included."""
    from annotation.models import Marking
    from judging import runs
    from judging.models import CallState
    from judging.shards import work_through

    begin = time.perf_counter()
    run = runs.create_run(judge, responses, round=round)
    for shard in runs.start_here(run):
        work_through(shard)
    seconds = time.perf_counter() - begin
    counts = runs.counts(run)
    assert counts[CallState.SCORED] == run.calls.count(), counts
    assert Marking.objects.filter(round=round).count() == responses.count()
    return seconds


if __name__ == "__main__":
    main()
