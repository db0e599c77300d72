"""Nour takes her project out as a data set: a folder that loaders read without being told anything."""

import io
import json
import zipfile
from pathlib import Path

import datasets
import pyarrow.parquet
import pytest
import yaml
from django.core.management import CommandError, call_command

from annotation.gold import derive
from annotation.models import QuestionnaireAnswer, SpanPart
from benchmark.models import Question
from jobs.files import content_of
from jobs.models import Job, StoredFile
from jobs.working import work_on
from projects.models import AuditEvent, Project, Prompt, Rater
from projects.splits import origins
from reports.frames import FRAMES
from tests.annotation.marked import mark, review
from tests.annotation.questionnaires import RIGHT, WRONG, questionnaire
from tests.annotation.rated import question_type, rate
from tests.benchmark.sets import open_line, set_line, stored
from tests.judging.grading import graded_response
from tests.judging.rating import ask, graded_pair, template
from tests.people import add_response, signed_in
from tests.reports.test_unsure_in_gold_files import unsure_turn

pytestmark = pytest.mark.django_db
API = "/api/v1/projects/feasts/dataset/"
GUID = "7b1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a22"


@pytest.fixture
def feasts(project, mona) -> Project:
    """Marked, graded and rated: gold of three kinds."""
    project.areas = ["spans", "rubrics", "ratings"]
    project.save(update_fields=["areas"])
    salma = Rater.objects.create(project=project, kind="human", name="Salma Zahran")
    marked = add_response(project, "marked", "The king ate dates.", "ar-EG")
    [king] = mark(marked, salma, "king")
    mark(marked, mona)
    review(king, mona, "keep")
    derive([marked.pk])
    graded_response(project, salma)
    formality = question_type(project)
    for key, split in (("greeting", "train"), ("farewell", "test")):
        graded_pair(ask(project, formality, template(project, key, formality, split), "ar-EG"), salma, formality, 4, 2)
    rate(marked, salma, formality, 3)
    return project


@pytest.fixture
def all_kinds(feasts) -> Project:
    """Beside all that, a mark of two parts, and a questionnaire with a person who is unsure of an answer."""
    feasts.areas = [*feasts.areas, "questionnaires"]
    feasts.save(update_fields=["areas"])
    salma, hana = (
        Rater.objects.get(name="Salma Zahran"),
        Rater.objects.create(project=feasts, kind="human", name="Hana"),
    )
    divided = add_response(feasts, "divided", "🍚 He gave الأرز up 👨‍👩‍👧.", "ar-EG")
    [gave] = mark(divided, salma, "gave", explanation="لا 🙂")
    start = divided.text.index("up")
    SpanPart.objects.create(span=gave, start=start, end=start + 2, quote="up")
    [rice] = mark(divided, hana, "الأرز")
    review(gave, hana, "keep")
    review(rice, salma, "keep")
    derive([divided.pk])
    stage = questionnaire(feasts, RIGHT, WRONG, {"number": "How many?", "key": "count", "optional": True})
    for rater, is_unsure, more in ((salma, True, {"wrong": "الأرز 🍚"}), (hana, False, {"count": 3})):
        turn = unsure_turn("questionnaire", rater, divided, is_unsure=is_unsure)
        answers = {"right": "Partly", **more}
        given = {"stage": stage, "rater": rater, "answers": answers, "response": divided, "assignment": turn}
        QuestionnaireAnswer.objects.create(**given)
    return feasts


def exported(folder: Path, *options: str) -> Path:
    call_command("export_dataset", "feasts", "--to", str(folder), *options, stdout=io.StringIO())
    return folder


def head_of(folder: Path) -> dict:
    _before, head, _body = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head)


def rows_of(folder: Path, name: str) -> list[dict]:
    return [
        row
        for path in sorted((folder / name).glob("*.parquet"))
        for row in pyarrow.parquet.read_table(path).to_pylist()
    ]


def test_the_head_names_every_file_once_and_one_table_is_the_default(feasts, tmp_path):
    folder = exported(tmp_path / "out")
    configs = head_of(folder)["configs"]
    assert [each["config_name"] for each in configs if each.get("default")] == ["gold_spans"]
    named = [file["path"] for each in configs for file in each["data_files"]]
    assert sorted(named) == sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.parquet"))
    assert {file["split"] for each in configs for file in each["data_files"]} <= {"train", "validation", "test"}
    names = [each["config_name"] for each in configs]
    assert names[:4] == ["gold_spans", "gold_rubrics", "gold_ratings_pair", "gold_ratings_response"]
    assert set(names[4:]) <= set(FRAMES)


def test_load_dataset_takes_the_folder_without_arguments_and_every_table_by_its_name(feasts, tmp_path):
    folder = exported(tmp_path / "out")
    cache = str(tmp_path / "cache")
    whole = datasets.load_dataset(str(folder), cache_dir=cache)
    assert [row["id"] for rows in whole.values() for row in rows] == ["marked"]
    names = [each["config_name"] for each in head_of(folder)["configs"]]
    assert datasets.get_dataset_config_names(str(folder)) == names
    for name in names:
        tables = datasets.load_dataset(str(folder), name, cache_dir=cache)
        assert sum(map(len, tables.values())) == len(rows_of(folder, name)) > 0, name


def test_load_dataset_takes_questionnaires_marks_of_parts_and_unsure_answers(all_kinds, tmp_path):
    """Every table by its name, row for row what stands in its files, and beside each answer whether it was unsure."""
    folder = exported(tmp_path / "out")
    cache = str(tmp_path / "cache")
    assert datasets.load_dataset(str(folder), cache_dir=cache)
    names = [each["config_name"] for each in head_of(folder)["configs"]]
    assert datasets.get_dataset_config_names(str(folder)) == names
    loaded = {}
    for name in names:
        tables = datasets.load_dataset(str(folder), name, cache_dir=cache)
        loaded[name] = [row for rows in tables.values() for row in rows]
        assert len(loaded[name]) == len(rows_of(folder, name)) > 0, name
    [divided] = [row for row in loaded["gold_spans"] if row["id"] == "divided"]
    assert {error["quote"]: [part["quote"] for part in error["more"] or ()] for error in divided["errors"]} == {
        "gave": ["up"],
        "الأرز": [],
    }
    [gave] = [row for row in loaded["spans"] if row["quote"] == "gave"]
    [part] = json.loads(gave["more"])
    assert (part["quote"], part["start"], part["start_utf16"], gave["explanation"]) == ("up", 16, 17, "لا 🙂")
    answers = [(row["question"], row["value"], row["number"], row["unsure"]) for row in loaded["questionnaires"]]
    assert sorted(answers, key=str) == [
        ("count", "3", 3.0, False),
        ("right", "Partly", None, False),
        ("right", "Partly", None, True),
        ("wrong", "الأرز 🍚", None, True),
    ]
    assert {row["question"]: row["unsure"] for row in loaded["questionnaire_gold"]} == {"right": 1, "count": 0}
    [gold] = loaded["gold_questionnaires_response"]
    assert {(each["part"], each["value"]) for each in gold["gold"]} == {("right", "Partly"), ("count", "3")}


def test_all_files_of_a_table_have_the_same_columns(feasts, tmp_path):
    folder = exported(tmp_path / "out")
    for each in head_of(folder)["configs"]:
        schemas = [pyarrow.parquet.read_schema(folder / file["path"]) for file in each["data_files"]]
        assert all(schema.equals(schemas[0]) for schema in schemas), each["config_name"]
    [error] = rows_of(folder, "gold_spans")[0]["errors"]
    assert (error["quote"], error["start"], error["end"]) == ("king", 4, 8)
    assert json.loads(error["provenance"])["policy"] == "unanimous", "a free object is a text of JSON"


def test_a_prompt_stands_on_the_side_of_its_template_in_every_table(feasts, tmp_path):
    folder = exported(tmp_path / "out")
    keys = dict(feasts.prompts.values_list("key", "pk"))
    sides = origins(feasts)
    seen = 0
    for path in folder.rglob("*.parquet"):
        for row in pyarrow.parquet.read_table(path).to_pylist():
            prompt = row.get("prompt_key") or row["prompt_id"]
            assert sides[keys[prompt]].split == path.stem
            seen += 1
    assert seen > 10
    assert len(rows_of(folder, "gold_ratings_pair")) == 2
    assert (folder / "gold_ratings_pair" / "train.parquet").exists()
    assert (folder / "gold_ratings_pair" / "test.parquet").exists()


def test_licence_and_citation_are_set_by_the_lead_and_stand_in_the_card_and_in_every_file(feasts, nour, tmp_path):
    form = {"name": "Feasts", "licence": "CC BY-SA 4.0", "citation": "@misc{feasts, year = 2026}"}
    assert signed_in(nour).post("/p/feasts/settings/", form).status_code == 302
    folder = exported(tmp_path / "out")
    assert head_of(folder)["license"] == "cc-by-sa-4.0"
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "CC BY-SA 4.0" in card
    assert "@misc{feasts, year = 2026}" in card
    for path in folder.rglob("*.parquet"):
        assert pyarrow.parquet.read_schema(path).metadata[b"licence"] == b"CC BY-SA 4.0"
    gold_card = signed_in(nour).get("/p/feasts/gold/card/").content.decode()
    assert "CC BY-SA 4.0" in gold_card
    assert "@misc{feasts" in gold_card


@pytest.mark.parametrize(
    ("said", "expected"),
    [("", {}), ("Ours: ask first", {"license": "other", "license_name": "ours-ask-first"})],
)
def test_a_licence_that_cards_do_not_know_is_other_and_none_is_none(feasts, tmp_path, said, expected):
    Project.objects.filter(pk=feasts.pk).update(licence=said)
    head = head_of(exported(tmp_path / "out"))
    assert {name: text for name, text in head.items() if name.startswith("license")} == expected


def test_names_stay_in_and_languages_are_said(feasts, tmp_path):
    Project.objects.filter(pk=feasts.pk).update(name='Feasts: "all" of\nthem', description="About #feasts")
    folder = exported(tmp_path / "out")
    head = head_of(folder)
    assert head["pretty_name"] == 'Feasts: "all" of them'
    assert (head["language"], head["language_bcp47"]) == (["ar"], ["ar-EG"])
    for path in folder.rglob("*"):
        assert path.is_dir() or b"Zahran" not in path.read_bytes()


def test_rows_about_held_back_questions_stay_out_unless_they_are_asked_for(feasts, tmp_path):
    prompt = Prompt.objects.get(responses__key="marked")
    stored(feasts, set_line(id="all", name="All", canary=GUID), open_line("q", held_back=True))
    Question.objects.filter(question_set__slug="all", key="q").update(prompt=prompt)
    without = exported(tmp_path / "without")
    names = {each["config_name"] for each in head_of(without)["configs"]}
    assert not names & {"gold_spans", "spans"}
    assert all(row["response_key"] != "marked" for row in rows_of(without, "texts"))
    assert "held-back questions of a benchmark were left out" in (without / "README.md").read_text(encoding="utf-8")
    whole = exported(tmp_path / "whole", "--with-held-back")
    assert rows_of(whole, "spans")[0]["canary"] == GUID
    assert json.loads(rows_of(whole, "gold_spans")[0]["metadata"])["canary"] == GUID
    assert "Do not publish" in (whole / "README.md").read_text(encoding="utf-8")


def test_nothing_is_overwritten_and_nothing_half_is_left(feasts, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("as it was")
    with pytest.raises(CommandError, match="not empty"):
        exported(tmp_path / "there")

    def broken(*_arguments, **_named):
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.dataset.folder.card", broken)
    with pytest.raises(CommandError, match="Nothing was written"):
        exported(tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_a_project_without_responses_says_what_to_do(project, tmp_path):
    with pytest.raises(CommandError, match="import responses first"):
        exported(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_worker_writes_it_as_a_zip_for_the_page_and_for_programs(feasts, nour, mona, tmp_path):
    client = signed_in(nour)
    assert 'action="/p/feasts/dataset/prepare/"' in client.get("/p/feasts/frames/").content.decode()
    answer = client.post("/p/feasts/dataset/prepare/")
    job = Job.objects.get(kind="dataset_export")
    assert answer["Location"] == f"/p/feasts/jobs/{job.uuid}/"
    work_on(job.pk)
    file = StoredFile.objects.get(job=job)
    with zipfile.ZipFile(io.BytesIO(b"".join(content_of(file)))) as archive:
        archive.extractall(tmp_path)
    assert head_of(tmp_path / "feasts")["configs"]
    assert rows_of(tmp_path / "feasts", "gold_spans")
    assert AuditEvent.objects.get(action="dataset.exported").detail["sha256"] == file.sha256
    assert client.post(API, {}, content_type="application/json").status_code == 202
    assert signed_in(mona).post(API, {}, content_type="application/json").status_code == 404
