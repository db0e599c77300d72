"""Whatever kind of data comes in, by API or by command: a wrong file is told for what it is, and nothing is stored."""

import gzip
import io
import json
import zipfile

import pandas
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from formats.importing.registry import importers
from projects.models import AuditEvent, Import
from tests.people import signed_in

pytestmark = pytest.mark.django_db
#: Answers of a benchmark are refused before they are read where the project has no frozen questions.
KINDS = sorted(set(importers()) - {"benchmark-answers"})
COMMANDS = {
    "items": "import_items",
    "answers": "import_answers",
    "prompts": "import_prompts",
    "rubrics": "import_rubrics",
    "grades": "import_grades",
    "templates": "import_templates",
    "benchmark-questions": "import_questions",
    "benchmark-answers": "import_benchmark_answers",
}


def parquet() -> bytes:
    written = io.BytesIO()
    pandas.DataFrame({"id": ["a"]}).to_parquet(written)
    return written.getvalue()


def folder(name: str, content: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return written.getvalue()


#: A file that is wrong as a whole or in its first line, and the code of its one problem.
WRONG = {
    "table.jsonl": (parquet, "other_format"),
    "picture.csv": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "other_format"),
    "text.xlsx": (lambda: b"id,prompt\n1,2\n", "other_format"),
    "utf16.jsonl": (lambda: '{"id": "a"}\n'.encode("utf-16"), "utf16"),
    "utf16.csv": (lambda: "id,prompt\na,b\n".encode("utf-16"), "utf16"),
    "early.jsonl.gz": (lambda: gzip.compress(b'{"id": "a"}\n' * 5_000)[:-40], "not_gzip"),
    "bomb.zip": (lambda: folder("a.jsonl", b" " * 30_000_000), "bomb"),
    "bomb.jsonl.gz": (lambda: gzip.compress(b" " * 30_000_000), "bomb"),
    "half.jsonl": (lambda: b'{"id": "\\ud83d"}\n', "lone_surrogate"),
    "nul.jsonl": (lambda: b'{"id": "a\\u0000"}\n', "null_character"),
    "bytes.jsonl": (lambda: b'{"id": "\xff\xfe"}\n', "not_utf8"),
}


def rows_of(kind: str) -> list[int]:
    return [model._default_manager.count() for model in importers()[kind].fills]


@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_file_is_one_problem_and_stores_nothing(kind, nour, project):
    client, before = signed_in(nour), rows_of(kind)
    for name, (make, code) in WRONG.items():
        address = f"/api/v1/projects/feasts/imports/?kind={kind}"
        answer = client.post(address, {"file": SimpleUploadedFile(name, make())})
        assert answer.status_code == 422, (name, answer.content[:300])
        assert [problem["code"] for problem in answer.json()["problems"]] == [code], (name, answer.json()["problems"])
        assert rows_of(kind) == before
    assert not Import.objects.exists()
    assert not AuditEvent.objects.filter(action="data.imported").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_nothing_is_called_is_one_problem_and_not_one_of_each_row(kind, nour, project):
    name, value = next(iter(json.loads(importers()[kind].format.example.splitlines()[0]).items()))
    table = f"{name},colour\n" + f"{value},red\n" * 300
    address = f"/api/v1/projects/feasts/imports/?kind={kind}"
    answer = signed_in(nour).post(address, {"file": SimpleUploadedFile("a.csv", table.encode())})
    assert answer.status_code == 422
    named = [each for each in answer.json()["problems"] if "colour" in each["message"] + (each.get("field") or "")]
    assert len(named) == 1, answer.json()["problems"][:3]


@pytest.mark.parametrize("kind", COMMANDS)
def test_commands_refuse_the_same(kind, project, tmp_path):
    for name, (make, _code) in WRONG.items():
        (tmp_path / name).write_bytes(make())
        with pytest.raises(CommandError):
            call_command(COMMANDS[kind], "feasts", str(tmp_path / name), quiet=True, stderr=io.StringIO())
    assert not Import.objects.exists()
