"""Nour brings in a set of questions: every line is checked against the rules that are to score it."""

import json

import pytest
from django.core.management import CommandError, call_command

from benchmark.models import Question, QuestionSet, RuleUse
from projects.creation import create_project
from projects.models import Project, Prompt
from tests.benchmark.sets import CANARY, bring, open_line, question_line, refused, set_line, stored
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def rules_of(key: str) -> list[tuple]:
    return list(RuleUse.objects.filter(question__key=key).values_list("rule", "rule_version", "parameters"))


def test_a_set_is_stored_with_all_it_says(project):
    counts = stored(
        project,
        set_line(sources=[{"id": "own", "name": "Own questions", "translated": False, "link": "https://example.org/"}]),
        question_line(cluster="p1", metadata={"row": 7}, canary=CANARY),
        open_line(input="فقرة عن الشاي.", held_back=True),
    )
    assert counts == {"question sets": 1, "skills": 2, "sources": 1, "prompts": 2, "questions": 2}
    own = QuestionSet.objects.get()
    assert (own.slug, own.name, own.version, own.licence, str(own.canary)) == ("own", "Own set", 1, "CC BY 4.0", CANARY)
    assert (own.is_frozen, own.sha256) == (False, "")
    capital, tea = own.questions.all()
    assert (capital.key, capital.position, capital.format, capital.skill.slug) == (
        "capital",
        1,
        "mcq",
        "general-knowledge",
    )
    assert (capital.source.name, capital.source.is_translated) == ("Own questions", False)
    assert (capital.cluster, capital.metadata, capital.expected_language) == ("p1", {"row": 7}, "ar")
    assert capital.prompt.text == "ما هي عاصمة الأردن؟ (capital)\n\nأ. عمّان\nب. إربد", "a model is sent the options"
    assert (tea.is_held_back, tea.input_text) == (True, "فقرة عن الشاي.")
    assert tea.prompt.text == "اكتب جملة عن الشاي. (tea)\n\nفقرة عن الشاي.", "and the passage"
    assert (tea.prompt.key, tea.prompt.variety.tag) == ("own/tea", "ar")


def test_options_that_the_instruction_lists_are_not_said_twice(project):
    text = "ما هي عاصمة الأردن؟ أ) عمّان ب) إربد"
    stored(project, question_line(instruction=text))
    assert Prompt.objects.get().text == text


def test_the_rule_map_gives_rules_by_skill_and_format(project):
    stored(project, question_line(), open_line(), open_line("poem", category="Anything else"))
    assert rules_of("capital") == [("judge_choice", 1, {})]
    assert rules_of("tea") == [("judge_generation", 1, {}), ("rouge_l", 1, {})]
    assert rules_of("poem") == [("judge_generation", 1, {})]


def test_a_question_may_state_its_own_rules_and_is_stored_with_all_parameters(project):
    rules = [{"rule": "reference_length"}, {"rule": "reference_length", "parameters": {"unit": "characters"}}]
    stored(project, open_line(rules=rules))
    assert rules_of("tea") == [
        ("reference_length", 1, {"unit": "words"}),
        ("reference_length", 1, {"unit": "characters"}),
    ]


def test_a_draft_may_hold_questions_that_nothing_scores_yet(project):
    stored(project, open_line(rules=[]), open_line("form", category="Structuring"))
    assert RuleUse.objects.count() == 0


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"instruction": ...}, "instruction", "missing"),
        ({"instruction": " "}, "instruction", "empty"),
        ({"format": "essay"}, "format", "not_a_choice"),
        ({"category": ...}, "category", "missing"),
        ({"owner": "Omar"}, "owner", "unknown_field"),
        ({"language": "Arabic language"}, "language", "not_a_language"),
        ({"language": "xx-XX"}, "language", "unknown_variety"),
        ({"variety": "ar-EGY"}, "variety", "unknown_variety"),
        ({"language": ...}, "variety", "missing"),
        ({"options": [{"label": "a", "text": "x"}, {"label": "a", "text": "y"}]}, "options[1].label", "duplicate_id"),
        ({"options": [{"label": "a"}]}, "options[0].text", "missing"),
        ({"format": "generation"}, "options", "not_a_choice_question"),
        ({"output": "ج"}, "output", "not_an_option"),
        ({"output": ...}, "output", "no_reference"),
        ({"source": ..., "translated": True}, "translated", "not_alone"),
        ({"translated": True}, "translated", "source_differs"),
        ({"held_back": "yes"}, "held_back", "not_boolean"),
        ({"twin_of": "nobody"}, "twin_of", "unknown_question"),
        ({"twin_of": "second"}, "twin_of", "own_twin"),
        ({"canary": "bird"}, "canary", "not_a_uuid"),
        ({"canary": "00000000-0000-4000-8000-000000000000"}, "canary", "other_canary"),
        ({"rules": [{"rule": "bleu"}]}, "rules[0].rule", "unknown_rule"),
        ({"rules": [{"rule": "rouge_l", "version": 99}]}, "rules[0].version", "other_rule_version"),
        ({"rules": [{"rule": "rouge_l", "parameters": {"n": 2}}]}, "rules[0].parameters", "parameters_misfit"),
        ({"rules": [{"rule": "instruction_counts"}]}, "rules[0].parameters", "parameters_misfit"),
        ({"rules": [{"rule": "rouge_l"}, {"rule": "rouge_l"}]}, "rules[1].rule", "duplicate_rule"),
        ({"rules": [{"rule": "diacritization"}]}, "rules[0].rule", "rule_cannot_apply"),
        ({"rules": [{"rule": "rouge_l"}, {"rule": "relative_edit_distance"}]}, "rules[1].rule", "rule_cannot_apply"),
        ({"category": "Dialect Detection"}, "rules", "rule_cannot_apply"),
    ],
)
def test_what_is_wrong_is_named_by_line_and_field_and_nothing_is_stored(project, changes, field, code):
    lines = (set_line(), question_line("first", translated=False), question_line("second", **changes))
    assert refused(project, *lines) == [(3, field, code)]


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"name": ...}, "name", "missing"),
        ({"id": "my set"}, "id", "not_a_slug"),
        ({"version": 0}, "version", "out_of_range"),
        ({"canary": "bird"}, "canary", "not_a_uuid"),
        ({"skills": [{"id": "a"}]}, "skills[0].name", "missing"),
        ({"sha256": "0" * 64}, "frozen_at", "missing"),
        ({"sha256": "0" * 64, "frozen_at": "2026-03-01T09:30:00Z"}, "sha256", "hash_differs"),
    ],
)
def test_what_is_wrong_with_the_set_is_named(project, changes, field, code):
    if "sha256" in changes:
        assert refused(project, set_line(**changes), question_line()) == [(1, field, code)]
    else:
        assert refused(project, set_line(**changes), question_line())[0] == (1, field, code)


def test_the_set_is_described_by_the_first_line_alone(project):
    assert refused(project, question_line(), set_line()) == [(2, "kind", "set_not_first")]
    assert refused(project, set_line(), set_line(id="two")) == [(2, "kind", "set_not_first")]


def test_an_id_stands_once(project):
    assert refused(project, question_line(), question_line()) == [(2, "id", "duplicate_id")]
    stored(project, question_line())
    assert refused(project, open_line(), question_line()) == [(2, "id", "already_there")]


def test_a_question_without_an_id_has_one_of_its_texts(project):
    stored(project, question_line(id=...))
    key = Question.objects.get().key
    assert key.startswith("q-")
    assert refused(project, question_line(id=..., metadata={"again": 1})) == [(1, "id", "already_there")]


def test_more_questions_go_into_the_draft(project):
    stored(project, set_line(), question_line())
    assert stored(project, open_line())["questions"] == 1
    own = QuestionSet.objects.get()
    assert list(own.questions.values_list("key", "position")) == [("capital", 1), ("tea", 2)]
    assert own.sources.count() == 1


def test_a_set_of_which_nothing_is_said_is_named_as_the_project_and_takes_the_canary_of_its_lines(project):
    stored(project, question_line(canary=CANARY))
    own = QuestionSet.objects.get()
    assert (own.slug, own.name, str(own.canary)) == ("feasts", "Feasts", CANARY)


def test_where_two_sets_are_drafts_one_has_to_be_named(project):
    stored(project, set_line(), question_line())
    stored(project, set_line(id="two", canary=...), question_line())
    assert refused(project, open_line()) == [(1, "", "which_set")]


def test_a_described_version_that_is_there_is_refused(project):
    stored(project, set_line(), question_line())
    assert refused(project, set_line(canary=...), open_line()) == [(1, "version", "already_there")]
    assert refused(project, set_line(canary=..., version=2), open_line()) == [(1, "version", "draft_there")]
    assert refused(project, set_line(id="two"), open_line()) == [(1, "canary", "canary_taken")]


def test_a_prompt_of_another_text_is_not_taken_for_it(project):
    stored(project, set_line(), question_line())
    QuestionSet.objects.all().delete()
    stored(project, set_line(), question_line(instruction="سؤال آخر؟"))
    assert Question.objects.get().prompt.key == "own/capital/v1"
    QuestionSet.objects.all().delete()
    assert refused(project, set_line(), question_line(instruction="ثالث؟")) == [(2, "instruction", "prompt_differs")]


def test_twins_find_each_other_whichever_comes_first(project):
    stored(project, set_line(), open_line("b", twin_of="capital", held_back=True), question_line())
    assert Question.objects.get(key="b").twin_of.key == "capital"


def test_published_columns_come_as_a_table(project):
    table = [
        b"instruction,output,source,category,subcategory,format,language",
        "كم عدد أيام الأسبوع؟,سبعة,Own,General Knowledge,Time,Short Answer,ar".encode(),
        '"شكّل: كتب",كَتَبَ,Own,Diacritization,,Fill-in-the-blank,ar'.encode(),
    ]
    stored(project, *table, file_format="csv")
    assert list(Question.objects.values_list("format", flat=True)) == ["short-answer", "fill-in-the-blank"]
    assert refused(project, *table[:2], table[2].replace("كَتَبَ".encode(), "كتب".encode()), file_format="csv")[-1] == (
        3,
        "rules",
        "rule_cannot_apply",
    )


def test_many_questions_cost_as_many_statements_as_few(project, django_assert_max_num_queries):
    stored(project, set_line(), question_line())
    with django_assert_max_num_queries(60):
        stored(project, *(open_line(f"q{number}") for number in range(900)))


# --- The command ------------------------------------------------------------------------------------------


def written(path, *lines: dict) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


def test_the_command_says_what_came_of_it(project, tmp_path, capsys):
    bad = written(tmp_path / "bad.jsonl", question_line(format="essay"))
    with pytest.raises(CommandError, match="nothing was stored"):
        call_command("import_questions", project.slug, bad, "--quiet")
    assert "line 1, format" in capsys.readouterr().err
    good = written(tmp_path / "good.jsonl", question_line())
    call_command("import_questions", project.slug, good, "--quiet", "--set", "mine")
    assert "1 question" in capsys.readouterr().out
    assert QuestionSet.objects.get().slug == "mine"


def test_another_rule_map_and_other_columns(project, tmp_path):
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps([{"skill": "summarization", "format": "generation", "rules": [{"rule": "meteor"}]}]))
    columns = tmp_path / "columns.json"
    columns.write_text(json.dumps({"question": "instruction", "answer": "output", "row": None}))
    theirs = {"question": "Name a fruit.", "answer": "Apple", "row": 3, "category": "Summarization"}
    file = written(tmp_path / "theirs.jsonl", {**theirs, "format": "Generation"})
    options = {"rules": str(rules), "columns": str(columns), "variety": "en-US", "quiet": True}
    call_command("import_questions", project.slug, file, **options)
    question = Question.objects.get()
    assert (question.instruction, question.reference, question.prompt.variety.tag) == (
        "Name a fruit.",
        "Apple",
        "en-US",
    )
    assert rules_of(question.key) == [("meteor", 1, {})]


def test_choices_of_the_hub_are_lettered(project, tmp_path):
    columns = tmp_path / "columns.json"
    columns.write_text(json.dumps({"choices": "options"}))
    line = question_line(options=..., output="B", choices=["عمّان", "إربد"])
    call_command(
        "import_questions", project.slug, written(tmp_path / "a.jsonl", line), columns=str(columns), quiet=True
    )
    assert [option["label"] for option in Question.objects.get().options] == ["A", "B"]


def test_parquet_comes_in_row_by_row(project, tmp_path, capsys):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [question_line(options=..., held_back=None), question_line("second", options=..., held_back=True)]
    path = tmp_path / "questions.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    call_command("import_questions", project.slug, str(path), "--quiet")
    assert list(Question.objects.values_list("key", "is_held_back")) == [("capital", False), ("second", True)]
    parquet.write_table(pyarrow.Table.from_pylist([open_line(), open_line("bad", format="essay")]), path)
    with pytest.raises(CommandError):
        call_command("import_questions", project.slug, str(path), "--quiet")
    assert "line 2, format" in capsys.readouterr().err
    path.write_bytes(b"no parquet")
    with pytest.raises(CommandError):
        call_command("import_questions", project.slug, str(path), "--quiet")
    assert "no Parquet file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("{}", "list of JSON objects"),
        ('[{"rules": [{"rule": "bleu"}]}]', r"\[0\].rules\[0\].rule"),
        ('[{"format": "essay", "rules": []}]', r"\[0\].format"),
        ('[{"skil": "x", "rules": []}]', r"\[0\].skil"),
        ('[{"rules": [{"rule": "meteor", "parameters": {"n": 1}}]}]', r"\[0\].rules\[0\].parameters"),
    ],
)
def test_a_faulty_rule_map_is_refused_by_place(project, tmp_path, text, said):
    rules = tmp_path / "rules.json"
    rules.write_text(text)
    with pytest.raises(CommandError, match=said):
        call_command("import_questions", project.slug, written(tmp_path / "a.jsonl", question_line()), rules=str(rules))
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [("[]", "JSON object"), ('{"a": "owner"}', "a: One of"), ('{"a": "id", "b": "id"}', "Two columns")],
)
def test_a_faulty_column_map_is_refused(project, tmp_path, text, said):
    columns = tmp_path / "columns.json"
    columns.write_text(text)
    with pytest.raises(CommandError, match=said):
        call_command(
            "import_questions", project.slug, written(tmp_path / "a.jsonl", question_line()), columns=str(columns)
        )


def test_a_new_benchmark_shows_what_to_do_first(nour):
    from tests.people import join, signed_in

    bench = create_project(Project(slug="bench", name="Bench", preset="leaderboard"), None)
    join(nour, bench, "lead")
    page = signed_in(nour).get("/p/bench/").content.decode()
    assert "Import the questions" in page
    assert "/p/bench/question-sets/" in page


def test_the_page_and_the_api_take_the_same_files(project, nour):
    from tests.people import signed_in

    client = signed_in(nour)
    address = "/api/v1/projects/feasts/imports/?kind=benchmark-questions"
    answer = client.post(address, json.dumps(question_line()), content_type="application/jsonl")
    assert answer.status_code == 201, answer.content
    assert Question.objects.get().key == "capital"
    answer = client.post(address, json.dumps(question_line("b", format="essay")), content_type="application/jsonl")
    assert (answer.status_code, answer.json()["problems"][0]["field"]) == (422, "format")
    assert not bring(project, question_line()).is_stored


def test_whoever_comes_from_the_question_sets_finds_questions_chosen(project, nour):
    page = signed_in(nour).get("/p/feasts/question-sets/").content.decode()
    assert 'href="/p/feasts/import/?kind=benchmark-questions"' in page
    chosen = signed_in(nour).get("/p/feasts/import/?kind=benchmark-questions")
    assert chosen.context["form"]["kind"].value() == "benchmark-questions"
    assert signed_in(nour).get("/p/feasts/import/?kind=nonsense").context["form"]["kind"].value() == "items"
