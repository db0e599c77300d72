"""Nour says beside a file which set it belongs to, by which rules it is scored and what language its questions are in:
on the page, by a program, and by the command alike."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from benchmark.models import Answer, Question, QuestionSet
from benchmark.retiring import next_version
from tests.benchmark.answered import configuration_of, frozen_set
from tests.benchmark.sets import open_line, set_of
from tests.people import signed_in

pytestmark = pytest.mark.django_db
PROGRAM = "/api/v1/projects/feasts/imports/"
RULES = [{"skill": "Summarization", "rules": [{"rule": "rouge_l"}]}]


@pytest.fixture
def drafts(project, nour) -> list[QuestionSet]:
    """The second version of one set and the first of another: a line can describe neither, for both are there."""
    first = frozen_set(project, open_line("first"))
    return [next_version(first, nour).version, set_of(project, open_line("other"), id="other", canary=...)]


def lines(*questions: dict) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in questions).encode()


def file_of(*questions: dict, name: str = "questions.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, lines(*questions))


def test_the_page_of_a_draft_leads_to_an_import_into_it(drafts, nour):
    lead = signed_in(nour)
    page = lead.get(reverse("question-set", args=["feasts", "own", 2])).content.decode()
    assert "?kind=benchmark-questions&amp;set=own" in page
    form = lead.get("/p/feasts/import/?kind=benchmark-questions&set=own").content.decode()
    assert 'name="set" value="own"' in form
    said = {"kind": "benchmark-questions", "file": file_of(open_line("new 🙂"))}
    unsaid = lead.post("/p/feasts/import/", said)
    assert unsaid.status_code == 422
    assert "name one of them" in unsaid.content.decode()
    said["file"] = file_of(open_line("new 🙂"))
    assert lead.post("/p/feasts/import/", said | {"set": "own"}).status_code == 200
    assert Question.objects.get(key="new 🙂").question_set == drafts[0]


@pytest.mark.parametrize("slug", ["../x", "a b", "a\0b", "مجموعة", "x" * 61])
def test_a_set_that_no_page_could_show_is_refused_and_not_begun(project, nour, slug):
    """Its address could not be written, so the list of the project's sets could no longer be opened."""
    lead = signed_in(nour)
    said = {"kind": "benchmark-questions", "set": slug}
    page = lead.post("/p/feasts/import/", said | {"file": file_of(open_line("new"))})
    assert page.status_code == 422
    answer = lead.post(f"{PROGRAM}?kind=benchmark-questions", {"set": slug, "file": file_of(open_line("new"))}).json()
    assert [(each["line"], each["field"]) for each in answer["problems"]] == [(1, "set")]
    described = {"kind": "set", "id": "own", "name": "Own"}
    said["file"] = file_of(described, open_line("new"))
    assert lead.post("/p/feasts/import/", said).status_code == 422
    assert not QuestionSet.objects.exists()
    assert lead.get("/p/feasts/question-sets/").status_code == 200


def test_it_is_not_lost_where_columns_are_mapped(drafts, nour):
    lead = signed_in(nour)
    table = SimpleUploadedFile("questions.csv", "frage,antwort\nما عاصمة مصر؟,القاهرة\n".encode())
    said = {"kind": "benchmark-questions", "file": table, "set": "own", "variety": "ar-EG", "map": "1"}
    address = lead.post("/p/feasts/import/", said).headers["Location"]
    assert "set=own" in address
    fields = {"instruction": "{frage}", "output": "{antwort}", "category": "Geography", "format": "generation"}
    stated = {"kind": "benchmark-questions", "act": "import"} | {f"field-{ours}": said for ours, said in fields.items()}
    assert lead.post(address, stated).status_code == 303
    question = Question.objects.get(reference="القاهرة")
    assert (question.question_set, question.prompt.variety.tag) == (drafts[0], "ar-EG")


def test_a_program_names_set_rules_and_language(drafts, nour):
    question = open_line("new", language=..., variety=...)
    sent = {"file": file_of(question), "rules": file_of(RULES, name="rules.json")}
    answer = signed_in(nour).post(f"{PROGRAM}?kind=benchmark-questions&set=own&variety=ar-EG", sent)
    assert answer.status_code == 201, answer.json()
    new = Question.objects.get(key="new")
    assert (new.question_set, new.prompt.variety.tag) == (drafts[0], "ar-EG")
    assert [use.rule for use in new.rule_uses.all()] == ["rouge_l"]


def test_a_text_alone_goes_into_the_set_that_the_address_names(drafts, nour):
    address = f"{PROGRAM}?kind=benchmark-questions&set=other"
    answer = signed_in(nour).post(address, lines(open_line("new")), content_type="application/jsonl")
    assert answer.status_code == 201, answer.json()
    assert Question.objects.get(key="new").question_set == drafts[1]


DEEP = "[" * 100_000
BAD_RULES = [
    ('[{"rules": [{"rule": "nope"}]}]', ("rules[0].rules[0].rule", "unknown_rule")),
    (
        '[{"rules": [{"rule": "rouge_l", "parameters": {"x": 1}}]}]',
        ("rules[0].rules[0].parameters", "parameters_misfit"),
    ),
    ('[{"skill": 1, "rules": []}]', ("rules[0].skill", "not_text")),
    ('[{"rules": [], "rules": []}]', ("rules", "not_json")),
    ('[{"rules": [{"rule": "rouge_l", "parameters": {"x": 1e999}}]}]', ("rules", "not_json")),
    (DEEP, ("rules", "not_json")),
    ("no json", ("rules", "not_json")),
    ("{}", ("rules", "not_list")),
]


@pytest.mark.parametrize(
    ("rules", "problem"), BAD_RULES, ids=["unknown", "misfit", "number", "twice", "infinite", "deep", "prose", "object"]
)
def test_rules_that_are_none_are_told_by_their_place_and_nothing_is_stored(rules, problem, project, nour, tmp_path):
    for sent in (rules, SimpleUploadedFile("rules.json", rules.encode())):
        said = {"kind": "benchmark-questions", "file": file_of(open_line()), "rules": sent}
        answer = signed_in(nour).post(f"{PROGRAM}?kind=benchmark-questions", said)
        assert answer.status_code == 422
        [first, *_rest] = answer.json()["problems"]
        assert (first["field"], first["code"]) == problem
    file = tmp_path / "questions.jsonl"
    file.write_bytes(lines(open_line()))
    (tmp_path / "rules.json").write_text(rules)
    with pytest.raises(CommandError, match=r"rules\.json"):
        call_command("import_questions", "feasts", str(file), rules=str(tmp_path / "rules.json"), quiet=True)
    assert not Question.objects.exists()


@pytest.mark.parametrize("columns", ['{"x": ["instruction"]}', '{"x": {}}', '{"x": 1}', DEEP, '{"x": null, "x": null}'])
def test_columns_that_are_none_are_told_and_nothing_is_stored(columns, project, tmp_path):
    file, map_file = tmp_path / "questions.jsonl", tmp_path / "columns.json"
    file.write_bytes(lines(open_line()))
    map_file.write_text(columns)
    with pytest.raises(CommandError, match=r"columns\.json"):
        call_command("import_questions", "feasts", str(file), columns=str(map_file), quiet=True)
    assert not Question.objects.exists()


def test_answers_are_told_whose_they_are_and_to_which_set(project, nour):
    frozen_set(project, open_line(rules=[{"rule": "rouge_l"}]))
    frozen_set(project, open_line(rules=[{"rule": "rouge_l"}], instruction="أخرى"), id="other", canary=...)
    nile = configuration_of(project)
    answer = signed_in(nour).post(
        f"{PROGRAM}?kind=benchmark-answers&set=other&configuration={nile.slug}",
        lines({"id": "tea", "text": "شاي"}),
        content_type="application/jsonl",
    )
    assert answer.status_code == 201, answer.json()
    assert Answer.objects.get().prompt.text == "أخرى"


def test_what_a_kind_does_not_ask_for_is_none_of_its_business(project, nour):
    form = signed_in(nour).get("/p/feasts/import/?kind=items&set=own&rules=x").content.decode()
    assert 'name="set"' not in form
