"""Nour has a table whose columns have other names: she maps them, looks, saves the mapping, brings it in."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from formats.mapping.saved import save_mapping
from jobs.files import sweep_files
from jobs.models import Job, JobState, StoredFile
from jobs.working import work_on
from projects.models import AuditEvent, ImportMapping, Response
from tests.people import signed_in

pytestmark = pytest.mark.django_db

TABLE = b"Nr;Frage;Antwort;System;Note\n1;Warum?;Darum, weil es so ist.;GPT;\n2;Wie?;=So;GPT;x\n"
FIELDS = {
    "field-id": "r{Nr}",
    "field-prompt": "{Frage}",
    "field-response": "{Antwort}",
    "field-model": "{System}",
    "field-laboratory": "OpenAI",
    "field-variety": "en-US",
}


def handed_in(user, content: bytes = TABLE, name: str = "study.csv", kind: str = "items") -> str:
    """The address of the page to which the file leads."""
    file = SimpleUploadedFile(name, content)
    answer = signed_in(user).post("/p/feasts/import/", {"kind": kind, "file": file, "map": "1"})
    assert answer.status_code == 302
    return answer["Location"]


def test_the_page_shows_the_first_rows_and_what_it_proposes(nour, project):
    page = signed_in(nour).get(handed_in(nour)).content.decode()
    assert "Darum, weil es so ist." in page
    assert 'name="field-prompt" value="{Frage}"' in page
    assert 'name="field-response" value="{Antwort}"' in page
    assert 'name="field-laboratory" value=""' in page, "nothing is guessed that the file does not say"
    assert "The columns are set apart by semicolons." in page
    assert not Job.objects.exists()


def test_a_lead_looks_checks_saves_and_brings_the_file_in(nour, project):
    address, browser = handed_in(nour), signed_in(nour)
    seen = browser.post(address, {"kind": "items", **FIELDS, "act": "look"})
    assert '"laboratory":"OpenAI"' in seen.content.decode().replace("&quot;", '"')
    checked = browser.post(address, {"kind": "items", **FIELDS, "act": "check"})
    assert "The file is good. Nothing has been stored yet" in checked.content.decode()
    assert "2 responses" in checked.content.decode(), "what would come of it is counted"
    assert not Response.objects.exists()
    browser.post(address, {"kind": "items", **FIELDS, "act": "save", "name": "German study"})
    assert ImportMapping.objects.get().stated["fields"]["laboratory"] == "OpenAI"
    done = browser.post(address, {"kind": "items", **FIELDS, "act": "import"})
    assert done.status_code == 303
    assert "Imported." in browser.get(done.url).content.decode()
    assert list(Response.objects.values_list("key", "text")) == [("r1", "Darum, weil es so ist."), ("r2", "=So")]
    assert browser.get(address).status_code == 404, "what is in is not kept"


def test_the_other_parts_are_said_as_yaml(nour, project):
    address = handed_in(nour)
    rest = 'unless: {Note: x}\nvalues: {variety: {"*": ar-EG}}'
    signed_in(nour).post(address, {"kind": "items", **FIELDS, "rest": rest, "act": "import"})
    assert list(Response.objects.values_list("key", "variety__tag")) == [("r1", "ar-EG")]


def test_a_column_is_taken_apart_and_one_text_is_said_of_all_rows(nour, project):
    address, said = handed_in(nour), FIELDS | {"field-model": "{maker}", "field-task": "{kind}"}
    rest = 'split: {System: {pattern: "(?P<maker>G)(?P<kind>PT)"}}'
    signed_in(nour).post(address, {"kind": "items", **said, "rest": rest, "act": "import"})
    rows = Response.objects.values_list("target_model__name", "target_model__laboratory__name", "prompt__task")
    assert list(rows) == [("G", "OpenAI", "PT")] * 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"field-id": "{Nr"}, "A brace stands alone"),
        ({"rest": "values: ["}, "neither YAML nor JSON"),
        ({"rest": "- a"}, "A mapping is an object"),
        ({"rest": "kind: answers"}, "makes answers, not items"),
        ({"field-response": "{Reply}"}, "no column “Reply”"),
        ({"field-response": ""}, "The field is missing"),
    ],
)
def test_what_does_not_go_is_said_and_nothing_lost(nour, project, change, says):
    address = handed_in(nour)
    answer = signed_in(nour).post(address, {"kind": "items", **FIELDS, **change, "act": "look"})
    page = answer.content.decode()
    assert says in page
    assert 'value="OpenAI"' in page, "what was typed is still there"
    assert not Job.objects.exists()


def test_a_saved_mapping_fills_the_form(nour, project):
    stated = {"kind": "items", "fields": {"id": "{Nr}", "laboratory": "Meta"}, "once": True}
    save_mapping(project, stated, "Theirs")
    address = handed_in(nour)
    assert "Theirs" in signed_in(nour).get(address).content.decode()
    page = signed_in(nour).get(f"{address}&mapping=Theirs").content.decode()
    assert 'value="Meta"' in page
    assert "once: true" in page


def test_a_mapping_goes_to_another_project_as_a_file_and_is_deleted(nour, project):
    kept = save_mapping(project, {"kind": "items", "fields": {"id": "{Nr}"}}, "Theirs")
    browser = signed_in(nour)
    file = browser.get(reverse("import-mapping", args=["feasts", kept.pk]))
    assert file.content.decode().splitlines()[1:] == ["name: Theirs", "kind: items", 'fields: {"id":"{Nr}"}']
    browser.post(reverse("import-mapping-delete", args=["feasts", kept.pk]))
    assert not ImportMapping.objects.exists()
    assert AuditEvent.objects.filter(action="mapping.deleted", subject="Theirs").exists()


def test_a_file_that_nobody_mapped_is_gone_after_a_day(nour, project):
    address = handed_in(nour)
    assert sweep_files() == 0
    StoredFile.objects.update(expires_at=timezone.now())
    assert sweep_files() == 1
    assert signed_in(nour).get(address).status_code == 404


def test_nobody_maps_the_file_of_another_project(nour, omar, project, other_project):
    handed_in(nour)
    uuid = StoredFile.objects.get().uuid
    assert signed_in(omar).get(f"/p/weddings/import/{uuid}/").status_code == 404


def test_a_file_without_rows_says_what_to_do(nour, project):
    page = signed_in(nour).get(handed_in(nour, b"id;text\n", "empty.csv")).content.decode()
    assert "Choose another file" in page


# --- By programs ---


API = "/api/v1/projects/feasts"
MAPPING = json.dumps(
    {
        "kind": "items",
        "name": "German",
        "fields": {name.removeprefix("field-"): value for name, value in FIELDS.items()},
    }
)


def test_a_program_previews_saves_a_mapping_and_imports_by_it(nour, project):
    browser = signed_in(nour)
    seen = browser.post(f"{API}/imports/preview/?file_format=csv", TABLE, content_type="text/csv").json()
    assert seen["columns"] == ["Nr", "Frage", "Antwort", "System", "Note"]
    assert seen["fields"]["response"] == "{Antwort}"
    saved = browser.post(f"{API}/import-mappings/", MAPPING, content_type="application/json")
    assert saved.status_code == 201
    pk = ImportMapping.objects.get().pk
    assert [each["name"] for each in browser.get(f"{API}/import-mappings/").json()] == ["German"]
    assert "kind: items" in browser.get(f"{API}/import-mappings/{pk}/").content.decode()
    made = browser.post(f"{API}/imports/preview/?file_format=csv&mapping=German", TABLE, content_type="text/csv").json()
    assert [each["id"] for each in made["made"]] == ["r1", "r2"]
    done = browser.post(f"{API}/imports/?file_format=csv&mapping=German", TABLE, content_type="text/csv")
    assert done.status_code == 201
    assert Response.objects.count() == 2
    assert browser.delete(f"{API}/import-mappings/{pk}/").status_code == 204


def test_a_program_sends_the_mapping_with_the_file(nour, project):
    parts = {"file": SimpleUploadedFile("study.csv", TABLE), "mapping": SimpleUploadedFile("m.yaml", MAPPING.encode())}
    assert signed_in(nour).post(f"{API}/imports/", parts).status_code == 201
    bad = {"file": SimpleUploadedFile("study.csv", TABLE), "mapping": SimpleUploadedFile("m.yaml", b"kind: [")}
    answer = signed_in(nour).post(f"{API}/imports/", bad)
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "not_yaml")


def test_a_program_asks_for_a_mapping_that_is_not_there(nour, project):
    answer = signed_in(nour).post(f"{API}/imports/?mapping=None", TABLE, content_type="text/csv")
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "unknown_mapping")


def test_a_large_file_is_brought_in_by_a_worker_with_its_mapping(nour, project):
    rows = b"".join(b"%d;Warum?;%s;GPT;\n" % (number, b"Darum. " * 100) for number in range(600))
    answer = signed_in(nour).post(
        f"{API}/imports/",
        {"file": SimpleUploadedFile("study.csv", TABLE.splitlines()[0] + b"\n" + rows), "mapping": MAPPING},
    )
    assert answer.status_code == 202
    job = Job.objects.get()
    work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, Response.objects.count()) == (JobState.DONE, 600)
