"""What is damaged, foreign, newer or made to burst is refused by name and place, and nothing of it is stored."""

import hashlib
import io
import json
from collections.abc import Callable
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from formats.archive.restoring import restore
from formats.archive.writing import MANIFEST, write_archive
from projects.models import Project, Response, TargetModel
from projects.problems import Invalid, Problem
from providers.models import Provider

pytestmark = pytest.mark.django_db

RESPONSES = "projects/response.jsonl"


@pytest.fixture
def archive(project, koshari) -> bytes:
    out = io.BytesIO()
    write_archive(project, out)
    return out.getvalue()


def changed(archive: bytes, change: Callable[[dict[str, bytes]], object], *, mend: bool = False) -> bytes:
    """The archive with its files changed; with `mend` the manifest says what they are now."""
    with ZipFile(io.BytesIO(archive)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    change(files)
    if mend:
        manifest = json.loads(files[MANIFEST])
        for file in manifest["files"]:
            content = files[file["name"]]
            file |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            file["rows"] = content.count(b"\n")
        files[MANIFEST] = json.dumps(manifest).encode()
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return out.getvalue()


def refused(archive: bytes, slug: str = "moved") -> Problem:
    before = Project.objects.count(), Response.objects.count(), TargetModel.objects.count(), Provider.objects.count()
    with pytest.raises(Invalid) as refusal:
        restore(io.BytesIO(archive), slug)
    now = Project.objects.count(), Response.objects.count(), TargetModel.objects.count(), Provider.objects.count()
    assert now == before
    [problem] = refusal.value.problems
    return problem


def in_manifest(change: Callable[[dict], object]) -> Callable[[dict[str, bytes]], None]:
    def changing(files: dict[str, bytes]) -> None:
        manifest = json.loads(files[MANIFEST])
        change(manifest)
        files[MANIFEST] = json.dumps(manifest).encode()

    return changing


def replaced(name: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], None]:
    def changing(files: dict[str, bytes]) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)

    return changing


def test_what_is_no_archive(archive):
    for content in (b"", b"PK\x03\x04 and so on", b"Prompt;Response\n", archive[: len(archive) // 2]):
        assert refused(content).code == "not_an_archive"


def test_another_zip_file(archive):
    def emptied(files: dict[str, bytes]) -> None:
        files.clear()
        files["notes.txt"] = b"hello"

    assert refused(changed(archive, emptied)).code == "not_an_archive"
    foreign = changed(archive, in_manifest(lambda manifest: manifest.update(format="somebody.else/1")))
    assert refused(foreign).code == "not_an_archive"


def test_one_of_a_newer_version(archive):
    later = changed(archive, in_manifest(lambda manifest: manifest.update(format="mizan.archive/2")))
    assert refused(later) == refused(later)
    assert (refused(later).code, refused(later).field) == ("newer_version", "manifest.json: mizan.archive/2")

    def another_column(files: dict[str, bytes]) -> None:
        in_manifest(lambda manifest: of_responses(manifest)["columns"].append("mood"))(files)

    problem = refused(changed(archive, another_column))
    assert (problem.code, problem.field) == ("newer_version", f"{RESPONSES}: mood")


def of_responses(manifest: dict) -> dict:
    return next(file for file in manifest["files"] if file["name"] == RESPONSES)


def test_an_older_one_lacks_columns_that_have_a_default(archive):
    def without_metadata(files: dict[str, bytes]) -> None:
        manifest = json.loads(files[MANIFEST])
        columns = of_responses(manifest)["columns"]
        at = columns.index("metadata")
        columns.remove("metadata")
        rows = [json.loads(line) for line in files[RESPONSES].splitlines()]
        files[RESPONSES] = b"".join(json.dumps(row[:at] + row[at + 1 :]).encode() + b"\n" for row in rows)
        files[MANIFEST] = json.dumps(manifest).encode()

    restored = restore(io.BytesIO(changed(archive, without_metadata, mend=True)), "moved")
    assert Response.objects.get(project=restored.project).metadata == {}


def test_a_file_whose_content_is_another(archive, koshari):
    word = koshari.text.split()[0].encode()
    problem = refused(changed(archive, replaced(RESPONSES, word, word[::1][:-1] + b"x")))
    assert (problem.code, problem.field) == ("damaged", RESPONSES)


def test_a_file_that_is_missing_or_too_many(archive):
    problem = refused(changed(archive, lambda files: files.pop(RESPONSES)))
    assert (problem.code, problem.field) == ("damaged", RESPONSES)
    problem = refused(changed(archive, lambda files: files.update({"../../etc/passwd": b"x"})))
    assert (problem.code, problem.field) == ("damaged", "../../etc/passwd")


def test_a_row_that_is_none(archive):
    """The manifest says it is as it should be: whoever made it wrote both."""
    broken = changed(archive, lambda files: files.update({RESPONSES: b'["a"]\n'}), mend=True)
    problem = refused(broken)
    assert (problem.code, problem.field, problem.line) == ("damaged", RESPONSES, 1)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (b'"koshari"', b"7", "key"),
        (b'"koshari"', b'"' + 201 * b"k" + b'"', "key"),
        (b'"koshari"', b'"k\\u0000"', "key"),
    ],
)
def test_a_value_that_cannot_be(archive, old, new, place):
    problem = refused(changed(archive, replaced(RESPONSES, old, new), mend=True))
    assert (problem.code, problem.field, problem.line) == ("wrong_value", f"{RESPONSES}: {place}", 1)


def test_a_row_that_refers_to_none(archive):
    def astray(files: dict[str, bytes]) -> None:
        at = json.loads(files[MANIFEST])
        place = of_responses(at)["columns"].index("prompt")
        row = json.loads(files[RESPONSES])
        row[place] = 12
        files[RESPONSES] = json.dumps(row).encode() + b"\n"

    problem = refused(changed(archive, astray, mend=True))
    assert (problem.code, problem.field, problem.line) == ("damaged", f"{RESPONSES}: prompt", 1)


def test_what_the_database_refuses(archive):
    """A response without words: a constraint of its table."""

    def emptied(files: dict[str, bytes]) -> None:
        place = of_responses(json.loads(files[MANIFEST]))["columns"].index("text")
        row = json.loads(files[RESPONSES])
        row[place] = ""
        files[RESPONSES] = json.dumps(row).encode() + b"\n"

    assert refused(changed(archive, emptied, mend=True)).code == "refused_by_database"


def test_a_file_that_unfolds_without_end(archive):
    def bomb(files: dict[str, bytes]) -> None:
        files[RESPONSES] = b" " * 20_000_000

    problem = refused(changed(archive, bomb, mend=True))
    assert (problem.code, problem.field) == ("too_dense", RESPONSES)
    # One that says it is small is read no further than that.
    problem = refused(changed(archive, bomb))
    assert (problem.code, problem.field) == ("damaged", RESPONSES)


def test_a_short_name_that_is_taken(archive):
    assert refused(archive, "feasts").code == "slug_taken"
    assert refused(archive, "Not a short name").field == "slug"


def test_a_variety_that_is_none(archive):
    def unknown(files: dict[str, bytes]) -> None:
        replaced("shared/languagevariety.jsonl", b"ar-EG", b"!!")(files)

    problem = refused(changed(archive, unknown, mend=True))
    assert (problem.code, problem.field, problem.line) == ("unknown_variety", "shared/languagevariety.jsonl", 1)
    assert "!!" in problem.message
