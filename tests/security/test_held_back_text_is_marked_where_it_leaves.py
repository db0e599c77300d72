"""A lead may take held-back texts out; whatever leaves says of each that it is held back, with the canary of its set.

Before its prompts are those of held-back questions nothing of a project is marked, and then everything is: in gold
files, raw answers, the interface of responses, answers and training sets.
"""

import csv
import io
import json
import re
from pathlib import Path

import pyarrow.parquet
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotation.gold import derive
from annotation.models import Classification, ErrorCategory, QuestionnaireAnswer, Refinement
from benchmark.exporting_answers import exported_answers
from benchmark.models import Question
from projects.models import Project, Prompt, Rater
from reports.frames.registry import FRAMES
from tests.annotation.marked import mark
from tests.annotation.questionnaires import RIGHT, questionnaire
from tests.annotation.rated import question_type, rate
from tests.benchmark.boards import answers, configuration, frozen_set, open_questions
from tests.benchmark.sets import CANARY, open_line, set_line, stored
from tests.judging.grading import graded_response
from tests.judging.rating import ask, graded_pair, template
from tests.people import add_response, signed_in
from tests.security.held_back import content_of

GOLD = ("spans", "rubrics", "ratings")
#: Of a page that offers such texts.
NOTICE = re.compile(r"[1-9][0-9]* held-back questions? ")
GUID = "7b1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a22"


@pytest.fixture
def feasts(project, nour, mona) -> Project:
    """Marked, graded and rated, so that each export has something to say."""
    project.areas = [*GOLD, "leaderboard"]
    project.save(update_fields=["areas"])
    salma = Rater.objects.create(project=project, kind="human", name="Salma")
    marked = add_response(project, "marked", "The king ate dates.", "ar-EG")
    [king] = mark(marked, salma, "king")
    custom = ErrorCategory.objects.create(project=project, slug="custom", name="Custom", depth="thick")
    Classification.objects.create(span=king, rater=salma, category=custom)
    Refinement.objects.create(span=king, rater=salma, explanation="A queen.")
    derive([marked.pk])
    graded_response(project, salma)
    formality = question_type(project)
    graded_pair(ask(project, formality, template(project, "greeting", formality), "ar-EG"), salma, formality, 4, 2)
    rate(marked, salma, formality, 3)
    return project


@pytest.fixture
def lead(nour, feasts) -> Client:
    return signed_in(nour)


def hold_all_back(project: Project) -> None:
    """A question of a draft on every prompt of the project."""
    prompts = list(Prompt.objects.filter(project=project))
    lines = [open_line(f"q{prompt.pk}", held_back=True) for prompt in prompts]
    stored(project, set_line(id="all", name="All", canary=GUID), *lines)
    for prompt in prompts:
        Question.objects.filter(question_set__slug="all", key=f"q{prompt.pk}").update(prompt=prompt)


def of_gold(lead: Client, project: Project, area: str) -> list[dict]:
    content = content_of(lead.get(f"/p/{project.slug}/gold/file/?of={area}"))
    lines = [json.loads(line) for line in content.splitlines()]
    sides = [line[side] for line in lines for side in ("first", "second") if side in line]
    return [line["metadata"] for line in [*lines, *sides] if "metadata" in line and "response" in line]


def of_frame(lead: Client, project: Project, name: str, file_format: str) -> list[dict]:
    content = b"".join(lead.get(f"/p/{project.slug}/frames/{name}.{file_format}"))
    if file_format == "parquet":
        return pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    return [{**row, "held_back": row["held_back"] == "true", "canary": row["canary"] or None} for row in rows]


def every_record(lead: Client, project: Project) -> dict[str, list[dict]]:
    found = {f"gold {area}": of_gold(lead, project, area) for area in GOLD}
    for name in FRAMES:
        for file_format in ("csv", "parquet"):
            found[f"{name}.{file_format}"] = of_frame(lead, project, name, file_format)
    found["responses"] = lead.get(f"/api/v1/projects/{project.slug}/responses/").json()["results"]
    return found


def is_marked(record: dict) -> bool:
    return bool(record.get("held_back")) and str(record["canary"]) == GUID


def test_every_record_with_such_a_text_is_marked_and_no_other(feasts, lead):
    before = every_record(lead, feasts)
    assert not any(record.get("held_back") or record.get("canary") for rows in before.values() for record in rows)
    hold_all_back(feasts)
    after = every_record(lead, feasts)
    for name, rows in after.items():
        assert len(rows) == len(before[name])
        assert all(map(is_marked, rows)), (name, [row for row in rows if not is_marked(row)][:1])
    empty = {name.partition(".")[0] for name, rows in after.items() if not rows}
    assert empty == {"reviews", "calls", "questionnaires", "questionnaire_gold", "sentences", "same_issues"}, (
        "nothing was looked at"
    )


def test_what_people_answered_to_questionnaires_is_marked_too(feasts, lead):
    stage = questionnaire(feasts, RIGHT, name="Asked")
    rater = Rater.objects.get(project=feasts, name="Salma")
    response = feasts.responses.order_by("pk").first()
    QuestionnaireAnswer.objects.create(stage=stage, rater=rater, response=response, answers={"right": "Yes"})
    names = ("questionnaires", "questionnaire_gold")
    assert not any(map(is_marked, [row for name in names for row in of_frame(lead, feasts, name, "csv")]))
    hold_all_back(feasts)
    for name in names:
        [row] = of_frame(lead, feasts, name, "csv")
        assert is_marked(row)


def test_the_pages_that_offer_them_say_how_many_there_are(feasts, lead):
    slug = feasts.slug
    pages = [f"/p/{slug}/frames/", *(f"/p/{slug}/gold/?of={area}" for area in GOLD)]
    card = f"/p/{slug}/gold/card/?of=spans"
    assert not any(NOTICE.search(lead.get(page).content.decode()) for page in pages)
    hold_all_back(feasts)
    for page in pages:
        said = lead.get(page).content.decode()
        assert NOTICE.search(said), page
    assert GUID in lead.get(card).content.decode()


def test_answers_to_held_back_questions_are_marked(project):
    lines = open_questions(3)
    lines[1]["held_back"] = True
    question_set = frozen_set(project, *lines)
    answers(configuration(project, "Nile"), question_set)
    told = [json.loads(line) for line in exported_answers(question_set, with_held_back=True)]
    found = [(line["id"], line.get("held_back"), line["canary"]) for line in told if line.get("text")]
    canary = str(question_set.canary)
    assert found == [("q0", None, canary), ("q1", True, canary), ("q2", None, canary)]


def exported(folder: Path, *options: str) -> tuple[list[dict], dict]:
    call_command("export_training", "feasts", "--format", "sft", "--output", str(folder), *options)
    lines = [line for path in folder.glob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines], json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_training_sets_leave_them_out_unless_they_are_asked_for(feasts, tmp_path, capsys):
    rows, manifest = exported(tmp_path)
    assert (len(rows), manifest["recipe"]["left_out_held_back"]) == (2, 0)
    assert not any("held_back" in row for row in rows)
    hold_all_back(feasts)
    with pytest.raises(CommandError, match="1 graded pair answers held-back questions"):
        exported(tmp_path)
    rows, manifest = exported(tmp_path, "--with-held-back")
    assert len(rows) == 2
    assert all(map(is_marked, rows))
    assert manifest["recipe"]["canaries_of_held_back"] == [GUID]
    Question.objects.filter(question_set__slug="all").update(is_held_back=False)
    formality = feasts.question_types.get()
    salma = Rater.objects.get(project=feasts, name="Salma")
    secret = ask(feasts, formality, template(feasts, "farewell", formality), "ar-EG")
    graded_pair(secret, salma, formality, 5, 1)
    stored(feasts, set_line(id="more", name="More", canary=CANARY), open_line("one", held_back=True))
    Question.objects.filter(question_set__slug="more").update(prompt=secret)
    rows, manifest = exported(tmp_path)
    assert (len(rows), manifest["recipe"]["left_out_held_back"]) == (2, 1)
    assert "Left out, as they answer held-back questions: 1 pair" in capsys.readouterr().out
