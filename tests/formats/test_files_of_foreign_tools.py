"""A Parquet file and a workbook that pandas wrote, and a data set saved as Arrow, by command and by API."""

import io
import zipfile

import pandas
import pyarrow
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from projects.models import Response
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


@pytest.mark.parametrize("name", FILES)
def test_by_command(project, tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name]())
    (tmp_path / "mapping.yaml").write_text(MAPPING)
    path = str(tmp_path / name)
    call_command("import_items", project.slug, path, mapping=str(tmp_path / "mapping.yaml"), quiet=True)
    check()


@pytest.mark.parametrize("name", FILES)
def test_by_api(nour, project, name):
    parts = {
        "file": SimpleUploadedFile(name, FILES[name]()),
        "mapping": SimpleUploadedFile("mapping.yaml", MAPPING.encode()),
    }
    answer = signed_in(nour).post("/api/v1/projects/feasts/imports/", parts)
    assert answer.status_code == 201, answer.content
    check()
