"""Whatever kind of data comes in, by page, API or command: a wrong file is told for what it is, nothing is stored."""

import gzip
import io
import json
from collections.abc import Iterator
from functools import cache
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from formats.forms import kind_choices
from formats.importing.registry import importers
from jobs.models import Job, JobState, StoredFile
from jobs.working import work_on
from projects.models import AuditEvent, Import
from tests.formats.odd_files import folder, nested, parquet_file, sheet_of_empty_rows
from tests.people import signed_in

pytestmark = pytest.mark.django_db
#: Answers of a benchmark are refused before they are read where the project has no frozen questions.
KINDS = sorted(set(importers()) - {"benchmark-answers"})
#: A file made elsewhere in a format of its own is not asked for: its first line says what it is.
PAGE_KINDS = sorted({kind for kind, _name in kind_choices()} & set(KINDS))
#: A look at the first rows ends before what is wrong with these.
FURTHER_DOWN = {"early.jsonl.gz"}
COMMANDS = {
    "items": ("import_items",),
    "answers": ("import_answers",),
    "questionnaire-answers": ("import_answers", "--kind=questionnaire-answers"),
    "prompts": ("import_prompts",),
    "rubrics": ("import_rubrics",),
    "grades": ("import_grades",),
    "templates": ("import_templates",),
    "questions": ("import_templates", "--kind=questions"),
    "localisations": ("import_templates", "--kind=localisations"),
    "benchmark-questions": ("import_questions",),
    "benchmark-answers": ("import_benchmark_answers",),
}


#: A file that is wrong as a whole or in its first line, and the code of its one problem.
WRONG = {
    "table.jsonl": (lambda: parquet_file([{"id": "a"}]), "other_format"),
    "picture.csv": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "other_format"),
    "text.xlsx": (lambda: b"id,prompt\n1,2\n", "other_format"),
    "utf16.jsonl": (lambda: '{"id": "a"}\n'.encode("utf-16"), "utf16"),
    "utf16.csv": (lambda: "id,prompt\na,b\n".encode("utf-16"), "utf16"),
    "early.jsonl.gz": (lambda: gzip.compress(b'{"id": "a"}\n' * 5_000)[:-40], "not_gzip"),
    "bomb.zip": (lambda: folder(**{"a.jsonl": b" " * 30_000_000}), "bomb"),
    "bomb.jsonl.gz": (lambda: gzip.compress(b" " * 30_000_000), "bomb"),
    "rows.xlsx": (lambda: sheet_of_empty_rows(20_000), "empty_rows"),
    "half.jsonl": (lambda: b'{"id": "\\ud83d"}\n', "lone_surrogate"),
    "nul.jsonl": (lambda: b'{"id": "a\\u0000"}\n', "null_character"),
    "bytes.jsonl": (lambda: b'{"id": "\xff\xfe"}\n', "not_utf8"),
}


@cache
def made(name: str) -> bytes:
    return WRONG[name][0]()


def column_of(kind: str) -> tuple[str, str]:
    """A field that its lines have, with a value."""
    return next(iter(json.loads(importers()[kind].format.example.splitlines()[0]).items()))


def wrong_files() -> Iterator[tuple[str, bytes, str]]:
    """Name, content and the code of the one problem."""
    yield from ((name, made(name), code) for name, (_make, code) in WRONG.items())


def rows_of(kind: str) -> list[int]:
    return [model._default_manager.count() for model in importers()[kind].fills]


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_file_is_one_problem_and_stores_nothing(kind, nour, project):
    client, before = signed_in(nour), rows_of(kind)
    for name, content, code in wrong_files():
        address = f"/api/v1/projects/feasts/imports/?kind={kind}"
        answer = client.post(address, {"file": SimpleUploadedFile(name, content)})
        assert answer.status_code == 422, (name, answer.content[:300])
        assert [problem["code"] for problem in answer.json()["problems"]] == [code], (name, answer.json()["problems"])
        assert rows_of(kind) == before
    assert not Import.objects.exists()
    assert not AuditEvent.objects.filter(action="data.imported").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_nothing_is_called_is_one_problem_and_not_one_of_each_row(kind, nour, project):
    name, value = column_of(kind)
    table = f"{name},colour\n" + f"{value},red\n" * 300
    address = f"/api/v1/projects/feasts/imports/?kind={kind}"
    answer = signed_in(nour).post(address, {"file": SimpleUploadedFile("a.csv", table.encode())})
    assert answer.status_code == 422
    named = [each for each in answer.json()["problems"] if "colour" in each["message"] + (each.get("field") or "")]
    assert len(named) == 1, answer.json()["problems"][:3]


def test_whatever_comes_in_by_page_comes_in_by_command():
    assert COMMANDS.keys() == {kind for kind, _name in kind_choices()}


@pytest.mark.parametrize("kind", COMMANDS)
def test_commands_refuse_the_same(kind, project, tmp_path):
    command, *options = COMMANDS[kind]
    for name, content, _code in wrong_files():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(CommandError) as refused:
            call_command(command, "feasts", str(tmp_path / name), *options, "--quiet", stderr=io.StringIO())
        if kind in KINDS:
            assert str(refused.value).startswith("1 problem"), name
    assert not Import.objects.exists()


@pytest.mark.parametrize("way", ["/api/v1/projects/feasts/imports/?kind={kind}", "/p/feasts/import/"])
@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_columns_within_a_column_are_named_and_nothing_is_guessed_of_them(kind, way, nour, project):
    """What is said first is what is to be done; columns that the table has not are problems of their own."""
    before = rows_of(kind)
    file = SimpleUploadedFile("nested.parquet", parquet_file([{column_of(kind)[0]: nested(3)}]))
    answer = signed_in(nour).post(way.format(kind=kind), {"kind": kind, "file": file})
    job = Job.objects.get()
    assert (answer.status_code, job.state) == (422, JobState.FAILED)
    first, *others = job.result["problems"]
    assert (first["code"], first["field"]) == ("nested_column", column_of(kind)[0])
    assert {each["code"] for each in others} <= {"missing_column"}
    assert first["message"] in unescape(answer.content.decode())
    assert rows_of(kind) == before


# --- By page ---


@pytest.mark.parametrize(
    ("kind", "asked"),
    # One shell reads for every kind: whether it is asked to store anything is seen at the first and the last.
    [*((kind, {}) for kind in PAGE_KINDS), *((kind, {"dry_run": "1"}) for kind in (PAGE_KINDS[0], PAGE_KINDS[-1]))],
    ids=[*PAGE_KINDS, *(f"check {kind}" for kind in (PAGE_KINDS[0], PAGE_KINDS[-1]))],
)
def test_the_page_says_the_same_and_keeps_the_form(kind, asked, nour, project):
    client, before = signed_in(nour), rows_of(kind)
    for name, content, code in wrong_files():
        said = {"kind": kind, "file": SimpleUploadedFile(name, content), **asked}
        answer = client.post("/p/feasts/import/", said)
        [problem] = answer.context["outcome"].problems
        page = unescape(answer.content.decode())
        assert (answer.status_code, problem.code) == (422, code), name
        assert "1 problem. Nothing was stored." in page, name
        assert problem.message in page, name
        assert 'type="file"' in page, "another can be chosen at once"
        assert rows_of(kind) == before
    assert set(Job.objects.values_list("state", flat=True)) == {JobState.FAILED}
    assert not Import.objects.exists()
    assert not AuditEvent.objects.filter(action="data.imported").exists()


def test_below_the_form_htmx_is_told_the_same(nour, project):
    client = signed_in(nour)
    for name, content, code in wrong_files():
        said = {"kind": "items", "file": SimpleUploadedFile(name, content)}
        answer = client.post("/p/feasts/import/", said, headers={"HX-Request": "true"})
        [problem] = answer.context["outcome"].problems
        assert (answer.status_code, problem.code) == (200, code), name
        assert b"<html" not in answer.content
        assert problem.message in unescape(answer.content.decode()), name


@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_the_page_that_maps_columns_says_what_is_wrong_before_anything_is_mapped(kind, nour, project):
    """A look reads no more than the first rows: what shows itself further down is said when the file is checked."""
    client, (field, _value) = signed_in(nour), column_of(kind)
    for name, content, code in wrong_files():
        said = {"kind": kind, "file": SimpleUploadedFile(name, content), "map": "1"}
        address = client.post("/p/feasts/import/", said)["Location"]
        seen = client.get(address)
        assert seen.status_code == 200, name
        if name not in FURTHER_DOWN:
            [problem] = seen.context["preview"].problems
            assert problem.code == code, name
            assert problem.message in unescape(seen.content.decode()), name
            assert "Choose another file" in seen.content.decode(), name
        checked = client.post(address, {"kind": kind, f"field-{field}": "{id}", "act": "check"})
        assert checked.status_code == 422, name
        assert code in {each.code for each in checked.context["outcome"].problems}, name
    assert not Import.objects.exists()


def test_a_sheet_of_a_million_empty_rows_is_refused_by_a_worker_and_its_page_says_so(nour, project):
    file = SimpleUploadedFile("rows.xlsx", sheet_of_empty_rows())
    answer = signed_in(nour).post("/p/feasts/import/", {"kind": "items", "file": file})
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/p/feasts/jobs/{job.uuid}/")
    assert work_on(job.pk)
    page = unescape(signed_in(nour).get(answer["Location"]).content.decode())
    job.refresh_from_db()
    [problem] = job.result["problems"]
    assert (job.state, problem["code"]) == (JobState.FAILED, "empty_rows")
    assert "1 problem. Nothing was stored." in page
    assert problem["message"] in page
    assert not Import.objects.exists()


def test_a_program_that_looks_first_is_told_too(nour, project):
    client = signed_in(nour)
    for name, content, code in wrong_files():
        seen = client.post("/api/v1/projects/feasts/imports/preview/", {"file": SimpleUploadedFile(name, content)})
        assert seen.status_code == 200
        if name not in FURTHER_DOWN:
            assert [each["code"] for each in seen.json()["problems"]] == [code], name
    assert not StoredFile.objects.exists()
