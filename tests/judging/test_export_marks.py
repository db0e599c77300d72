"""Nour exports what was kept and what was rejected of her marks, for a judge of her own and for a reward model."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.gold import derive
from annotation.models import Review
from benchmark.models import Question
from tests.annotation.marked import mark, review
from tests.annotation.rated import question_type
from tests.benchmark.sets import open_line, set_line, stored
from tests.judging.rating import template
from tests.people import add_response

GUID = "7b1f4a6e-6f0d-4b52-9f0e-0c6f0f3b9a22"
NIGHTLY, POPULAR, RICE = "على السحور", "مصرية شعبية", "الرز"


def in_training(response) -> None:
    """Its prompt is of a template that was assigned to training."""
    project = response.project
    question = project.question_types.first() or question_type(project)
    made = template(project, f"of-{response.key}", question, "train")
    response.prompt.template = made
    response.prompt.save(update_fields=["template"])


@pytest.fixture
def settled(project, koshari, mona, karim, simba):
    """One mark was kept, two were rejected; a second response was found to be flawless but for a rejected mark."""
    in_training(koshari)
    nightly, popular = mark(koshari, mona, NIGHTLY, POPULAR, explanation="Nobody eats it then.")
    [rice] = mark(koshari, simba, RICE)
    mark(koshari, karim)
    flawless = add_response(project, "flawless", "Eid begins with a prayer.", "ar-EG")
    in_training(flawless)
    [wrong] = mark(flawless, mona, "prayer")
    mark(flawless, karim)
    for span, verdict in ((nightly, "keep"), (popular, "reject"), (rice, "reject"), (wrong, "reject")):
        review(span, karim, verdict)
    review(rice, mona, "reject")
    derive([koshari.pk, flawless.pk])
    return koshari


def export(folder, format: str, *options: str) -> list[dict]:
    command = ["export_training", "feasts", "--of", "spans", "--format", format, "--output", str(folder)]
    call_command(*command, *options)
    content = (folder / f"train.{format}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in content.splitlines()]


def errors_of(message: dict) -> list[dict]:
    assert message["role"] == "assistant"
    return json.loads(message["content"])["errors"]


def test_a_judge_learns_the_gold_of_a_response_and_that_there_may_be_none(settled, tmp_path):
    rows = {row["response"]: row["messages"] for row in export(tmp_path, "sft")}
    assert set(rows) == {"koshari", "flawless"}
    system, user, answer = rows["koshari"]
    assert [message["role"] for message in (system, user)] == ["system", "user"]
    assert settled.text in user["content"]
    assert settled.prompt.text in user["content"]
    [error] = errors_of(answer)
    assert (error["quote"], error["explanation"]) == (NIGHTLY, "Nobody eats it then.")
    assert errors_of(rows["flawless"][2]) == []


def test_each_rejected_mark_stands_beside_a_kept_one_or_beside_none(settled, tmp_path):
    rows = export(tmp_path, "preference")
    found = [
        (row["response"], *([error["quote"] for error in errors_of(row[side][0])] for side in ("chosen", "rejected")))
        for row in rows
    ]
    assert sorted(found) == sorted(
        [
            ("koshari", [NIGHTLY], [POPULAR]),
            ("koshari", [NIGHTLY], [RICE]),
            ("flawless", [], ["prayer"]),
        ]
    )
    assert [message["role"] for message in rows[0]["prompt"]] == ["system", "user"]
    assert len({row["id"] for row in rows}) == 3


def test_what_is_not_settled_teaches_nothing_and_is_counted(settled, tmp_path, capsys):
    Review.objects.filter(span__quote=POPULAR).delete()
    derive([settled.pk])
    assert {row["response"] for row in export(tmp_path, "sft")} == {"flawless"}
    assert "marks await verdicts: 1 response\n" in capsys.readouterr().out


def test_held_back_questions_stay_out_unless_they_are_asked_for(settled, project, tmp_path):
    stored(project, set_line(id="all", name="All", canary=GUID), open_line("q", held_back=True))
    Question.objects.filter(key="q").update(prompt=settled.prompt)
    assert {row["response"] for row in export(tmp_path / "without", "sft")} == {"flawless"}
    whole = {row["response"]: row for row in export(tmp_path / "with", "sft", "--with-held-back")}
    assert (whole["koshari"]["held_back"], whole["koshari"]["canary"]) == (True, GUID)
    assert "held_back" not in whole["flawless"]


def test_no_rater_and_no_model_is_named_and_the_same_project_gives_the_same_bytes(settled, tmp_path):
    for folder in ("one", "two"):
        export(tmp_path / folder, "preference")
    one, two = ((tmp_path / folder / "train.preference.jsonl").read_bytes() for folder in ("one", "two"))
    assert one == two
    for name in ("Mona", "Karim", "Simba", settled.target_model.name):
        assert name.encode() not in one
    manifest = json.loads((tmp_path / "one" / "manifest.json").read_text())
    assert [file["responses"] for file in manifest["files"]] == [2, 0, 0]


def test_a_project_without_settled_marks_is_told_so(project, koshari, mona, tmp_path):
    mark(koshari, mona, NIGHTLY)
    derive([koshari.pk])
    with pytest.raises(CommandError, match="Marks of 1 response await verdicts"):
        export(tmp_path, "sft")
    with pytest.raises(CommandError, match="sft and preference"):
        export(tmp_path, "grpo")
    assert list(tmp_path.iterdir()) == []


def test_more_responses_take_no_more_statements(settled, project, mona, karim, tmp_path, django_assert_num_queries):
    with CaptureQueriesContext(connection) as before:
        export(tmp_path, "preference")
    for number in range(6):
        response = add_response(project, f"r{number}", "Eid begins with a prayer.", "ar-EG")
        in_training(response)
        [wrong] = mark(response, mona, "prayer")
        mark(response, karim)
        review(wrong, karim, "reject")
        derive([response.pk])
    with django_assert_num_queries(len(before)):
        assert len(export(tmp_path, "preference")) == 9
