"""Nour brings in files as spreadsheets, scripts and data sets of others leave them.

Each comes in as it was meant, or is refused with the line and what is wrong with it.
"""

import io
import json

import pyarrow
import pytest
from django.core.management import call_command
from pyarrow import parquet

from benchmark.exporting import exported
from benchmark.freezing import freeze
from benchmark.models import Question, QuestionSet
from formats.importing.running import Outcome, run_import
from formats.limits import MAX_TEXT
from formats.reading import Source
from projects.models import Prompt
from tests.benchmark.sets import bring, open_line, question_line, refused, set_of

pytestmark = pytest.mark.django_db

HEAD = "instruction,output,source,category,subcategory,format,language\n"
ROW = "ما عاصمة الأردن؟ أ) عمّان ب) إربد,أ,Own,General Knowledge,Geo,MCQ,ar\n"


def bring_table(project, text: str | bytes, name: str = "questions.csv") -> Outcome:
    content = text if isinstance(text, bytes) else text.encode()
    return run_import(project, Source(io.BytesIO(content), name), "benchmark-questions", name.rpartition(".")[2])


def with_column(name: str, cell: str) -> str:
    return f"{HEAD.strip()},{name}\n{ROW.strip()},{cell}\n"


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + (HEAD + ROW).encode(),
        (HEAD + ROW).replace("\n", "\r\n"),
        (HEAD + ROW).replace("\n", "\r"),
        (HEAD + ROW).replace(",", ";"),
        HEAD + ROW + "\n\r\n",
        with_column("rules", ""),
        with_column("rules", "  "),
    ],
    ids=["signature", "CR LF", "CR", "semicolons", "empty lines", "empty rules", "blank rules"],
)
def test_tables_of_spreadsheets_say_the_same(project, text):
    outcome = bring_table(project, text)
    assert outcome.is_stored, outcome.problems
    question = Question.objects.get()
    assert question.instruction == "ما عاصمة الأردن؟ أ) عمّان ب) إربد"
    assert [use.rule for use in question.rule_uses.all()] == ["judge_choice"], "those of the rule map"


def test_arabic_digits_and_cells_of_the_longest_texts_come_in_whole(project):
    long = "س" * MAX_TEXT
    rows = f"كم ٢+٢؟ ١) ثلاثة ٢) أربعة,٢,Own,Math,,MCQ,ar\n{long[5:]} اشرح,{long},Own,Math,,generation,ar\n"
    outcome = bring_table(project, HEAD + rows)
    assert outcome.is_stored, outcome.problems
    digits, longest = Question.objects.order_by("position")
    assert digits.reference == "٢"
    assert (len(longest.instruction), len(longest.reference)) == (MAX_TEXT, MAX_TEXT)


@pytest.mark.parametrize("field", ["instruction", "input", "output"])
def test_a_text_over_which_a_browser_stands_still_is_refused_by_row_and_limit(project, field):
    changes = {field: "س🙂" * 100_001}
    outcome = bring(project, open_line("first"), open_line("long", **changes))
    assert not outcome.is_stored
    [problem] = outcome.problems
    assert (problem.line, problem.field, problem.code) == (2, field, "too_long")
    assert "200002 characters; at most 200000 fit" in problem.message


@pytest.mark.parametrize(
    "parts",
    [
        {"instruction": "س" * (MAX_TEXT - 100), "input": "ش" * 99},
        {
            "instruction": "س" * 100,
            "options": [{"label": label, "text": label * (MAX_TEXT // 2)} for label in "AB"],
            "output": "A",
            "format": "mcq",
        },
    ],
    ids=["with its passage", "with its options"],
)
def test_a_question_that_is_too_long_as_a_whole_could_never_come_in_again_and_is_refused(project, parts):
    """Each part fits. Together, with the empty line between them, they are one character and more beyond a prompt."""
    outcome = bring(project, open_line("first"), open_line("long", **parts))
    assert not outcome.is_stored
    [problem] = outcome.problems
    assert (problem.line, problem.field, problem.code) == (2, "instruction", "too_long")
    assert "at most 200000 fit" in problem.message
    assert not Prompt.objects.exists()


def test_the_longest_question_leaves_and_comes_in_again_as_the_same_bytes(project, other_project):
    longest = open_line("long", instruction="س" * (MAX_TEXT - 100), input="🙂" * 98, rules=[{"rule": "rouge_l"}])
    sent = freeze(set_of(project, longest))
    assert len(Prompt.objects.get().text) == MAX_TEXT
    lines = list(exported(sent, with_held_back=True))
    assert bring(other_project, *lines).is_stored
    again = QuestionSet.objects.get(project=other_project)
    assert list(exported(again, with_held_back=True)) == lines


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ((HEAD + ROW).encode("utf-16"), (None, "", "utf16")),
        ((HEAD + ROW).encode("cp1256"), (2, "", "not_utf8")),
        (b"", (None, "", "empty_file")),
        (HEAD, (None, "", "empty_file")),
        (with_column("explanation", "x"), (None, "explanation", "unknown_column")),
        (with_column("output", "x"), (1, "output", "duplicate_column")),
        (with_column("rules", "judge_choice"), (2, "rules", "not_json")),
        (with_column("rules", '"[{""rule"": ""nope""}]"'), (2, "rules[0].rule", "unknown_rule")),
        (with_column("held_back", "perhaps"), (2, "held_back", "not_boolean")),
        (with_column("canary", "mine"), (2, "canary", "not_a_uuid")),
        (HEAD + "س\n", (2, "", "cell_count")),
        (HEAD + ROW.strip() + ",x,y\n", (2, "", "cell_count")),
        (HEAD + '"ما عاصمة,أ,Own,G,Geo,MCQ,ar\n', (2, "", "not_table")),
        (HEAD + ROW.replace("ما", "ما\x00"), (2, "instruction", "null_character")),
        (HEAD + "س" * 3_000_000 + ",أ,Own,G,Geo,MCQ,ar\n", (2, "", "line_too_long")),
        (HEAD + ROW + ROW, (3, "id", "duplicate_id")),
        (f"id,{HEAD}1,{ROW}1,{ROW}", (3, "id", "duplicate_id")),
    ],
)
def test_what_cannot_be_meant_is_refused_by_line_and_column(project, text, problem):
    outcome = bring_table(project, text)
    assert not outcome.is_stored
    assert not Question.objects.exists()
    first = outcome.problems[0]
    assert (first.line, first.field, first.code) == problem


AMMAN, IRBID = "عمّان", "إربد"


@pytest.mark.parametrize(
    ("options", "labels"),
    [
        ([AMMAN, IRBID], "AB"),
        ([f"A) {AMMAN}", f"B) {IRBID}"], "AB"),
        ([f"(أ) {AMMAN}", f"(ب) {IRBID}"], "أب"),
        ([f"أ- {AMMAN}", f"ب- {IRBID}"], "أب"),
        ([f"① {AMMAN}", f"② {IRBID}"], "①②"),
        ([f"١. {AMMAN}", f"٢. {IRBID}"], "١٢"),
        ({"text": [AMMAN, IRBID], "label": ["A", "B"]}, "AB"),
        ({"A": AMMAN, "B": IRBID}, "AB"),
        ([{"label": "①", "text": AMMAN}, {"label": "②", "text": IRBID}], "①②"),
    ],
)
def test_options_come_in_every_notation_and_a_model_is_sent_one_label_each(project, options, labels):
    outcome = bring(project, question_line(options=options, output=labels[1]))
    assert outcome.is_stored, outcome.problems
    question = Question.objects.select_related("prompt").get()
    assert question.options == [{"label": labels[0], "text": AMMAN}, {"label": labels[1], "text": IRBID}]
    assert question.prompt.text.endswith(f"\n\n{labels[0]}. {AMMAN}\n{labels[1]}. {IRBID}")


@pytest.mark.parametrize("texts", [["A. Lincoln", "C. Darwin"], ["A bear", "A cat"], ["3.5", "4"], ["A.", "B."]])
def test_texts_that_only_begin_like_a_label_keep_their_words(project, texts):
    assert bring(project, question_line(options=texts, output="A")).is_stored
    assert [option["text"] for option in Question.objects.get().options] == texts


def test_options_that_are_none_are_refused(project):
    for options in ("A) عمّان\nB) إربد", {"A": 1}, {"text": ["x", "y"], "label": ["A"]}):
        [(line, field, _code), *_rest] = refused(project, question_line(options=options))
        assert (line, field) == (1, "options")
    assert refused(project, question_line(options=[AMMAN, IRBID], output="C")) == [(1, "output", "not_an_option")]


@pytest.mark.parametrize(
    ("options", "place", "label"), [(["x", "y"], 1, "B"), (["x", "y"], 0, "A"), (["1. x", "2. y"], 1, "1")]
)
def test_an_answer_by_its_place_counts_from_0_unless_a_label_is_called_so(project, options, place, label):
    assert bring(project, question_line(options=options, output=place)).is_stored
    assert Question.objects.get().reference == label


@pytest.mark.parametrize("place", [2, -1, True])
def test_a_place_where_no_option_is_says_so(project, place):
    assert refused(project, question_line(options=["x", "y"], output=place)) == [(1, "output", "not_text")]


def test_a_data_set_of_the_hub_comes_in_with_a_map_of_its_columns(project, tmp_path):
    rows = [
        {
            "question": "Which is a fruit?",
            "subject": "botany",
            "choices": ["Brick", "Apple"],
            "answer": 1,
            "format": "MCQ",
        },
        {
            "question": "Which is a stone?",
            "subject": "botany",
            "choices": ["Granite", "Pear"],
            "answer": 0,
            "format": "MCQ",
        },
    ]
    file, columns = tmp_path / "test.parquet", tmp_path / "columns.json"
    parquet.write_table(pyarrow.Table.from_pylist(rows), file)
    ours = {"question": "instruction", "subject": "category", "choices": "options", "answer": "output"}
    columns.write_text(json.dumps(ours))
    call_command("import_questions", project.slug, str(file), columns=str(columns), variety="en-US", quiet=True)
    assert list(Question.objects.order_by("position").values_list("format", "reference", "skill__name")) == [
        ("mcq", "B", "botany"),
        ("mcq", "A", "botany"),
    ]
