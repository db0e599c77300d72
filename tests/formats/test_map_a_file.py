"""A lead says what becomes of a file that another tool wrote: its columns, its words, its shape."""

import io
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from formats.item import FORMAT
from formats.mapping.applying import Applied
from formats.mapping.guessing import guessed_fields
from formats.mapping.specification import checked, read_mapping, written
from formats.mapping.templates import template
from formats.reading import Record, Source
from projects.models import AuditEvent, ImportMapping, Response
from projects.problems import Invalid


def made(stated: dict, *rows: dict, columns=None) -> list[dict]:
    records = [Record(number, row) for number, row in enumerate(rows, start=1)]
    mapping = checked({"kind": "items", **stated})
    source = Source(io.BytesIO(), columns=columns)
    found = list(Applied(mapping).records(iter(records), source))
    return [each.fields for each in found if isinstance(each, Record)]


# --- What fills a field ---


@pytest.mark.parametrize(
    ("text", "row", "value"),
    [
        ("{a}", {"a": 5}, 5),
        ("{a}|{b}", {"a": 5, "b": "x"}, "5|x"),
        ("{a}|{b}", {"a": 5}, "5|"),
        ("Say {a}.", {}, None),
        ("OpenAI", {}, "OpenAI"),
        ("{{a}}", {"a": 1}, "{a}"),
        ("{a?b}", {"a": "", "b": 2}, 2),
        ("{a}", {"a": ""}, ""),
        ("{a.b.0.c}", {"a": {"b": [{"c": True}]}}, True),
        ("{a.b}", {"a.b": 1, "a": {"b": 2}}, 1),
        ("{x = y.z}", {"x = y": {"z": 3}}, 3),
        ("{a.9}", {"a": [1]}, None),
        ("{a|slug}", {"a": "Gemma 2.0 (B)"}, "gemma-2-0-b"),
        ("{a|times 10}", {"a": "0.25"}, 2.5),
        ("{a|plus 1}", {"a": 0}, 1),
        ("{a|trim|lower}", {"a": " Yes "}, "yes"),
        ("{a|upper}", {"a": 1.0}, "1"),
    ],
)
def test_a_template(text, row, value):
    assert template(text).value(row) == value


@pytest.mark.parametrize("text", ["{a", "a}", "{}", "{a|shout}", "{a|times}", "{a|times x}", "x" * 2_001])
def test_what_is_no_template_is_named(text):
    with pytest.raises(Invalid):
        template(text)


# --- What a row becomes ---


def test_columns_constants_joined_parts_and_words_of_ours():
    stated = {
        "fields": {
            "id": "{nr}",
            "laboratory": "OpenAI",
            "prompt": {"join": ["{task}", "{input}"], "with": "\n"},
            "metadata": {"seed": "{seed}", "tool": "it"},
            "variety": "{lang}",
        },
        "values": {"variety": {"ar": "ar-EG", "*": "en-US"}},
    }
    assert made(stated, {"nr": 1, "task": "Do", "input": "", "seed": 7, "lang": "ar"}, {"nr": 2, "lang": "xx"}) == [
        {
            "id": 1,
            "laboratory": "OpenAI",
            "prompt": "Do",
            "metadata": {"seed": 7, "tool": "it"},
            "variety": "ar-EG",
        },
        {"id": 2, "laboratory": "OpenAI", "metadata": {"tool": "it"}, "variety": "en-US"},
    ]


def test_parts_of_an_object_have_words_of_ours_each():
    stated = {
        "fields": {"id": "{nr}", "metadata": {"right": "{a}", "whole": "{b}", "tool": "it"}},
        "values": {"metadata.right": {"y": "Yes", "": "Unsaid"}, "metadata.whole": {"n/a": None, "*": "Some"}},
    }
    assert made(stated, {"nr": 1, "a": "y", "b": "n/a"}, {"nr": 2, "a": "", "b": "y"}, {"nr": 3, "b": ""}) == [
        {"id": 1, "metadata": {"right": "Yes", "tool": "it"}},
        {"id": 2, "metadata": {"right": "Unsaid", "whole": "Some", "tool": "it"}},
        {"id": 3, "metadata": {"right": "Unsaid", "whole": "Some", "tool": "it"}},
    ]


def test_columns_are_taken_apart():
    stated = {
        "split": {
            "pair": {"by": "_", "into": ["first", "second"]},
            "code": {"pattern": r"(?P<lang>[a-z]+)-(?P<number>\d+)"},
        },
        "fields": {"id": "{number}", "model": "{first}", "variety": "{lang}", "task": "{second}"},
    }
    assert made(stated, {"pair": "a_b_c", "code": "ko-12"}, {"pair": "a", "code": "?"}) == [
        {"id": "12", "model": "a", "variety": "ko", "task": "b_c"},
        {"model": "a"},
    ]


def test_a_column_for_each_rater_becomes_a_row_for_each():
    stated = {
        "kind": "answers",
        "wide": {"columns": r"(?P<rater>\w+)_grade", "value": "grade"},
        "fields": {"kind": "ratings", "item": "{id}", "rater": "{rater}", "rater_kind": "human", "grade": "{grade}"},
        "needs": ["grade"],
        "values": {"grade": {"0": None}},
    }
    common = {"kind": "ratings", "item": "r1", "rater_kind": "human"}
    assert made(stated, {"id": "r1", "mona_grade": "4", "karim_grade": "0", "hana_grade": ""}) == [
        {**common, "rater": "mona", "grade": "4"}
    ]
    named = {**stated, "wide": {"columns": ["mona", "karim"], "name": "rater", "value": "grade"}}
    assert made(named, {"id": "r1", "mona": 1, "karim": 2}) == [
        {**common, "rater": "mona", "grade": 1},
        {**common, "rater": "karim", "grade": 2},
    ]


def test_what_lies_deeper_is_brought_up_with_what_stands_beside_it():
    stated = {
        "each": "questions.{number}.answers.{place}",
        "fields": {"id": "{story}/{number}/{place}", "response": "{text}", "prompt": "{asked}", "task": "{value}"},
    }
    row = {"story": "s", "questions": {"7": {"asked": "Why?", "answers": [{"text": "So."}, {"text": "No."}, "bare"]}}}
    assert made(stated, row) == [
        {"id": "s/7/0", "response": "So.", "prompt": "Why?"},
        {"id": "s/7/1", "response": "No.", "prompt": "Why?"},
        {"id": "s/7/2", "prompt": "Why?", "task": "bare"},
    ]


def test_rows_that_do_not_count_are_left_out_and_equal_records_made_once():
    stated = {"where": {"kind": ["a", "b"]}, "unless": {"test": "yes"}, "once": True, "fields": {"id": "{id}"}}
    rows = [
        {"kind": "a", "id": 1},
        {"kind": "c", "id": 2},
        {"kind": "b", "id": 3, "test": "yes"},
        {"kind": "b", "id": 1},
    ]
    assert made(stated, *rows) == [{"id": 1}]


def test_a_record_may_be_made_only_where_a_column_has_a_value():
    stated = {"fields": [{"id": "{n}"}, {"if": "{second}", "id": "{n}-2", "response": "{second}"}]}
    rows = [{"n": 1, "second": "x"}, {"n": 2, "second": ""}]
    assert made(stated, *rows) == [{"id": 1}, {"id": "1-2", "response": "x"}, {"id": 2}]


def test_a_row_may_make_several_records():
    stated = {"fields": [{"id": "{n}-1"}, {"id": "{n}-2"}, {"kind": "pair", "id": "{n}"}]}
    assert [each["id"] for each in made(stated, {"n": 5})] == ["5-1", "5-2", 5]


def test_rows_are_gathered_into_one_record_wherever_they_stand():
    stated = {
        "kind": "answers",
        "fields": {"kind": "spans", "item": "{item}", "rater": "{who}", "rater_kind": "human"},
        "gather": {"spans": {"id": "{@line}", "quote": "{words}", "criticality": "{how}"}},
        "values": {"spans.criticality": {"Major": "high"}},
        "needs": ["spans.quote"],
    }
    rows = [
        {"item": "r1", "who": "Mona", "words": "a", "how": "Major"},
        {"item": "r2", "who": "Mona"},
        {"item": "r1", "who": "Mona", "words": "b", "how": "low"},
    ]
    assert [(each["item"], each["spans"]) for each in made(stated, *rows)] == [
        ("r1", [{"id": 1, "quote": "a", "criticality": "high"}, {"id": 3, "quote": "b", "criticality": "low"}]),
        ("r2", []),
    ]


def test_a_column_that_the_table_has_not_is_one_problem():
    with pytest.raises(Invalid, match=r"no column “answer”\. It has: id, reply") as refused:
        made({"fields": {"id": "{id}", "response": "{answer}"}}, {"id": 1}, {"id": 2}, columns=["id", "reply"])
    assert len(refused.value.problems) == 1


def test_a_pattern_that_takes_for_ever_is_refused():
    stated = {"split": {"text": {"pattern": r"(?P<a>(a|aa)+)$b"}}, "fields": {"id": "{a}"}}
    with pytest.raises(Invalid, match="takes too long"):
        made(stated, {"text": "a" * 5_000})


# --- The mapping itself ---

FILE = """
kind: answers
name: Likert of the study
each: "{book}.notes.{n}"
fields: {kind: ratings, item: "{book}", rater: "{who}", rater_kind: human, grade: "{grade}"}
values: {grade: {0: null, 5: 4}}
"""


def test_a_mapping_is_a_few_lines_of_yaml_and_comes_out_as_it_went_in():
    mapping = read_mapping(FILE)
    assert mapping["values"] == {"grade": {"0": None, "5": 4}}
    assert len(written(mapping).splitlines()) == 6
    again = read_mapping(written(mapping))
    assert again == {"format": "mizan.mapping/1", **mapping}
    assert read_mapping(json.dumps(mapping)) == mapping


BAD = {
    "no YAML": ("kind: [", "neither YAML nor JSON"),
    "anchors": ("kind: items\nfields: &a {id: x}\nvalues: {a: *a}", "line 2.*Anchors"),
    "a key twice": ("kind: items\nkind: answers\nfields: {id: x}", "line 2, kind: The key stands twice"),
    "a key twice in JSON": ('{"kind": "items", "kind": "answers", "fields": {"id": "x"}}', "kind"),
    "half a pair": ('kind: items\nfields: {id: "\\ud800"}', "neither YAML nor JSON"),
    "a null character": ('kind: items\nfields: {id: "\\0"}', "cannot be stored"),
    "a null character in JSON": ('{"kind": "items", "fields": {"id": "\\u0000"}}', "U\\+0000"),
    "an unknown format": ("kind: items\nfields: {id: x}\nread: {format: sav}", "read.format: One of these .* xlsx"),
    "no parts to join": ("kind: items\nfields: {id: {join: 5}}", "id: What is to be joined"),
    "code": ("!!python/object/apply:os.system [ls]", "neither YAML nor JSON"),
    "a list": ("- kind", "A mapping is an object"),
    "no fields": ("kind: items", "fields: The field is missing"),
    "a foreign part": ("kind: items\nfields: {id: x}\nrun: rm", "run: There is no such field"),
    "a bad template": ("kind: items\nfields: {id: '{x'}", "id: A brace stands alone"),
    "a bad pattern": ("kind: items\nfields: {id: x}\nsplit: {a: {pattern: '('}}", "no regular expression"),
    "a split without parts": ("kind: items\nfields: {id: x}\nsplit: {a: {by: ','}}", "taken apart by a separator"),
    "values of nothing": (
        "kind: items\nfields: {id: x}\nvalues: {grade: {a: 1}}",
        "values.grade: Nothing fills",
    ),
    "values of no entry": (
        "kind: answers\nfields: {id: x}\ngather: {spans: {start: '{a}'}}\nvalues: {spans.category: {a: b}}",
        "values.spans.category: Nothing fills",
    ),
    "too much": ("#" * 70_000, "at most 64 kB"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_mapping_is_named(name):
    content, says = BAD[name]
    with pytest.raises(Invalid, match=says):
        read_mapping(content)


def test_yes_and_no_are_the_words_of_the_cells():
    """YAML of old takes them for truth values, and no cell that says “yes” would be found among its values."""
    stated = read_mapping(
        b"kind: items\nfields: {id: '{a}'}\nvalues: {id: {yes: r1, no: r0, on: r3, 1: r2, 1_0: r4}}\n"
    )
    words = ["yes", "no", "on", "1", "1_0"]
    rows = made(stated, *({"a": word} for word in words))
    assert [row["id"] for row in rows] == ["r1", "r0", "r3", "r2", "r4"]
    assert read_mapping(written(stated))["values"] == stated["values"]


def test_a_number_that_grows_out_of_bounds_is_refused():
    stated = {"fields": {"id": "x", "metadata": {"n": "{a|times 1e200|times 1e200}"}}}
    with pytest.raises(Invalid, match="too large"):
        made(stated, {"a": 5})
    with pytest.raises(Invalid, match="too large"):
        made({"fields": {"id": "{a|times 123456789012345678|times 123456789012345678}"}}, {"a": 5})


def test_columns_are_guessed_by_their_names_and_by_what_is_in_them():
    arabic = [{"المعرف": "س", "السؤال": "ليه؟", "الإجابة": "عشان كده", "النموذج": "نايل"}]
    assert guessed_fields(FORMAT, arabic) == {"prompt": "{السؤال}", "model": "{النموذج}", "response": "{الإجابة}"}
    korean = [{"번호": 1, "질문": "왜?", "답변": "그래서", "모델": "한강"}]
    assert guessed_fields(FORMAT, korean) == {
        "id": "{번호}",
        "prompt": "{질문}",
        "model": "{모델}",
        "response": "{답변}",
    }
    rows = [{"x": "ko-KR", "y": "long words " * 9, "z": "longer words still " * 9, "w": f"k{n}"} for n in range(3)]
    expected = {"id": "{w}", "prompt": "{y}", "variety": "{x}", "response": "{z}"}
    assert guessed_fields(FORMAT, rows) == expected


def test_what_others_call_a_question_is_what_was_asked():
    """Ours is the short name of a question type."""
    foreign = [{"id": "q1", "question": "ما أشهر أكلة في مصر؟", "answer": "الكشري", "lang": "ar-EG"}]
    assert guessed_fields(FORMAT, foreign)["prompt"] == "{question}"
    assert "question" not in guessed_fields(FORMAT, foreign)
    ours = [{"id": "q1", "prompt": "ما أشهر أكلة في مصر؟", "question": "warmth", "response": "الكشري"}]
    assert guessed_fields(FORMAT, ours)["question"] == "{question}"
    assert guessed_fields(FORMAT, [{"question": "warmth"}]) == {"question": "{question}"}


# --- By command ---

CSV = "Nr;Frage;Antwort;System\n1;Why?;Because.;GPT\n2;How?;So.;GPT\n"
ITEMS = """
name: German items
kind: items
fields: {id: "r{Nr}", prompt: "{Frage}", response: "{Antwort}", model: "{System}", laboratory: OpenAI, variety: en-US}
"""


@pytest.mark.django_db
def test_a_lead_brings_a_foreign_table_in_by_a_mapping(project, tmp_path, capsys):
    table, mapping = tmp_path / "study.csv", tmp_path / "study.yaml"
    table.write_text(CSV)
    mapping.write_text(ITEMS)
    with pytest.raises(CommandError):
        call_command("import_items", project.slug, str(table), quiet=True)
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "Frage" in line] == [
        "Frage: There is no such field. A mapping says which field a column fills."
    ]
    assert not any(line.startswith("line") for line in said), "a wrong header is told once, not row by row"
    call_command("import_items", project.slug, str(table), mapping=str(mapping), dry_run=True, quiet=True)
    assert "Would be stored" in capsys.readouterr().out
    assert not Response.objects.exists()
    call_command("mapping", project.slug, "save", str(mapping))
    call_command("import_items", project.slug, str(table), mapping="German items", quiet=True)
    assert list(Response.objects.order_by("key").values_list("key", "text")) == [("r1", "Because."), ("r2", "So.")]
    assert list(AuditEvent.objects.values_list("action", flat=True).order_by("id"))[-2:] == [
        "mapping.saved",
        "data.imported",
    ]


@pytest.mark.django_db
def test_mappings_are_listed_shown_replaced_and_deleted(project, tmp_path):
    path, out = tmp_path / "study.yaml", StringIO()
    path.write_text(ITEMS)
    call_command("mapping", project.slug, "save", str(path), stdout=StringIO())
    call_command("mapping", project.slug, "save", str(path), stdout=StringIO())
    call_command("mapping", project.slug, "list", stdout=out)
    assert out.getvalue() == "German items (items)\n"
    out = StringIO()
    call_command("mapping", project.slug, "show", "German items", stdout=out)
    assert read_mapping(out.getvalue())["fields"]["laboratory"] == "OpenAI"
    call_command("mapping", project.slug, "delete", "German items")
    assert not ImportMapping.objects.exists()
    with pytest.raises(CommandError, match="no mapping “German items”"):
        call_command("mapping", project.slug, "show", "German items")


@pytest.mark.django_db
def test_a_mapping_of_another_kind_is_refused(project, tmp_path):
    table, mapping = tmp_path / "study.csv", tmp_path / "study.yaml"
    table.write_text(CSV)
    mapping.write_text(ITEMS)
    with pytest.raises(CommandError, match="makes items, not answers"):
        call_command("import_answers", project.slug, str(table), mapping=str(mapping), quiet=True)
    with pytest.raises(CommandError, match="has no mapping “nowhere”"):
        call_command("import_items", project.slug, str(table), mapping="nowhere", quiet=True)


@pytest.mark.django_db
def test_a_command_proposes_a_mapping(project, tmp_path):
    table, out = tmp_path / "study.csv", StringIO()
    table.write_text(CSV)
    call_command("mapping", project.slug, "guess", str(table), stdout=out)
    head, _end, rest = out.getvalue().partition("\n")
    assert head == "# Nr, Frage, Antwort, System"
    assert read_mapping(rest)["fields"] == {
        "id": "{Nr}",
        "prompt": "{Frage}",
        "model": "{System}",
        "response": "{Antwort}",
    }


@pytest.mark.django_db
def test_what_a_mapping_makes_is_checked_as_any_line_is(project, tmp_path, capsys):
    table, mapping = tmp_path / "study.csv", tmp_path / "study.yaml"
    table.write_text("Nr;Frage;Antwort;System\n1;Why?;;GPT\n")
    mapping.write_text(ITEMS.replace("en-US", "xx-XX"))
    with pytest.raises(CommandError):
        call_command("import_items", project.slug, str(table), mapping=str(mapping), quiet=True)
    assert "line 2, response: The field is missing." in capsys.readouterr().err
    assert not Response.objects.exists()
