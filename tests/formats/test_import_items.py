"""Nour brings prompts and responses into her project, by command, by page and by program: all of a file or nothing."""

import csv
import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from formats.importing.running import run_import
from formats.limits import MAX_TEXT
from formats.reading import Source
from jobs.models import Job
from jobs.working import work_on
from projects.models import (
    ApiToken,
    AuditEvent,
    Laboratory,
    Prompt,
    PromptTemplate,
    Response,
    ResponsePair,
    TargetModel,
)
from tests.annotation.rated import question_type
from tests.people import signed_in

KOSHARI = {
    "id": "eg-1",
    "prompt_id": "p-1",
    "prompt": "إزاي أعمل كشري؟",
    "variety": "ar-EG",
    "model": "Nile-7B",
    "laboratory": "Delta Lab",
    "response": "الكشري أكلة مصرية.\r\n\r\nرز وعدس 🍚",
    "task": "how-to",
    "domain": "food",
    "metadata": {"temperature": 0.7, "tags": ["رز"]},
}
ILISH = {**KOSHARI, "id": "bd-1", "prompt_id": "p-2", "prompt": "ইলিশ?", "variety": "bn-BD", "response": "ইলিশ ভাজা"}


def item(**changes) -> dict:
    return {name: value for name, value in {**KOSHARI, **changes}.items() if value is not ...}


def jsonl(*records: dict) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def bring(project, content: bytes, file_format: str = "jsonl", **options):
    return run_import(project, Source(io.BytesIO(content), "file"), "items", file_format, **options)


def refused(project, *records: dict) -> list[tuple]:
    """(line, field, code) of every problem; nothing was stored."""
    before = Response.objects.count(), Prompt.objects.count(), TargetModel.objects.count(), AuditEvent.objects.count()
    outcome = bring(project, jsonl(*records))
    assert not outcome.is_stored
    assert before == (
        Response.objects.count(),
        Prompt.objects.count(),
        TargetModel.objects.count(),
        AuditEvent.objects.count(),
    )
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


def test_a_response_is_stored_exactly_as_it_stood(project):
    outcome = bring(project, jsonl(KOSHARI, ILISH))
    assert outcome.is_stored
    assert outcome.counts == {"laboratories": 1, "target models": 1, "prompts": 2, "responses": 2}
    response = Response.objects.get(project=project, key="eg-1")
    assert response.text == KOSHARI["response"]
    assert response.metadata == KOSHARI["metadata"]
    assert response.variety.tag == "ar-EG"
    assert (response.target_model.name, response.target_model.laboratory.slug) == ("Nile-7B", "delta-lab")
    prompt = response.prompt
    assert (prompt.key, prompt.text, prompt.task, prompt.domain) == ("p-1", "إزاي أعمل كشري؟", "how-to", "food")
    assert len({response.uuid for response in Response.objects.all()}) == 2


def test_the_import_is_in_the_audit_log(project, nour):
    bring(project, jsonl(KOSHARI), actor=nour)
    event = AuditEvent.objects.get(action="data.imported")
    assert (event.actor, event.detail["responses"]) == (nour, 1)


def test_a_prompt_answered_by_two_models_is_one_prompt(project):
    bring(project, jsonl(item(), item(id="eg-2", model="Sahara-2", laboratory="Other")))
    assert Prompt.objects.filter(project=project).count() == 1


def test_without_a_prompt_id_equal_prompts_meet(project):
    bring(
        project, jsonl(item(prompt_id=...), item(id="eg-2", prompt_id=None), item(id="eg-3", prompt_id=..., prompt="x"))
    )
    assert Prompt.objects.filter(project=project).count() == 2


def test_a_prompt_may_be_in_another_variety_than_its_response(project):
    bring(project, jsonl(item(prompt_variety="en-US", prompt="How do I make koshari?")))
    response = Response.objects.get(project=project)
    assert (response.variety.tag, response.prompt.variety.tag) == ("ar-EG", "en-US")


@pytest.mark.parametrize(("file_format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_a_table_holds_the_same(project, file_format, delimiter):
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, KOSHARI, delimiter=delimiter)
    writer.writeheader()
    writer.writerow({**KOSHARI, "metadata": json.dumps(KOSHARI["metadata"])})
    writer.writerow({**KOSHARI, "id": "eg-2", "response": "=SUM(1;2)", "metadata": ""})
    outcome = bring(project, table.getvalue().encode(), file_format)
    assert outcome.is_stored, outcome.problems
    first, second = Response.objects.filter(project=project).order_by("key")
    assert (first.text, first.metadata) == (KOSHARI["response"], KOSHARI["metadata"])
    assert second.text == "=SUM(1;2)"


BAD_FIELDS = [
    ({"role": "lead"}, "role", "unknown_field"),
    ({"owner": "omar"}, "owner", "unknown_field"),
    ({"response": ...}, "response", "missing"),
    ({"model": None}, "model", "missing"),
    ({"response": ""}, "response", "empty"),
    ({"prompt": " \n "}, "prompt", "empty"),
    ({"response": True}, "response", "not_text"),
    ({"id": 7}, "id", "not_text"),
    ({"id": "x" * 201}, "id", "too_long"),
    ({"id": "a\nb"}, "id", "control_character"),
    ({"id": " a"}, "id", "space_around"),
    ({"metadata": [1]}, "metadata", "not_object"),
    ({"variety": "ar-EGY"}, "variety", "unknown_variety"),
    ({"prompt_variety": "tlh-QQQ"}, "prompt_variety", "unknown_variety"),
    ({"laboratory": "؟؟"}, "laboratory", "laboratory_name"),
]


@pytest.mark.parametrize(("changes", "field", "code"), BAD_FIELDS)
def test_a_faulty_field_is_named_with_its_line_and_nothing_is_stored(project, changes, field, code):
    assert refused(project, ILISH, item(**changes)) == [(2, field, code)]


@pytest.mark.parametrize("field", ["prompt", "response"])
def test_a_text_beyond_what_a_browser_shows_is_refused_and_one_of_that_length_comes_in(project, field):
    assert refused(project, item(), item(id="long", **{field: "ك" * (MAX_TEXT + 1)})) == [(2, field, "too_long")]
    assert bring(project, jsonl(item(**{field: "ك" * MAX_TEXT}))).is_stored


def test_what_is_no_language_tag_is_answered_with_near_ones(project):
    outcome = bring(project, jsonl(item(variety="eg-AR")))
    assert outcome.problems[0].message == "“eg-AR” is not a language tag. Did you mean ar-EG?"


def test_all_problems_are_said_at_once_and_counted_beyond_a_hundred(project):
    outcome = bring(project, jsonl(*(item(id=f"r{n}", role="x") for n in range(150))))
    assert (len(outcome.problems), outcome.problem_count) == (100, 150)
    assert [problem.line for problem in outcome.problems[:3]] == [1, 2, 3]


def test_an_id_stands_once_in_a_file(project):
    assert refused(project, KOSHARI, ILISH, item(prompt_id="p-1")) == [(3, "id", "duplicate_id")]


def test_an_id_stands_once_in_a_file_of_many_batches(project, monkeypatch):
    from formats.importing.items import Items

    monkeypatch.setattr(Items, "batch_lines", 2)
    rows = [item(id=f"r{n % 5}") for n in range(6)]
    assert refused(project, *rows) == [(6, "id", "duplicate_id")]


def test_another_project_may_have_the_same_ids(project, other_project):
    bring(project, jsonl(KOSHARI))
    assert bring(other_project, jsonl(KOSHARI)).is_stored
    assert Laboratory.objects.filter(slug="delta-lab").count() == 1


@pytest.mark.parametrize("field", ["prompt", "prompt_variety", "task", "domain"])
def test_a_prompt_id_always_means_the_same_prompt(project, field):
    other = item(id="eg-2", **{field: "en-US" if field == "prompt_variety" else "another"})
    assert refused(project, KOSHARI, other) == [(2, field, "prompt_differs")]
    bring(project, jsonl(KOSHARI))
    assert refused(project, other) == [(1, field, "prompt_differs")]


def test_a_known_model_keeps_its_laboratory(project):
    bring(project, jsonl(KOSHARI))
    assert refused(project, item(id="eg-2", laboratory="Omega")) == [(1, "laboratory", "other_laboratory")]
    assert not Laboratory.objects.filter(slug="omega").exists()


def test_a_dry_run_says_what_would_be_and_stores_nothing(project):
    outcome = bring(project, jsonl(KOSHARI), dry_run=True)
    assert outcome.is_clean
    assert outcome.counts["responses"] == 1
    assert not outcome.is_stored
    assert not Response.objects.exists()
    assert not Laboratory.objects.exists()


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_a_problem(project, content):
    assert [problem.code for problem in bring(project, content).problems] == ["empty_file"]


def test_a_foreign_format_is_refused(project):
    assert refused(project, {"format": "other/9"}) == [(1, "format", "unknown_format")]


def test_a_thousand_responses_cost_few_queries(project, django_assert_max_num_queries):
    rows = [item(id=f"r{n}", prompt_id=f"p{n}", prompt=f"q{n}") for n in range(1000)]
    with django_assert_max_num_queries(40):
        assert bring(project, jsonl(*rows)).is_stored


# --- The command ---


def command(*arguments, **options) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("import_items", *map(str, arguments), stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def test_the_command_imports_a_file(project, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_bytes(jsonl(KOSHARI, ILISH))
    said, _errors = command("feasts", path, "--dry-run", "--quiet")
    assert "Would be stored" in said
    said, _errors = command("feasts", path, "--quiet")
    assert "2 responses" in said
    assert Response.objects.count() == 2


def test_the_command_takes_the_format_from_the_name(project, tmp_path):
    path = tmp_path / "items.csv"
    path.write_text("id,prompt,variety,model,laboratory,response\nr1,q,en-US,M,L,-1\n")
    command("feasts", path, "--quiet")
    assert Response.objects.get().text == "-1"


def test_the_command_lists_problems_and_fails(project, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_bytes(jsonl(KOSHARI, item(id="eg-2", owner="x")))
    err = io.StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("import_items", "feasts", str(path), "--quiet", stderr=err)
    assert failure.value.returncode == 1
    assert "line 2, owner: There is no such field." in err.getvalue()


def test_the_command_says_which_project_or_file_is_missing(project):
    with pytest.raises(CommandError, match="no project"):
        command("nowhere", "x.jsonl")
    with pytest.raises(CommandError, match=r"x\.jsonl cannot be read"):
        command("feasts", "x.jsonl", "--quiet")


# --- The programming interface ---


@pytest.fixture
def program(nour):
    _row, token = ApiToken.issue(nour, "import")
    return Client(headers={"Authorization": f"Bearer {token}"})


def post(program, content: bytes, query: str = "", content_type: str = "application/jsonl"):
    return program.post(f"/api/v1/projects/feasts/imports/{query}", content, content_type=content_type)


def test_a_program_sends_the_file_as_the_body(program, project):
    checked = post(program, jsonl(KOSHARI), "?dry_run=1")
    assert (checked.status_code, checked.json()["stored"]) == (200, False)
    done = post(program, jsonl(KOSHARI), "?kind=items")
    assert (done.status_code, done.json()["counts"]["responses"]) == (201, 1)


def test_a_program_sends_the_file_as_a_form(program, project):
    file = SimpleUploadedFile("items.csv", b"id,prompt,variety,model,laboratory,response\nr1,q,en-US,M,L,x\n")
    assert program.post("/api/v1/projects/feasts/imports/", {"file": file}).status_code == 201
    assert program.post("/api/v1/projects/feasts/imports/", {"other": "x"}).status_code == 400


def test_a_program_is_told_what_is_wrong(program, project):
    answer = post(program, jsonl(item(role="lead")))
    assert answer.status_code == 422
    assert answer.json()["problems"][0] | {"message": ""} == {
        "code": "unknown_field",
        "message": "",
        "field": "role",
        "line": 1,
        "span": None,
    }
    assert post(program, jsonl(KOSHARI), "?kind=users").status_code == 400
    assert post(program, jsonl(KOSHARI), "?file_format=xml").status_code == 400


def test_a_body_beyond_5_mb_is_read_and_one_beyond_the_limit_refused(program, project, settings):
    rows = jsonl(*(item(id=f"r{n}", response="كلمة " * 20_000) for n in range(40)))
    assert len(rows) > 5 * 1024 * 1024
    answer = post(program, rows)
    assert answer.status_code == 202, "a worker brings it in"
    work_on(Job.objects.get().pk)
    assert program.get(answer["Location"]).json()["result"]["counts"]["responses"] == 40
    settings.IMPORT_MAX_BYTES = 1000
    assert post(program, rows).status_code == 413


# --- The page ---


def send(user, content: bytes, name: str = "items.jsonl", **data):
    file = SimpleUploadedFile(name, content)
    return signed_in(user).post("/p/feasts/import/", {"kind": "items", "file": file, **data})


def test_the_page_explains_what_to_bring(nour, project):
    page = signed_in(nour).get("/p/feasts/import/").content.decode()
    assert "Nothing to mark yet" in page
    assert "schemas/items.schema.json" in page


@pytest.mark.parametrize("kind", ["items", "answers", "gold"])
def test_the_schema_of_each_kind_can_be_read(mona, kind):
    answer = signed_in(mona).get(f"/schemas/{kind}.schema.json")
    assert json.loads(b"".join(answer.streaming_content))["type" if kind == "gold" else "oneOf"]
    assert signed_in(mona).get("/schemas/users.schema.json").status_code == 404


def test_nour_checks_a_file_then_imports_it(nour, project):
    checked = send(nour, jsonl(KOSHARI), dry_run="1")
    assert b"Nothing has been stored yet" in checked.content
    assert not Response.objects.exists()
    done = send(nour, jsonl(KOSHARI))
    assert b"Imported." in done.content
    assert Response.objects.count() == 1
    assert AuditEvent.objects.get(action="data.imported").actor == nour


def test_the_page_lists_problems_by_line_and_field(nour, project):
    page = send(nour, jsonl(KOSHARI, item(id="eg-2", variety="ar-EGY")))
    assert page.status_code == 422
    text = page.content.decode()
    assert '<td class="num">2</td><td><code dir="ltr">variety</code></td>' in text
    assert not Response.objects.exists()


def test_what_a_file_says_is_shown_escaped(nour, project):
    page = send(nour, jsonl(item(variety="<script>alert(1)</script>", **{"<b>": 1})))
    assert b"<script>alert" not in page.content
    assert b"<b>" not in page.content


def test_a_fragment_answers_htmx(nour, project):
    client = signed_in(nour)
    file = SimpleUploadedFile("items.jsonl", jsonl(item(role="x")))
    answer = client.post("/p/feasts/import/", {"kind": "items", "file": file}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    assert b"role" in answer.content


def test_a_form_without_a_file_or_with_too_large_a_one_is_explained(nour, project, settings):
    answer = signed_in(nour).post("/p/feasts/import/", {"kind": "items"})
    assert answer.status_code == 422
    assert b"Nothing was read" in answer.content
    settings.IMPORT_MAX_BYTES = 10
    assert b"larger than" in send(nour, jsonl(KOSHARI)).content


def test_only_leads_import(mona, omar, nour, project):
    for user in (mona, omar):
        assert signed_in(user).get("/p/feasts/import/").status_code == 404
        assert send(user, jsonl(KOSHARI)).status_code == 404
        file = SimpleUploadedFile("items.jsonl", jsonl(KOSHARI))
        assert signed_in(user).post("/api/v1/projects/feasts/imports/", {"file": file}).status_code in (403, 404)
    assert not Response.objects.exists()


# --- Question types, templates and pairs ---


def pair(**changes) -> dict:
    return {"kind": "pair", "id": "x-1", "first": "eg-1", "second": "eg-2", **changes}


RIVAL = {**KOSHARI, "id": "eg-2", "model": "Sahara-2"}


@pytest.fixture
def formality(project):
    return question_type(project, "formality")


@pytest.fixture
def greeting(project, formality):
    return PromptTemplate.objects.create(project=project, key="t-1", text="[locale_country]?", question=formality)


def test_a_prompt_knows_its_question_type_and_its_template(project, greeting, formality):
    bring(project, jsonl(item(question="formality", template="t-1")))
    prompt = Prompt.objects.get(project=project)
    assert (prompt.question, prompt.template) == (formality, greeting)


def test_a_template_brings_its_question_type(project, greeting, formality):
    bring(project, jsonl(item(template="t-1"), item(id="eg-2", template="t-1", question="formality")))
    assert Prompt.objects.get(project=project).question == formality


def test_question_types_and_templates_are_those_of_the_project(project, other_project, greeting):
    question_type(other_project, "humour")
    question_type(project, "coherence")
    theirs = question_type(other_project, "warmth")
    PromptTemplate.objects.create(project=other_project, key="t-2", text="x", question=theirs)
    assert refused(project, item(question="humour")) == [(1, "question", "unknown_question")]
    assert refused(project, item(template="t-2")) == [(1, "template", "unknown_template")]
    assert refused(project, item(template="t-1", question="coherence")) == [(1, "question", "question_differs")]


def test_a_prompt_says_the_same_of_its_question_on_every_line(project, greeting):
    lines = item(question="formality"), item(id="eg-2"), item(id="eg-3", template="t-1")
    assert refused(project, *lines) == [(2, "question", "prompt_differs"), (3, "template", "prompt_differs")]


def test_an_unknown_question_type_is_answered_with_near_ones(project, formality):
    outcome = bring(project, jsonl(item(question="formalty")))
    assert "formality" in outcome.problems[0].message


def test_two_responses_are_set_side_by_side(project):
    outcome = bring(project, jsonl(KOSHARI, RIVAL, pair()))
    assert outcome.counts["pairs"] == 1
    stored = ResponsePair.objects.get(project=project)
    assert (stored.key, stored.first.key, stored.second.key) == ("x-1", "eg-1", "eg-2")
    assert (stored.prompt, stored.variety) == (stored.first.prompt, stored.first.variety)


def test_a_pair_may_name_responses_that_came_before(project):
    bring(project, jsonl(KOSHARI, RIVAL))
    assert bring(project, jsonl(pair())).is_stored


@pytest.mark.parametrize(("file_format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_a_pair_fills_four_columns_of_a_table(project, formality, file_format, delimiter):
    table = io.StringIO(newline="")
    columns = [*KOSHARI, "kind", "first", "second", "question"]
    writer = csv.DictWriter(table, columns, delimiter=delimiter)
    writer.writeheader()
    for record in (KOSHARI, RIVAL):
        writer.writerow({**record, "metadata": "", "question": "formality"})
    writer.writerow(pair())
    outcome = bring(project, table.getvalue().encode(), file_format)
    assert outcome.is_stored, outcome.problems
    assert ResponsePair.objects.get().prompt.question == formality


BAD_PAIRS = [
    (pair(second="eg-9"), "second", "unknown_item"),
    (pair(first=None), "first", "missing"),
    (pair(first=7), "first", "not_text"),
    (pair(second="eg-1"), "second", "same_response"),
    (pair(second="bd-1"), "second", "other_prompt"),
    (pair(second="eg-iq"), "second", "other_variety"),
    (pair(owner="omar"), "owner", "unknown_field"),
    (pair(prompt="q"), "prompt", "unknown_field"),
    (pair(id="a\u0007"), "id", "control_character"),
    (pair(second="eg-late"), "second", "unknown_item"),
]


@pytest.mark.parametrize(("bad", "field", "code"), BAD_PAIRS)
def test_a_faulty_pair_is_named_with_its_line_and_nothing_is_stored(project, bad, field, code):
    iraqi = {**RIVAL, "id": "eg-iq", "variety": "ar-IQ", "prompt_variety": "ar-EG"}
    lines = KOSHARI, {**ILISH}, RIVAL, iraqi, bad, {**RIVAL, "id": "eg-late"}
    assert refused(project, *lines) == [(5, field, code)]
    assert not ResponsePair.objects.exists()


def test_a_kind_of_line_that_is_not_known_is_named(project):
    assert refused(project, item(kind="couple")) == [(1, "kind", "not_a_choice")]
    assert refused(project, item(kind=["pair"])) == [(1, "kind", "not_a_choice")]


def test_two_responses_are_one_pair_whichever_comes_first(project):
    turned = pair(id="x-2", first="eg-2", second="eg-1")
    assert refused(project, KOSHARI, RIVAL, pair(), turned) == [(4, "second", "already_paired")]
    bring(project, jsonl(KOSHARI, RIVAL, pair()))
    assert refused(project, turned) == [(1, "second", "already_paired")]


def test_the_id_of_a_pair_is_its_own(project):
    third = {**RIVAL, "id": "eg-3"}
    assert refused(project, KOSHARI, RIVAL, third, pair(), pair(second="eg-3")) == [(5, "id", "duplicate_id")]
    bring(project, jsonl(KOSHARI, RIVAL, third, pair()))
    assert refused(project, pair(second="eg-3")) == [(1, "id", "already_there")]


def test_a_pair_of_another_project_does_not_exist_here(project, other_project):
    bring(other_project, jsonl(KOSHARI, RIVAL))
    assert {code for _line, _field, code in refused(project, pair())} == {"unknown_item"}


def test_hundreds_of_pairs_cost_few_queries(project, django_assert_max_num_queries):
    lines = [
        line
        for number in range(150)
        for line in (
            item(id=f"{number}-a", prompt_id=f"p-{number}"),
            item(id=f"{number}-b", prompt_id=f"p-{number}", model="Sahara-2"),
            pair(id=f"x-{number}", first=f"{number}-a", second=f"{number}-b"),
        )
    ]
    with django_assert_max_num_queries(40):
        assert bring(project, jsonl(*lines)).is_stored
