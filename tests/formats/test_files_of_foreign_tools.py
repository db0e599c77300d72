"""A Parquet file and a workbook that pandas wrote, a data set saved as Arrow, and what Label Studio and doccano export,
each into a project that holds nothing yet, by command and by API."""

import io
import json
import zipfile
from collections.abc import Callable

import pandas
import pyarrow
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotation.models import Marking, Span
from projects.models import Import, Rater, Response
from tests.people import signed_in

pytestmark = pytest.mark.django_db
FRAME = pandas.DataFrame(
    {
        "Nr": [1, 2],
        "Frage": ["Warum?", "Wie?"],
        "Antwort": ["Darum.", "So 🍚."],
        "Modell": ["A", None],
        "Note": [4.5, float("nan")],
    }
)
MAPPING = """
kind: items
fields: {id: "r{Nr}", prompt: "{Frage}", response: "{Antwort}", model: "{Modell}", laboratory: OpenAI, variety: en-US}
values: {model: {"": B}}
"""


def parquet() -> bytes:
    written = io.BytesIO()
    FRAME.to_parquet(written)
    return written.getvalue()


def workbook() -> bytes:
    written = io.BytesIO()
    FRAME.to_excel(written, index=False)
    return written.getvalue()


def data_set() -> bytes:
    """As the library `datasets` saves one: a folder with Arrow streams and what describes them."""
    table = pyarrow.Table.from_pandas(FRAME)
    stream, folder = io.BytesIO(), io.BytesIO()
    with pyarrow.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    with zipfile.ZipFile(folder, "w") as archive:
        archive.writestr("study/data-00000-of-00001.arrow", stream.getvalue())
        archive.writestr("study/dataset_info.json", "{}")
        archive.writestr("study/state.json", "{}")
    return folder.getvalue()


FILES = {"study.parquet": parquet, "study.xlsx": workbook, "study.zip": data_set}


def check() -> None:
    rows = Response.objects.order_by("key").values_list("key", "prompt__text", "text", "target_model__name")
    assert list(rows) == [("r1", "Warum?", "Darum.", "A"), ("r2", "Wie?", "So 🍚.", "B")]


Bring = Callable[[str, str, bytes, str], None]


@pytest.fixture(params=["command", "api"])
def bring(request, nour, project, tmp_path) -> Bring:
    """Have a file brought in by one of the ways there are: the kind of data, its name, content and mapping."""

    def by_command(kind: str, name: str, content: bytes, mapping: str) -> None:
        (tmp_path / name).write_bytes(content)
        (tmp_path / "mapping.yaml").write_text(mapping)
        said = ("--mapping", str(tmp_path / "mapping.yaml"), "--quiet")
        call_command(f"import_{kind}", project.slug, str(tmp_path / name), *said, stdout=io.StringIO())

    def by_api(kind: str, name: str, content: bytes, mapping: str) -> None:
        parts = {
            "file": SimpleUploadedFile(name, content),
            "mapping": SimpleUploadedFile("mapping.yaml", mapping.encode()),
        }
        answer = signed_in(nour).post(f"/api/v1/projects/feasts/imports/?kind={kind}", parts)
        assert answer.status_code == 201, answer.content

    return {"command": by_command, "api": by_api}[request.param]


@pytest.mark.parametrize("name", FILES)
def test_tables_of_texts(bring, name):
    bring("items", name, FILES[name](), MAPPING)
    check()


# --- Texts with marks ---

TEXT = "🍚 كشري in Cairo 🇪🇬 today, not in Giza"
#: Begin and end by code points.
CAIRO, GIZA = (10, 15), (33, 37)
assert [TEXT[slice(*place)] for place in (CAIRO, GIZA)] == ["Cairo", "Giza"]


def in_utf16(place: int) -> int:
    return len(TEXT[:place].encode("utf-16-le")) // 2


def region(start: int, end: int, label: str) -> dict:
    """A region of the tag Labels, as Label Studio's page counts it: in UTF-16 code units."""
    value = {"start": in_utf16(start), "end": in_utf16(end), "text": TEXT[start:end], "labels": [label]}
    return {"id": f"r{start}", "from_name": "label", "to_name": "text", "type": "labels", "value": value}


LABEL_STUDIO = [
    {
        "id": 7,
        "data": {"text": TEXT},
        "annotations": [
            {"id": 70, "completed_by": {"email": "mona@x.org"}, "result": [region(*CAIRO, "place")]},
            {"id": 71, "completed_by": {"email": "karim@x.org"}, "result": [region(*GIZA, "doubt")]},
        ],
        "predictions": [{"id": 72, "model_version": "ner-2", "result": [region(*CAIRO, "place")]}],
    }
]
DOCCANO = {"id": 7, "text": TEXT, "label": [[*CAIRO, "place"], [*GIZA, "doubt"]], "Comments": []}
OF_A_TEXT = """
kind: items
read: {format: FORMAT}
keep: true
fields: {prompt: "Where?", variety: ar-EG, model: Nile-7B, laboratory: Delta}
"""
OF_MARKS = """
kind: answers
read: {format: FORMAT}
keep: true
fields: {kind: spans, MORE}
values: {spans.category: {other: null}, laboratory: {"*": Tagger Lab}}
create: [categories]
"""
MARKED = {
    "label-studio": (
        json.dumps(LABEL_STUDIO).encode(),
        'laboratory: "{model}"',  # which the answers of people have not
        {("mona@x.org", *CAIRO, "place"), ("karim@x.org", *GIZA, "doubt"), ("ner-2", *CAIRO, "place")},
    ),
    "doccano": (
        json.dumps(DOCCANO).encode(),
        'rater: "Mona Adel", rater_kind: human',
        {("Mona Adel", *CAIRO, "place"), ("Mona Adel", *GIZA, "doubt")},
    ),
}


@pytest.mark.parametrize("name", MARKED)
def test_texts_with_the_marks_of_everybody(bring, name):
    content, said, expected = MARKED[name]
    items, answers = (
        each.replace("FORMAT", name).replace(", MORE", f", {said}" if said else "") for each in (OF_A_TEXT, OF_MARKS)
    )
    assert max(len(each.strip().splitlines()) for each in (items, answers)) <= 10
    file = "export.json" if name == "label-studio" else "export.jsonl"
    bring("items", file, content, items)
    bring("answers", file, content, answers)
    assert list(Response.objects.values_list("key", "text", "target_model__name")) == [("7", TEXT, "Nile-7B")]
    found = {(span.rater.name, span.start, span.end, span.category.slug) for span in Span.objects.all()}
    assert found == expected
    assert Marking.objects.count() == len({rater for rater, *_place in expected})
    assert Import.objects.count() == 2
    judges = Rater.objects.filter(kind="judge").values_list("name", "laboratory__name")
    assert dict(judges) == ({"ner-2": "Tagger Lab"} if name == "label-studio" else {})
