"""Gold leaves as JSONL: one response a line, every line as its schema says, without a name of a person."""

import csv
import io
import json

import jsonschema
import pyarrow.parquet
import pytest
from django.core.management import CommandError, call_command

from annotation.gold import derive
from annotation.models import ErrorCategory
from formats.gold import FORMAT
from projects.models import LanguageVariety, Rater
from reports.frames.files import FORMATS
from reports.spans.gold import lines
from tests.annotation.marked import mark, rater_of, review
from tests.annotation.rated import question_type
from tests.judging.rating import ask, graded_pair, template
from tests.people import add_response

pytestmark = pytest.mark.django_db

SCHEMA = FORMAT.schema
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
SUHOOR = "على السحور"


@pytest.fixture
def koshari_with_gold(project, koshari, mona, karim, simba):
    category = ErrorCategory.objects.create(
        project=project, slug="cultural-inaccuracy", name="Cultural Inaccuracy", depth="thin"
    )
    [span] = mark(koshari, mona, SUHOOR, category=category)
    mark(koshari, karim)
    [judged] = mark(koshari, simba, "أيام الفراعنة", error_type="", criticality="")
    review(span, karim, "keep")
    review(judged, mona, "keep")
    review(judged, karim, "correct", criticality="low")
    derive([koshari.id])
    return koshari


def exported(project) -> list[dict]:
    return [json.loads(line) for line in lines(project)]


def test_a_response_leaves_with_its_errors_in_reading_order(project, koshari_with_gold, mona):
    [line] = exported(project)

    VALIDATOR.validate(line)
    assert list(line) == SCHEMA["required"]
    assert (line["id"], line["prompt_id"], line["variety"]) == ("koshari", "p-koshari", "ar-EG")
    assert (line["model"], line["laboratory"]) == ("Nile-7B", "delta-lab")
    suhoor, pharaohs = line["errors"]
    assert list(suhoor) == SCHEMA["$defs"]["error"]["required"]
    assert line["response"][suhoor["start"] : suhoor["end"]] == suhoor["quote"] == SUHOOR
    assert (suhoor["category"], suhoor["depth"], suhoor["found_by"]) == ("cultural-inaccuracy", "thin", ["human"])
    assert suhoor["provenance"]["spans"][0]["rater"] == rater_of(mona, project).pseudonym
    assert (pharaohs["type"], pharaohs["criticality"], pharaohs["found_by"]) == (None, "low", ["judge"])
    assert pharaohs["provenance"]["spans"][0]["simulated"] is True


def test_no_name_and_no_address_of_a_person_leaves(project, koshari_with_gold):
    file = b"".join(lines(project)).decode()
    for said in ("Mona", "Karim", "example.org"):
        assert said not in file


def test_offsets_leave_in_utf16_as_well(project, mona, karim):
    response = add_response(project, "feast", "🎉🎉 Eid falls on 🕌 Friday", "ar-EG")
    [span] = mark(response, mona, "Friday")
    mark(response, karim)
    review(span, karim, "keep")
    derive([response.id])
    [error] = exported(project)[0]["errors"]
    # Three characters outside the Basic Multilingual Plane stand before the word: each is one unit more.
    assert (error["start"], error["start_utf16"]) == (18, 21)
    assert (error["end"], error["end_utf16"]) == (24, 27)


def test_a_flawless_response_leaves_with_an_empty_set_and_an_unanswered_one_stays(
    project, koshari, boishakh, mona, karim
):
    mark(koshari, mona)
    mark(koshari, karim)
    derive([koshari.id, boishakh.id])
    [line] = exported(project)
    VALIDATOR.validate(line)
    assert (line["id"], line["errors"], line["unsettled"]) == ("koshari", [], 0)


def test_spans_that_await_a_verdict_are_counted_not_exported(project, koshari, mona, karim):
    mark(koshari, mona, SUHOOR)
    mark(koshari, karim)
    derive([koshari.id])
    [line] = exported(project)
    assert (line["errors"], line["unsettled"]) == ([], 1)


def test_the_command_writes_the_same_bytes_as_the_generator(project, koshari_with_gold, tmp_path):
    call_command("export_gold", "feasts", "-o", str(tmp_path / "gold.jsonl"), stdout=io.StringIO())
    assert (tmp_path / "gold.jsonl").read_bytes() == b"".join(lines(project))
    assert [path.name for path in tmp_path.iterdir()] == ["gold.jsonl"]


def rows_of(path) -> list[dict]:
    """Whatever it is written as, with lists and objects as what they are."""
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path).to_pylist()
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("file_format", FORMATS)
def test_gold_leaves_as_a_table_whose_rows_have_the_same_columns(
    project, koshari_with_gold, mona, karim, tmp_path, file_format
):
    flawless = add_response(project, "flawless", "=1+1 and dates", "ar-EG")
    for person in (mona, karim):
        mark(flawless, person)
    derive([flawless.pk])
    folder = tmp_path / "new" / "folder"
    call_command("export_gold", "feasts", "--to", str(folder), "--format", file_format, stdout=io.StringIO())
    assert [path.name for path in folder.iterdir()] == [f"feasts-gold_spans.{file_format}"]
    rows = {row["id"]: row for row in rows_of(folder / f"feasts-gold_spans.{file_format}")}
    assert [list(row) for row in rows.values()] == [list(FORMAT.types[""].fields)] * 2
    lines_of_gold = {line["id"]: line for line in exported(project)}
    for key, row in rows.items():
        said = row["errors"]
        errors = json.loads(said) if file_format == "csv" else said
        expected = lines_of_gold[key]["errors"]
        assert [(each["start"], each["quote"], each["category"]) for each in errors] == [
            (each["start"], each["quote"], each["category"]) for each in expected
        ]
    whole = "'=1+1 and dates" if file_format == "csv" else "=1+1 and dates"
    assert rows["flawless"]["response"] == whole, "no spreadsheet runs it"
    assert rows["koshari"]["response"] == koshari_with_gold.text


@pytest.mark.parametrize("file_format", FORMATS)
def test_ratings_have_a_table_of_each_kind_of_line(project, mona, tmp_path, file_format):
    project.areas = ["ratings"]
    project.save(update_fields=["areas"])
    formality = question_type(project)
    graded_pair(
        ask(project, formality, template(project, "t", formality, "train"), "ar-EG"),
        Rater.objects.get(user=mona),
        formality,
        4,
        2,
    )
    call_command("export_gold", "feasts", "--to", str(tmp_path), "--format", file_format, stdout=io.StringIO())
    found = {path.name: len(rows_of(path)) for path in tmp_path.iterdir()}
    assert found == {
        f"feasts-gold_ratings_pair.{file_format}": 1,
        f"feasts-gold_ratings_response.{file_format}": 0,
    }


def test_a_table_goes_to_a_folder_that_can_be_written(project, koshari_with_gold, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_gold", "feasts", "--to", str(tmp_path / "file"), stdout=io.StringIO())
    with pytest.raises(CommandError, match="not allowed with"):
        call_command("export_gold", "feasts", "--to", str(tmp_path), "--output", str(tmp_path / "x"))


def test_a_project_that_does_not_exist_is_named_with_those_that_do(project):
    with pytest.raises(CommandError, match=r"no project “feest”.*feasts"):
        call_command("export_gold", "feest")


def test_statements_do_not_grow_with_the_number_of_errors(project, mona, karim, django_assert_num_queries):
    for number in range(5):
        response = add_response(project, f"r{number}", "one two three four five", "ar-EG")
        spans = mark(response, mona, "one", "two", "three")
        mark(response, karim)
        for span in spans:
            review(span, karim, "keep")
        derive([response.id])
    # One batch: its responses, its errors, who was unsure, and the look for a next batch.
    with django_assert_num_queries(4):
        assert sum(len(line["errors"]) for line in exported(project)) == 15


def test_the_varieties_of_prompt_and_response_may_differ(project, koshari_with_gold):
    from projects.models import Prompt

    Prompt.objects.filter(key="p-koshari").update(variety=LanguageVariety.objects.get(tag="bn-BD"))
    [line] = exported(project)
    assert (line["prompt_variety"], line["variety"]) == ("bn-BD", "ar-EG")
