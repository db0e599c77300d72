"""Nour imports question types, templates, and localisations that were made elsewhere: all of a file or nothing."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from jsonschema import Draft202012Validator

from formats.importing.localisations import Localisations
from formats.importing.questions import Questions
from formats.importing.registry import importers
from formats.importing.running import run_import
from formats.importing.taking_back import take_back
from formats.importing.templates import Templates
from formats.problems import ProblemLog
from formats.reading import Record, Source
from projects.models import (
    Dimension,
    Import,
    Level,
    Localisation,
    Prompt,
    PromptTemplate,
    QuestionType,
    Rater,
    Response,
)
from projects.problems import Invalid
from projects.prompts_as_templates import as_templates
from tests.annotation.localising import ASKED, EGYPTIAN, ORIGINAL, VALUES, template_of
from tests.annotation.rated import question_type
from tests.people import add_response
from tests.preset_parts import add_question_types

FORMALITY = {
    "id": "formality",
    "dimension": "Localized tone",
    "name": "Formality",
    "definition": "Is it polite?",
    "lowest": 1,
    "highest": 2,
    "levels": [
        {"grade": 1, "label": "Failure", "summary": "Rude.", "detail": "Nobody would say so."},
        {"grade": 2, "summary": "Polite."},
    ],
}
SECOND_HELPING = {"id": "t-1", "question": "formality", "text": ORIGINAL, "split": "train"}
IN_EGYPT = {"template": "t-1", "variety": "ar-EG", "text": EGYPTIAN, "values": VALUES, "rater": "Mona Adel"}


def lines(*records: dict) -> bytes:
    return "\n".join(json.dumps(record, ensure_ascii=False) for record in records).encode()


def imported(project, kind: str, *records: dict, **options):
    return run_import(project, Source(io.BytesIO(lines(*records))), kind, **options)


def told(outcome) -> list[tuple[int | None, str, str]]:
    assert not outcome.is_stored
    return [(problem.line, problem.code, problem.field) for problem in outcome.problems]


# --- Good files -----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_question_types_come_with_their_dimension_and_levels(project):
    outcome = imported(
        project, "questions", FORMALITY, FORMALITY | {"id": "which", "lowest": None, "highest": None, "levels": None}
    )
    assert outcome.is_stored, outcome.problems
    assert outcome.counts == {"dimensions": 1, "question types": 2}
    dimension = Dimension.objects.get()
    assert (dimension.slug, dimension.name) == ("localized-tone", "Localized tone")
    first, second = QuestionType.objects.all()
    assert list(first.levels.values_list("grade", "label", "summary", "detail")) == [
        (1, "Failure", "Rude.", "Nobody would say so."),
        (2, "", "Polite.", ""),
    ]
    assert (second.slug, second.has_scale, second.levels.count()) == ("which", False, 0)


@pytest.mark.django_db
def test_a_dimension_of_the_preset_is_known_whatever_its_capitals(project):
    add_question_types(project)
    assert imported(project, "questions", FORMALITY | {"id": "warmth", "dimension": "LOCALIZED Tone"}).is_stored
    assert Dimension.objects.count() == 4
    assert QuestionType.objects.get(slug="warmth").dimension.slug == "localized-tone"


@pytest.mark.django_db
def test_templates_and_then_their_localisations(project):
    assert imported(project, "questions", FORMALITY).is_stored
    assert imported(project, "templates", SECOND_HELPING, {**SECOND_HELPING, "id": "t-2", "split": None}).is_stored
    assert list(PromptTemplate.objects.values_list("key", "split")) == [("t-1", "train"), ("t-2", "")]
    outcome = imported(project, "localisations", IN_EGYPT)
    assert outcome.is_stored, outcome.problems
    assert outcome.counts == {"prompts": 1, "new raters": 1}
    made = Localisation.objects.select_related("prompt__question", "template").get()
    assert (made.prompt.key, made.prompt.text, made.prompt.variety.tag) == ("t-1:ar-EG", ASKED, "ar-EG")
    assert (made.prompt.question.slug, made.prompt.template, made.values) == ("formality", made.template, VALUES)
    assert made.rater == Rater.objects.get(name="Mona Adel")


@pytest.mark.django_db
def test_a_prompt_is_not_put_into_the_variety_that_it_is_written_in(project):
    add_response(project, "supper", EGYPTIAN, "ar-EG")
    prompt = project.prompts.get()
    assert as_templates(project, None) == 1
    line = {"template": prompt.key, "text": "عشاء؟"}
    there, elsewhere = (line | {"variety": tag} for tag in ("ar-EG", "ar-IQ"))
    assert told(imported(project, "localisations", elsewhere, there)) == [(2, "own_variety", "variety")]
    assert imported(project, "localisations", elsewhere).is_stored
    assert project.prompts.count() == 2


@pytest.mark.django_db
def test_templates_may_come_as_a_table(project):
    question_type(project)
    table = 'id,question,text,split\nt-1,formality,"In [locale_country], say ""hello"".",test\n'
    outcome = run_import(project, Source(io.BytesIO(table.encode())), "templates", "csv")
    assert outcome.is_stored, outcome.problems
    assert PromptTemplate.objects.get().text == 'In [locale_country], say "hello".'


@pytest.mark.django_db
def test_many_cost_as_many_statements_as_few(project, django_assert_num_queries, django_assert_max_num_queries):
    question = question_type(project)
    for number in range(60):
        template_of(project, f"t-{number}", question=question)

    def records(numbers):
        return [{**IN_EGYPT, "template": f"t-{number}"} for number in numbers]

    imported(project, "localisations", {**IN_EGYPT, "template": "t-0"})  # makes the rater
    with django_assert_max_num_queries(20) as few:
        assert imported(project, "localisations", *records(range(1, 3))).is_stored
    with django_assert_num_queries(len(few)):
        assert imported(project, "localisations", *records(range(3, 60))).is_stored


# --- Bad files ------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"id": "a b"}, ("not_a_slug", "id")),
        ({"id": "لهجة"}, ("not_a_slug", "id")),
        ({"owner": "omar"}, ("unknown_field", "owner")),
        ({"highest": None}, ("half_a_scale", "highest")),
        ({"lowest": None}, ("half_a_scale", "lowest")),
        ({"lowest": 2}, ("not_a_scale", "highest")),
        ({"highest": 1}, ("not_a_scale", "highest")),
        ({"lowest": True}, ("not_whole_number", "lowest")),
        ({"lowest": None, "highest": None}, ("off_the_scale", "levels[0].grade")),
        ({"levels": [{"grade": 3, "summary": "x"}]}, ("off_the_scale", "levels[0].grade")),
        ({"levels": [{"grade": 1, "summary": "x"}] * 2}, ("duplicate_id", "levels[1].grade")),
        ({"levels": [{"grade": 1}]}, ("missing", "levels[0].summary")),
        ({"levels": [{"grade": 1, "summary": " "}]}, ("empty", "levels[0].summary")),
        ({"levels": ["x"]}, ("not_object", "levels")),
        ({"name": "x" * 81}, ("too_long", "name")),
    ],
)
def test_question_types_that_are_none(project, changes, expected):
    outcome = imported(project, "questions", FORMALITY | {"id": "good"}, FORMALITY | changes)
    assert (2, *expected) in told(outcome)
    assert not QuestionType.objects.exists()
    assert not Dimension.objects.exists()


@pytest.mark.django_db
def test_a_question_type_that_is_there_or_stands_twice(project):
    question_type(project, "formality")
    outcome = imported(project, "questions", FORMALITY, FORMALITY | {"id": "new"}, FORMALITY | {"id": "new"})
    assert told(outcome) == [(1, "already_there", "id"), (3, "duplicate_id", "id")]
    assert Level.objects.count() == 5, "those that were there"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"question": "nowhere"}, ("unknown_question", "question")),
        ({"split": "dev"}, ("not_a_choice", "split")),
        ({"text": "\n"}, ("empty", "text")),
        ({"text": "x" * 10_001}, ("too_long", "text")),
        ({"id": "x" * 161}, ("too_long", "id")),
        ({"id": "good"}, ("duplicate_id", "id")),
        ({"id": "there"}, ("already_there", "id")),
        ({"rater": "Mona"}, ("unknown_field", "rater")),
    ],
)
def test_templates_that_are_none(project, changes, expected):
    template_of(project, "there", question=question_type(project))
    outcome = imported(project, "templates", SECOND_HELPING | {"id": "good"}, SECOND_HELPING | changes)
    assert (2, *expected) in told(outcome)
    assert list(PromptTemplate.objects.values_list("key", flat=True)) == ["there"]


@pytest.mark.django_db
def test_question_types_of_another_project_are_not_there(project, other_project):
    question_type(other_project)
    assert told(imported(project, "templates", SECOND_HELPING)) == [(1, "unknown_question", "question")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"template": "nowhere"}, ("unknown_template", "template")),
        ({"variety": "ar-EGY"}, ("unknown_variety", "variety")),
        ({"text": "في [locale_country]"}, ("placeholder_missing", "text")),
        ({"text": EGYPTIAN + "[city]"}, ("placeholder_unknown", "text")),
        ({"values": {"locale_country": "مصر"}}, ("required", "values.locale_nationality")),
        ({"values": None}, ("required", "values.locale_country")),
        ({"values": VALUES | {"city": "القاهرة"}}, ("placeholder_unknown", "values.city")),
        ({"values": VALUES | {"locale_country": "[city]"}}, ("placeholder_in_value", "values.locale_country")),
        ({"values": {"Locale": "x"}}, ("not_a_name", "values")),
        ({"values": {"a": 1}}, ("not_text", "values")),
        ({"values": {"a": " "}}, ("empty", "values")),
        ({"values": []}, ("not_object", "values")),
        ({"template": "good"}, ("duplicate_id", "template")),
        ({"template": "there"}, ("already_localised", "template")),
        ({"template": "taken"}, ("prompt_there", "template")),
    ],
)
def test_localisations_that_are_none(project, changes, expected):
    question = question_type(project)
    for key in ("t-1", "good", "there", "taken"):
        template_of(project, key, question=question)
    assert imported(project, "localisations", IN_EGYPT | {"template": "there"}).is_stored
    [there] = Prompt.objects.all()
    there.pk, there.key, there.template = None, "taken:ar-EG", None
    there.save()
    outcome = imported(project, "localisations", IN_EGYPT | {"template": "good", "rater": "New"}, IN_EGYPT | changes)
    assert (2, *expected) in told(outcome)
    assert (Localisation.objects.count(), Prompt.objects.count()) == (1, 2)
    assert not Rater.objects.filter(name="New").exists()


# --- What the schemas and the documentation say -----------------------------------------------------------

SCRAPS: list[object] = [
    *(None, "", " ", "x", " x", "a b", "a\tb", "\u00a0", "x" * 41, "x" * 61, "x" * 81, "x" * 161, "x" * 10_001),
    *(True, 0, 1, -1, 1.5, 101, [], {}, [1], [{}], "train", {"a": "x"}, {"A": "x"}, {"a": 1}, {"a": "x" * 501}),
    *({f"a{number}": "x" for number in range(101)}, [{"grade": 1, "summary": "x" * 301}]),
]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("importer", "good"),
    [(Questions, FORMALITY), (Templates, SECOND_HELPING), (Localisations, IN_EGYPT)],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_schema_and_importer_judge_a_line_alike(project, importer, good):
    Draft202012Validator.check_schema(importer.format.schema)
    validator = Draft202012Validator(importer.format.schema)
    # What no schema can say: that two fields make a scale, and that grades lie on it.
    between_fields = {"half_a_scale", "not_a_scale", "off_the_scale", "duplicate_id"}
    differing = []
    for name in good:
        without = {field: value for field, value in good.items() if field != name}
        for record in (without, *({**good, name: scrap} for scrap in SCRAPS)):
            problems = ProblemLog()
            importer(project, problems).check(Record(1, record))
            codes = {problem.code for problem in problems.shown} - between_fields
            if validator.is_valid(record) != (not codes):
                differing.append((record, codes))
    assert validator.is_valid(good)
    assert not validator.is_valid({**good, "owner": "omar"})
    assert differing == []


@pytest.mark.django_db
def test_the_examples_of_the_documentation_are_imported(project):
    text = (Path(__file__).resolve().parents[2] / "docs" / "ratings.md").read_text(encoding="utf-8")
    for kind in ("questions", "templates", "localisations"):
        [example] = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        outcome = run_import(project, Source(io.BytesIO(example.encode())), kind)
        assert outcome.is_stored, (kind, [str(problem) for problem in outcome.problems])
    assert Prompt.objects.get().text == "إزاي تطلب طبق تاني في عزومة عيلة في مصر؟"


@pytest.mark.django_db
def test_the_examples_on_the_page_are_imported(project):
    for kind in ("questions", "templates", "localisations"):
        outcome = run_import(project, Source(io.BytesIO(importers()[kind].format.example.encode())), kind)
        assert outcome.is_stored, [str(problem) for problem in outcome.problems]


# --- The command ----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_command_takes_each_kind(project, tmp_path, capsys):
    for kind, record in (("questions", FORMALITY), ("templates", SECOND_HELPING), ("localisations", IN_EGYPT)):
        file = tmp_path / f"{kind}.jsonl"
        file.write_bytes(lines(record))
        call_command("import_templates", "feasts", str(file), "--kind", kind, "--quiet")
    assert "Stored: 1 prompt, 1 new rater." in capsys.readouterr().out
    call_command("import_templates", "feasts", str(tmp_path / "templates.jsonl"), "--quiet")
    assert "all of it is in the project already" in capsys.readouterr().out
    (tmp_path / "templates.jsonl").write_bytes(lines(SECOND_HELPING, SECOND_HELPING))
    with pytest.raises(CommandError, match="2 problems; nothing was stored"):
        call_command("import_templates", "feasts", str(tmp_path / "templates.jsonl"), "--quiet")


@pytest.mark.django_db
def test_grades_without_an_order_come_with_their_scale(project):
    assert imported(project, "questions", FORMALITY | {"nominal": True}).is_stored
    assert QuestionType.objects.get().is_nominal
    refused = imported(
        project,
        "questions",
        FORMALITY | {"id": "b", "lowest": None, "highest": None, "levels": None} | {"nominal": True},
    )
    assert told(refused) == [(1, "no_classes", "nominal")]


# --- Taken back -----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_what_was_wrong_is_taken_back_with_whom_it_named_the_later_file_first(project, nour):
    imported(project, "questions", FORMALITY)
    imported(project, "templates", SECOND_HELPING)
    imported(project, "localisations", IN_EGYPT | {"rater": "Elsewhere"})
    templates, localisations = Import.objects.filter(kind__in=["templates", "localisations"]).order_by("pk")
    with pytest.raises(Invalid, match="1 localisations rest") as refused:
        take_back(templates, nour)
    assert "1 prompts rest" in str(refused.value)
    assert take_back(localisations, nour) == {"localisations": 1, "prompts": 1, "raters": 1}
    assert (Localisation.objects.count(), Prompt.objects.count()) == (0, 0)
    assert not Rater.objects.filter(name="Elsewhere").exists()
    assert take_back(templates, nour) == {"prompt templates": 1}
    assert not PromptTemplate.objects.exists()
    assert QuestionType.objects.exists(), "it came with another file"
    assert imported(project, "templates", SECOND_HELPING).is_stored


@pytest.mark.django_db
def test_a_localisation_stays_once_its_prompt_was_answered(project, nour):
    imported(project, "questions", FORMALITY)
    imported(project, "templates", SECOND_HELPING)
    imported(project, "localisations", IN_EGYPT)
    prompt = Prompt.objects.get()
    add_response(project, "answered", "كشري", "ar-EG")
    Response.objects.update(prompt=prompt)
    with pytest.raises(Invalid, match="1 responses rest"):
        take_back(Import.objects.get(kind="localisations"), nour)
    assert Localisation.objects.exists()
