"""While Nour imports a file, others go on: the database's write lock is hers only while rows are stored."""

import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.models import ForeignKey

from annotation.models import (
    Classification,
    ErrorCategory,
    ErrorGroup,
    GoldAnswer,
    GoldError,
    Marking,
    Review,
    Span,
)
from formats.importing import running
from formats.importing.running import run_import
from formats.reading import Source
from jobs.working import Lost
from projects.creation import create_project
from projects.models import (
    Import,
    Laboratory,
    LanguageVariety,
    Project,
    Prompt,
    Rater,
    Response,
    ResponsePair,
    TargetModel,
)
from projects.rehearsing import rehearsed
from projects.rehearsing.copying import FOLDER
from rubrics.models import Rubric, Verdict
from tests.people import add_response
from tests.rubrics.files import criterion, grade_line, rubric_line
from tests.rubrics.rubrics import make_rubrics_project

DEMO = Path(__file__).resolve().parents[2] / "demo" / "by_hand"
BATCHES = 3

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="one lock for all writers is SQLite's")


@pytest.fixture
def feasts(transactional_db) -> Project:
    return create_project(Project(slug="feasts", name="Feasts"), None)


def item(number: int, **changes) -> dict:
    shared = {"prompt": f"question {number}", "variety": "ar-EG", "model": "Nile-7B", "laboratory": "Delta Lab"}
    return {"id": f"r{number}", **shared, "response": "الكشري أكلة مصرية.", **changes}


def source(*lines: dict) -> Source:
    return Source(io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in lines)), "file")


def items() -> Source:
    return source(*map(item, range(BATCHES * 1000)))


def other_person() -> sqlite3.Connection:
    """Another connection, that waits for nobody."""
    return sqlite3.connect(connection.settings_dict["NAME"], timeout=0, isolation_level=None)


def left_behind() -> list[Path]:
    folder = Path(connection.settings_dict["NAME"]).parent / FOLDER
    return [path for path in folder.iterdir() if path.is_dir()]


def test_others_write_while_the_file_is_read_and_checked(feasts):
    with closing(other_person()) as karim:

        def write(lines: int, read: int, size: int | None) -> None:
            karim.execute("BEGIN IMMEDIATE")
            karim.execute("UPDATE projects_project SET description = ?", (f"after {lines} lines",))
            karim.execute("COMMIT")

        outcome = run_import(feasts, items(), "items", progress=write)
    assert outcome.is_stored, outcome.problems
    assert outcome.counts["responses"] == Response.objects.count() == BATCHES * 1000
    feasts.refresh_from_db()
    assert feasts.description == f"after {BATCHES * 1000} lines"
    assert feasts.audit_events.get(action="data.imported").detail["responses"] == BATCHES * 1000
    assert left_behind() == []


def test_a_dry_run_and_a_refused_file_never_take_the_lock(feasts):
    with closing(other_person()) as karim:
        karim.execute("BEGIN IMMEDIATE")
        tried = run_import(feasts, items(), "items", dry_run=True)
        refused = run_import(feasts, source(item(1), item(1)), "items")
        unread = run_import(feasts, source(item(1, variety="xx-XX")), "items")
        karim.execute("ROLLBACK")
    assert (tried.is_clean, tried.is_stored, tried.counts["responses"]) == (True, False, BATCHES * 1000)
    assert [problem.code for problem in refused.problems] == ["duplicate_id"]
    assert [problem.code for problem in unread.problems] == ["unknown_variety"]
    assert not Response.objects.exists()


def test_what_came_meanwhile_is_found_when_the_file_is_checked_again(feasts):
    """Karim adds a response that the file holds as well, after its line was checked."""
    times = []

    def add(lines: int, read: int, size: int | None) -> None:
        if not times:
            add_response(feasts, "r7", "كشري", "ar-EG")
        times.append(lines)

    outcome = run_import(feasts, items(), "items", progress=add)
    assert [(problem.code, problem.line) for problem in outcome.problems] == [("already_there_differs", 8)]
    assert times.count(times[0]) == 2  # checked twice
    assert Response.objects.count() == 1


def test_other_rows_that_came_meanwhile_are_in_nobodys_way(feasts):
    added = []

    def add(lines: int, read: int, size: int | None) -> None:
        added.append(add_response(feasts, f"own-{len(added)}", "كشري", "ar-EG", model="Sphinx-1B"))

    outcome = run_import(feasts, items(), "items", progress=add)
    assert outcome.is_stored, outcome.problems
    assert Response.objects.count() == BATCHES * 1000 + len(added)
    assert all(Response.objects.get(pk=response.pk).key == response.key for response in added)


def test_a_project_that_is_changed_each_time_is_left_alone_and_the_person_is_told(feasts):
    rater = Rater.objects.create(project=feasts, kind="human", name="Mona")

    names: list[str] = []

    def rename(lines: int, read: int, size: int | None) -> None:
        names.append(rater.name + "x" * (1 + len(names)))
        Rater.objects.filter(pk=rater.pk).update(name=names[-1])

    outcome = run_import(feasts, source(item(1)), "items", progress=rename)
    assert [problem.code for problem in outcome.problems] == ["changed_meanwhile"]
    assert len(names) > 1
    assert not Response.objects.exists()


def test_a_review_that_came_meanwhile_counts_for_the_gold_of_an_imported_answer(feasts):
    """What others say of the same response while its answers are checked decides what becomes of them."""
    text = "الكشري أكلة مصرية."
    run_import(feasts, source(item(1)), "items")
    marked = {"id": "s1", "quote": "مصرية", "type": "cultural", "criticality": "low", "explanation": "no"}
    run_import(feasts, source(line("spans", "Mona", spans=[marked])), "answers")
    response, hana = Response.objects.get(), Rater.objects.create(project=feasts, kind="human", name="Hana")
    runs = []

    def mark_too(lines: int, read: int, size: int | None) -> None:
        if not runs:
            Marking.objects.create(response=response, rater=hana, round=1, no_errors=True)
        runs.append(lines)

    review = line("reviews", "Karim", reviews=[{"span": "s1", "verdict": "keep"}])
    outcome = run_import(feasts, source(review), "answers", progress=mark_too)
    assert outcome.is_stored, (outcome.problems, text)
    assert len(runs) == 2
    # Mona's span needs the verdict of Hana now, who marked the response as well.
    assert GoldAnswer.objects.get(response=response).kept == GoldError.objects.count()


def line(kind: str, rater: str, **fields) -> dict:
    return {"kind": kind, "item": "r1", "rater": rater, "rater_kind": "human", **fields}


def test_an_import_that_its_job_has_lost_leaves_nothing(feasts):
    def lose(lines: int, read: int, size: int | None) -> None:
        raise Lost

    with pytest.raises(Lost):
        run_import(feasts, items(), "items", progress=lose)
    assert not Response.objects.exists()
    assert left_behind() == []


def test_what_a_killed_import_left_is_removed_by_the_next_one(feasts):
    orphan = Path(connection.settings_dict["NAME"]).parent / FOLDER / "tmp-of-a-killed-process"
    orphan.mkdir(parents=True)
    (orphan / "lock").touch()
    (orphan / "copy.sqlite3").write_bytes(b"x" * 1000)
    assert run_import(feasts, source(item(1)), "items").is_stored
    assert left_behind() == []


def test_without_room_for_the_copy_nothing_is_stored_and_the_person_is_told(feasts, monkeypatch):
    usage = type("Usage", (), {"free": 10})
    monkeypatch.setattr("projects.rehearsing.copying.shutil.disk_usage", lambda folder: usage)
    outcome = run_import(feasts, source(item(1)), "items")
    assert [problem.code for problem in outcome.problems] == ["no_room"]
    assert not Response.objects.exists()


def test_a_change_that_comes_between_two_changes_of_the_work_is_found_and_the_copy_let_go(feasts):
    """The work changes rows in two ways; of the first ones somebody changed one, and the others are not looked at."""
    raters = [Rater.objects.create(project=feasts, kind="human", name=f"Mona {n}") for n in range(10)]
    done = []

    def rename_and_promote() -> None:
        if not done:
            karim.execute("UPDATE projects_rater SET name = 'Hana' WHERE id = ?", (raters[0].pk,))
        done.append(1)
        for rater in raters[:5]:
            Rater.objects.filter(pk=rater.pk).update(name=f"{rater.name} of Cairo")
        for rater in raters[5:]:
            Rater.objects.filter(pk=rater.pk).update(is_expert=True)

    with closing(other_person()) as karim:
        rehearsed(rename_and_promote)
    assert len(done) == 2
    assert Rater.objects.filter(name__endswith="of Cairo").count() == 5
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pragma_database_list")
        assert cursor.fetchall() in ([("main",)], [("main",), ("temp",)])


# --- The rows are the same ------------------------------------------------------------------------------


TABLES = (
    Import,
    LanguageVariety,
    Laboratory,
    ErrorCategory,
    ErrorGroup,
    Prompt,
    TargetModel,
    Response,
    ResponsePair,
    Rater,
    Marking,
    Span,
    Review,
    Classification,
    GoldAnswer,
    GoldError,
)
# What is drawn anew each time, and (of errors) what names raters by it.
OWN = {"id", "uuid", "created_at", "imported_at", "updated_at", "pseudonym", "provenance"}


def dump(*models) -> list:
    """The rows of these tables, each row by its place among those of its table instead of by its number."""
    place = {
        model: {pk: at for at, pk in enumerate(model._default_manager.order_by("pk").values_list("pk", flat=True))}
        for model in models
    }
    tables = []
    for model in models:
        fields = [field for field in model._meta.concrete_fields if field.name not in OWN]
        for row in model._default_manager.order_by("pk"):
            values = []
            for field in fields:
                value = getattr(row, field.attname)
                related = field.related_model if isinstance(field, ForeignKey) else None
                if related is Project:
                    continue
                values.append(place[related].get(value) if related in place else value)
            tables.append((model.__name__, values))
    return tables


def demo_rows(is_rehearsed: bool) -> list:
    project = create_project(Project(slug=f"copy-{is_rehearsed}", name="Copy"), None)
    for kind in ("items", "answers"):
        with (DEMO / f"{kind}.jsonl").open("rb") as file:
            if is_rehearsed:
                outcome = run_import(project, Source(file), kind)
            else:
                with transaction.atomic():
                    outcome = run_import(project, Source(file), kind)
        assert outcome.is_stored, outcome.problems
    return dump(*TABLES)


def test_the_rows_are_those_of_an_import_on_the_database_itself(transactional_db):
    try:
        with transaction.atomic():
            direct = demo_rows(is_rehearsed=False)
            raise running._Undo
    except running._Undo:
        pass
    assert not Response.objects.exists()
    rehearsed = demo_rows(is_rehearsed=True)
    assert len(direct) > 100
    assert direct == rehearsed


def test_frozen_rubrics_and_grades_are_carried_over_in_the_order_that_the_database_demands(transactional_db):
    project = make_rubrics_project(Project.objects.create(slug="feasts", name="Feasts"))
    run_import(project, source(item(1, prompt_id="p1")), "items")
    lines = rubric_line(criterion("c1", 10), criterion("c2", 5), prompt_id="p1")
    assert run_import(project, source(lines), "rubrics").is_stored
    graded = grade_line(item="r1", rater="Mona", role="reference")
    outcome = run_import(project, source(graded), "grades")
    assert outcome.is_stored, outcome.problems
    assert Rubric.objects.get().frozen_at is not None
    assert Verdict.objects.count() == 2
