"""Nour takes a set out and brings it in elsewhere: the same bytes, and held-back questions only when she asks."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from benchmark.exporting import exported
from benchmark.freezing import freeze
from benchmark.models import QuestionSet
from formats.benchmark_question import FORMAT
from formats.importing.running import run_import
from formats.problems import ProblemLog
from formats.reading import Source
from projects.models import AuditEvent
from tests import migrated
from tests.benchmark.sets import CANARY, open_line, question_line, set_line, set_of, stored

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.django_db

RICH = (
    question_line(metadata={"b": [1, {"z": 1.5, "a": None}], "a": "x"}, cluster="p1"),
    open_line(input="فقرة\nثانية", rules=[{"rule": "rouge_l"}, {"rule": "reference_length"}]),
    open_line("any", language=..., variety="ar-EG", category="Trust & Safety", source=..., subcategory=...),
    open_line("hidden", held_back=True, twin_of="tea", source="Kept back", category="Secret skill"),
    open_line("seen", twin_of="hidden"),
)


def written(question_set: QuestionSet, **options) -> bytes:
    return b"".join(exported(question_set, **options))


def brought(project, content: bytes) -> QuestionSet:
    outcome = run_import(project, Source(io.BytesIO(content)), "benchmark-questions")
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    return project.question_sets.get()


@pytest.mark.parametrize("is_frozen", [False, True])
def test_out_and_in_again_it_is_the_same_file(project, other_project, is_frozen):
    lines = RICH if not is_frozen else RICH[:4]
    own = set_of(project, *lines, skills=[{"id": "gk", "name": "General Knowledge"}])
    own = freeze(own) if is_frozen else own
    content = written(own, with_held_back=True)
    again = brought(other_project, content)
    assert written(again, with_held_back=True) == content
    assert (again.is_frozen, again.sha256) == (is_frozen, own.sha256)
    assert again.skills.get(slug="trust-safety").counts_refusals


def test_every_line_is_one_of_the_format_and_has_the_canary(project):
    content = written(set_of(project, *RICH), with_held_back=True)
    lines = [json.loads(line) for line in content.splitlines()]
    assert [line["canary"] for line in lines] == [CANARY] * 6
    problems = ProblemLog()
    assert all(FORMAT.check(line, number, problems) for number, line in enumerate(lines, start=1)), problems.shown


def test_held_back_questions_stay_behind_and_are_counted(project, other_project):
    own = set_of(project, *RICH)
    content = written(own)
    assert "hidden" not in content.decode()
    assert "Secret skill" not in content.decode()
    assert "Kept back" not in content.decode()
    assert json.loads(content.splitlines()[0])["left_out"] == 1
    again = brought(other_project, content)
    assert again.questions.count() == 4


def test_a_frozen_set_that_is_not_whole_comes_in_as_a_draft(project, other_project):
    content = written(freeze(set_of(project, *RICH[:4])))
    again = brought(other_project, content)
    assert (again.is_frozen, again.questions.count()) == (False, 3)


def test_a_frozen_set_that_was_changed_on_the_way_is_refused(project, other_project):
    content = written(freeze(set_of(project))).replace("الأردن".encode(), "العراق".encode())
    outcome = run_import(other_project, Source(io.BytesIO(content)), "benchmark-questions")
    assert [(problem.line, problem.field, problem.code) for problem in outcome.problems] == [
        (1, "sha256", "hash_differs")
    ]
    assert not other_project.question_sets.exists()


def test_the_command_writes_a_version_and_that_it_did(project, tmp_path):
    first = freeze(set_of(project, *RICH[:4]))
    second = first.new_version()
    stored(project, open_line("new"))
    path = tmp_path / "out.jsonl"
    call_command("export_questions", project.slug, "own", "--output", str(path))
    assert path.read_bytes() == written(second)
    call_command(
        "export_questions", project.slug, "own", "--set-version", "1", "--with-held-back", "--output", str(path)
    )
    assert path.read_bytes() == written(QuestionSet.objects.get(version=1), with_held_back=True)
    events = AuditEvent.objects.filter(action="question_set.exported").order_by("pk")
    assert [(event.subject, event.detail["held_back"]) for event in events] == [("own v2", False), ("own v1", True)]


def test_many_questions_are_read_in_few_statements(project, django_assert_max_num_queries):
    own = set_of(project, *(open_line(f"q{number}") for number in range(300)))
    with django_assert_max_num_queries(8):
        written(own)


# --- Five times the size of the paper's set --------------------------------------------------------------

LARGE = """
import resource, sys
import django
django.setup()
from django.core.management import call_command
from projects.models import Project
Project.objects.create(slug="large", name="Large", preset="leaderboard", areas=["leaderboard"])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
call_command("import_questions", "large", sys.argv[1], "--quiet")
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
call_command("export_questions", "large", "own", "--output", sys.argv[2])
print("grown", after - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
SIZE = 2_350
MEGABYTES = 150


def test_five_times_the_questions_are_imported_and_exported_in_bounded_memory(tmp_path):
    """In a program of its own, whose memory is its own."""
    questions, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    with open(questions, "w", encoding="utf-8") as file:
        file.write(json.dumps(set_line()) + "\n")
        for number in range(SIZE):
            line = (question_line if number % 2 else open_line)(f"q{number}", cluster=f"c{number // 5}")
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    migrated.copy_sqlite(tmp_path / "mizan.sqlite3")
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", LARGE, str(questions), str(out)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert f"{SIZE} questions" in run.stdout
    imported, whole = (int(kilobytes) for kilobytes in run.stdout.split("grown")[1].split())
    assert imported < MEGABYTES * 1024, f"{imported} kB for the import"
    assert whole < 2 * MEGABYTES * 1024, f"{whole} kB for all"
    with open(out, "rb") as file:
        assert sum(1 for _line in file) == SIZE + 1
